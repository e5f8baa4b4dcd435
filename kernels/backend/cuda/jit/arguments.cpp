// Lays fields out as the compiler of the text does.
#include "kernels/backend/cuda/jit/arguments.h"

#include <cstring>

namespace strider::nd::cuda {

void Arguments::add(std::string_view type, std::string_view prefix, int first, int second,
                    const void* value, std::size_t size, std::size_t alignment) {
  std::size_t start = (bytes_.size() + alignment - 1) / alignment * alignment;
  bytes_.resize(start + size);
  std::memcpy(bytes_.data() + start, value, size);
  last_ = start;
  if (!with_text_) return;
  fields_.append("  ").append(type).append(" ").append(prefix);
  if (first >= 0) fields_ += std::to_string(first);
  if (second >= 0) fields_ += "_" + std::to_string(second);
  fields_ += ";\n";
}

void Arguments::add_index(std::string_view prefix, std::int64_t value, bool wide, int first,
                          int second) {
  if (wide)
    add("Index", prefix, static_cast<std::uint64_t>(value), first, second);
  else
    add("Index", prefix, static_cast<std::uint32_t>(value), first, second);
}

void Arguments::changes(ChangingField::Kind kind, std::size_t index) {
  changing_.push_back({kind, static_cast<std::uint8_t>(bytes_.size() - last_), 0,
                       static_cast<std::uint16_t>(index), static_cast<std::uint32_t>(last_)});
}

std::vector<std::byte> Arguments::take_bytes() {
  bytes_.resize((bytes_.size() + 7) / 8 * 8);
  return std::move(bytes_);
}

}  // namespace strider::nd::cuda
