// memoryview as data: a view, where its elements are and what they hold. Private to this room.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interpreter/runtime/memory/collector.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/memory_view.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {

using Extents = std::vector<std::int64_t>;

class MemoryView final : public Container {
 public:
  MemoryView(const Value& owner, const BufferOffer* offer, Buffer buffer, std::int64_t start)
      : Container(Layout::kOther, &memory_view_type()),
        owner(owner),
        offer(offer),
        buffer(std::move(buffer)),
        start(start) {
    if (offer->hold) offer->hold(owner, +1);
  }
  ~MemoryView() override { release(); }
  void release() {
    if (!owner.is_none() && offer->hold) offer->hold(owner, -1);
    owner = Value::none();
  }
  void traverse(Visitor& visitor) override { visitor.visit(owner); }
  void clear_references() override { release(); }
  Value owner;  // None once released
  const BufferOffer* const offer;
  const Buffer buffer;
  const std::int64_t start;  // bytes before the first element
};

inline MemoryView& view_of(const Value& value) { return *value.as<MemoryView>(); }
inline std::size_t rank_of(const MemoryView& view) { return view.buffer.shape.size(); }
// ValueError once the view was released.
void require_alive(const MemoryView& view);
// Whether the elements follow each other.
bool is_packed(const MemoryView& view);
// The first element's place; ValueError once the view was released or its owner shrank.
char* place_of(const MemoryView& view, bool writing = false);
// The letter of an element that is one number; NotImplementedError for other formats.
char code_of(const MemoryView& view);
std::string content_of(const MemoryView& view);
// The elements as nested lists.
Value list_elements(const MemoryView& view);
void add_memory_view_methods(Type& type);

}  // namespace strider::lang
