// packbits and unpackbits: eight truth values a byte; bytes in the other order.
#include <strider/nd/error.h>
#include <strider/nd/signal.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

// Eight truth bytes gathered into one by a multiplication that lets each bit land in its place.
std::uint8_t packed_eight(const std::uint8_t* flags, bool little) {
  std::uint64_t word;
  std::memcpy(&word, flags, sizeof word);
  std::uint64_t magic = little ? 0x0102040810204080u : 0x8040201008040201u;
  return static_cast<std::uint8_t>(word * magic >> 56);
}

constexpr std::array<std::uint8_t, 256> turned_bytes() {
  std::array<std::uint8_t, 256> turned{};
  for (int byte = 0; byte < 256; ++byte) {
    for (int bit = 0; bit < 8; ++bit)
      turned[byte] = static_cast<std::uint8_t>(turned[byte] | (byte >> bit & 1) << (7 - bit));
  }
  return turned;
}
constexpr std::array<std::uint8_t, 256> kTurned = turned_bytes();

// Sixteen truth bytes, whose lowest bits become the signs that a vector's mask has.
void pack_sixteen(const std::uint8_t* flags, bool little, std::uint8_t* to) {
#ifdef __SSE2__
  __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(flags));
  int mask = _mm_movemask_epi8(_mm_slli_epi16(bytes, 7));
  auto first = static_cast<std::uint8_t>(mask), second = static_cast<std::uint8_t>(mask >> 8);
  to[0] = little ? first : kTurned[first];
  to[1] = little ? second : kTurned[second];
#else
  to[0] = packed_eight(flags, little);
  to[1] = packed_eight(flags + 8, little);
#endif
}

void pack_line(const std::uint8_t* flags, std::int64_t length, bool little, std::uint8_t* to) {
  std::int64_t whole = length / 8 * 8, i = 0;
  for (; i + 16 <= whole; i += 16, to += 2) pack_sixteen(flags + i, little, to);
  for (; i < whole; i += 8) *to++ = packed_eight(flags + i, little);
  if (whole == length) return;
  std::uint8_t rest[8] = {};
  std::copy(flags + whole, flags + length, rest);
  *to = packed_eight(rest, little);
}

// The bits of every byte as eight bytes: each keeps its bit, and then a one instead of it.
constexpr std::array<std::uint64_t, 256> unpacked_bytes(bool little) {
  std::array<std::uint64_t, 256> words{};
  std::uint64_t bits = little ? 0x8040201008040201u : 0x0102040810204080u;
  for (std::uint64_t byte = 0; byte < words.size(); ++byte) {
    std::uint64_t kept = byte * 0x0101010101010101u & bits;
    words[byte] = (kept + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
  }
  return words;
}

constexpr std::array<std::uint64_t, 256> kLittle = unpacked_bytes(true),
                                         kBig = unpacked_bytes(false);

// The first `there` bits, then zeros up to `wanted`.
void unpack_line(const std::uint8_t* from, std::int64_t there, std::int64_t wanted, bool little,
                 std::uint8_t* to) {
  const auto& words = little ? kLittle : kBig;
  std::int64_t whole = there / 8;
  for (std::int64_t i = 0; i < whole; ++i) std::memcpy(to + 8 * i, &words[from[i]], 8);
  if (there % 8 != 0)
    std::memcpy(to + 8 * whole, &words[from[whole]], static_cast<std::size_t>(there % 8));
  std::fill(to + there, to + wanted, std::uint8_t{0});
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
  Array result = Array::empty(shape, DType::kUInt8);
  const std::uint8_t* from = bytes.as<std::uint8_t>();
  std::uint8_t* to = result.mutable_as<std::uint8_t>();
  std::int64_t lines = wanted ? result.size() / wanted : 0, there = std::min(wanted, 8 * length);
  for (std::int64_t n = 0; n < lines; ++n, from += length, to += wanted)
    unpack_line(from, there, wanted, little, to);
  return axis_back(result, axis);
}

namespace {

template <class Word, class Swap>
void swap_words(std::byte* bytes, std::int64_t count, Swap&& swap) {
  std::int64_t size = sizeof(Word);
  for (std::int64_t at = 0; at < count; at += size) {
    Word word;
    std::memcpy(&word, bytes + at, sizeof word);
    word = swap(word);
    std::memcpy(bytes + at, &word, sizeof word);
  }
}

}  // namespace

void reverse_bytes(std::byte* bytes, std::int64_t count, int size) {
  if (size == 8)
    swap_words<std::uint64_t>(bytes, count, [](auto word) { return __builtin_bswap64(word); });
  else if (size == 4)
    swap_words<std::uint32_t>(bytes, count, [](auto word) { return __builtin_bswap32(word); });
  else if (size == 2)
    swap_words<std::uint16_t>(bytes, count, [](auto word) { return __builtin_bswap16(word); });
  else
    for (std::byte* end = bytes + count; bytes < end; bytes += size)
      std::reverse(bytes, bytes + size);
}

}  // namespace strider::nd
