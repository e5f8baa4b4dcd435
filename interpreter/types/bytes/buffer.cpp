// Which types have a buffer, and what every buffer can be asked.
#include "interpreter/types/bytes/buffer.h"

#include <unordered_map>

#include "interpreter/runtime/type/type.h"
#include "interpreter/types/bytes/memory_view_object.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

std::unordered_map<const Type*, BufferOffer>& offers() {
  static auto& table = *new std::unordered_map<const Type*, BufferOffer>();
  return table;
}

}  // namespace

void offer_buffer(const Type& type, const BufferOffer& offer) { offers()[&type] = offer; }

const BufferOffer* find_buffer(const Value& value) {
  if (!value.is_object()) return nullptr;
  for (const Type* type = type_of(value); type; type = type->base()) {
    auto found = offers().find(type);
    if (found != offers().end()) return &found->second;
  }
  return nullptr;
}

std::string_view buffer_bytes(const Value& value, const BufferOffer& offer) {
  Buffer buffer = offer.describe(value);
  std::int64_t count = element_count(buffer.shape);
  if (count > 1 && buffer.strides != packed_strides(buffer.shape, buffer.item_size))
    raise(errors::ValueError, "ndarray is not C-contiguous");
  return {offer.place(value, false), static_cast<std::size_t>(count * buffer.item_size)};
}

HeldBuffer::HeldBuffer(const Value& value) : shown_(value), owner_(value) {
  while (is_memory_view(owner_)) owner_ = Value(view_of(owner_).owner);
  offer_ = find_buffer(owner_);
  if (offer_ && offer_->keep)
    kept_ = offer_->keep(owner_);
  else if (offer_ && offer_->hold)
    offer_->hold(owner_, +1);
}

HeldBuffer::~HeldBuffer() {
  if (offer_ && !kept_ && offer_->hold) offer_->hold(owner_, -1);
}

void require_no_exports(int exports) {
  if (exports > 0)
    raise(errors::BufferError, "Existing exports of data: object cannot be re-sized");
}

std::vector<std::int64_t> packed_strides(const std::vector<std::int64_t>& shape,
                                         std::int64_t item_size) {
  std::vector<std::int64_t> strides(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; item_size *= shape[axis])
    strides[axis] = item_size;
  return strides;
}

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (std::int64_t length : shape) count *= length;
  return count;
}

}  // namespace strider::lang
