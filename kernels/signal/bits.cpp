// packbits and unpackbits: eight truth values a byte.
#include <strider/nd/error.h>
#include <strider/nd/signal.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace strider::nd {
namespace {

// What an optional axis speaks of: the array with that axis last, or flattened.
Array axis_last(const Array& array, std::optional<int> axis) {
  if (!axis || array.rank() == 0) return array.reshape({array.size()});
  int at = normalize_axis(*axis, array.rank());
  return at == array.rank() - 1 ? array : array.swap_axes(at, array.rank() - 1);
}

Array axis_back(const Array& array, std::optional<int> axis) {
  if (!axis || array.rank() < 2) return array;
  int at = normalize_axis(*axis, array.rank());
  return at == array.rank() - 1 ? array : array.swap_axes(at, array.rank() - 1).copy();
}

int bit_of(std::int64_t i, bool little) {
  auto place = static_cast<int>(i % 8);
  return little ? place : 7 - place;
}

// Eight truth bytes gathered into one by a multiplication that lets each bit land in its place.
std::uint8_t packed_eight(const std::uint8_t* flags, bool little) {
  std::uint64_t word;
  std::memcpy(&word, flags, sizeof word);
  std::uint64_t magic = little ? 0x0102040810204080u : 0x8040201008040201u;
  return static_cast<std::uint8_t>(word * magic >> 56);
}

void pack_line(const std::uint8_t* flags, std::int64_t length, bool little, std::uint8_t* to) {
  std::int64_t whole = length / 8 * 8;
  for (std::int64_t i = 0; i < whole; i += 8) *to++ = packed_eight(flags + i, little);
  if (whole == length) return;
  std::uint8_t rest[8] = {};
  std::copy(flags + whole, flags + length, rest);
  *to = packed_eight(rest, little);
}

}  // namespace

Array packbits(const Array& array, std::optional<int> axis, bool little) {
  if (category(array.dtype()) >= Category::kFloating)
    throw Error(ErrorKind::kType, "Expected an input array of integer or boolean data type");
  Array flags = axis_last(array, axis).contiguous(DType::kBool);
  Dims shape = flags.shape();
  std::int64_t length = shape.back(), packed = (length + 7) / 8;
  shape.back() = packed;
  Array result = Array::zeros(shape, DType::kUInt8);
  auto from = reinterpret_cast<const std::uint8_t*>(flags.data());
  std::uint8_t* to = result.mutable_as<std::uint8_t>();
  std::int64_t lines = length ? flags.size() / length : 0;
  for (std::int64_t n = 0; n < lines; ++n, from += length, to += packed)
    pack_line(from, length, little, to);
  return axis_back(result, axis);
}

Array unpackbits(const Array& array, std::optional<int> axis, std::optional<std::int64_t> count,
                 bool little) {
  if (array.dtype() != DType::kUInt8)
    throw Error(ErrorKind::kType, "Expected an input array of unsigned byte data type");
  Array bytes = axis_last(array, axis).contiguous();
  Dims shape = bytes.shape();
  std::int64_t length = shape.back(), wanted = count.value_or(8 * length);
  if (wanted < 0) wanted += 8 * length;
  if (wanted < 0) throw Error(ErrorKind::kValue, "-count larger than number of elements");
  shape.back() = wanted;
  Array result = Array::zeros(shape, DType::kUInt8);
  const std::uint8_t* from = bytes.as<std::uint8_t>();
  std::uint8_t* to = result.mutable_as<std::uint8_t>();
  std::int64_t lines = length ? bytes.size() / length : 0, there = std::min(wanted, 8 * length);
  for (std::int64_t n = 0; n < lines; ++n, from += length, to += wanted)
    for (std::int64_t i = 0; i < there; ++i) to[i] = from[i / 8] >> bit_of(i, little) & 1;
  return axis_back(result, axis);
}

}  // namespace strider::nd
