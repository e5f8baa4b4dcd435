// deque: a sequence that grows and shrinks at both ends.
#pragma once

#include <cstdint>
#include <deque>
#include <span>

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

class Deque : public Container {
 public:
  explicit Deque(Type* type) : Container(Layout::kOther, type) {}
  static Type& type_object();

  // Adds at one end; beyond the greatest length an item falls off the other.
  void append(const Value& item);
  void append_left(const Value& item);
  // Adds values of another row at the end; false where some that were there would fall off.
  bool append_all(std::span<const Value> more);
  // Turns the ring: the last `count` items come first.
  void rotate(std::int64_t count);
  std::int64_t size() const { return static_cast<std::int64_t>(items.size()); }
  void traverse(Visitor& visitor) override;
  void clear_references() override {
    std::deque<Value> dropped;
    dropped.swap(items);
  }

  std::deque<Value> items;
  std::int64_t greatest_length = -1;  // negative: no limit
  std::uint64_t version = 0;          // changes with every change of the items
};

extern const NativeRow kDequeMethods[];
extern const std::size_t kDequeMethodCount;
// The positions of a new deque: same limit, same class.
Ref<Deque> make_deque_like(const Deque& other);
// deque(iterable) appended to `self`; an iterable that is the deque itself is read first.
void extend_deque(Deque& self, const Value& iterable);

}  // namespace strider::lang
