// Buffers: the memory that an object shows to others, as elements of one format in rows. Knows no
// particular type: those that have memory to show say how by offer_buffer().
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Type;

struct Buffer {
  std::string format;  // of one element, as the module struct writes it
  std::int64_t item_size;
  std::vector<std::int64_t> shape, strides;  // elements along each axis; bytes between them
  bool writable;
};

struct BufferOffer {
  Buffer (*describe)(const Value& owner);
  // Where the first element is now; for writing, what still has to read it was seen to.
  char* (*place)(const Value& owner, bool writing);
  // How many bytes there are behind the first element now; null: always those described.
  std::int64_t (*size)(const Value& owner);
  // +1 and -1 as someone begins and ends to rely on the memory staying where it is; may be null.
  void (*hold)(const Value& owner, int change);
  // What keeps the memory there even when its owner lets it go; null: only the owner.
  std::shared_ptr<void> (*keep)(const Value& owner) = nullptr;
};

// An object whose memory something else relies on: it stays as long as this lives.
class HeldBuffer {
 public:
  explicit HeldBuffer(const Value& value);
  ~HeldBuffer();
  HeldBuffer(const HeldBuffer&) = delete;
  HeldBuffer& operator=(const HeldBuffer&) = delete;

 private:
  Value shown_, owner_;  // what was asked, and what it shows the memory of
  const BufferOffer* offer_;
  std::shared_ptr<void> kept_;
};

// Instances of `type` and of its subclasses have a buffer.
void offer_buffer(const Type& type, const BufferOffer& offer);
// How a value shows its memory; null: it has none to show.
const BufferOffer* find_buffer(const Value& value);
// All bytes of a value with a buffer whose elements follow each other; ValueError otherwise.
std::string_view buffer_bytes(const Value& value, const BufferOffer& offer);
// Raises BufferError "Existing exports of data: object cannot be re-sized" if there are any.
void require_no_exports(int exports);

// Bytes from one element to the next along each axis when they follow each other.
std::vector<std::int64_t> packed_strides(const std::vector<std::int64_t>& shape,
                                         std::int64_t item_size);
std::int64_t element_count(const std::vector<std::int64_t>& shape);

}  // namespace strider::lang
