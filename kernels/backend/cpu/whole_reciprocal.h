// Integers divided by one number, as vectors are. Included by files that are compiled for one
// instruction set each.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace strider::nd::STRIDER_TARGET {

// What integers of 16 and 32 bits are multiplied by instead of divided, for divisors above 0: as
// many bits of the reciprocal behind its first one (Granlund and Montgomery, 1994, figure 4.1).
// Numbers below 0 are turned over, bit by bit, and their quotients back.
template <class T>
struct WholeReciprocal {
  using Bits = std::make_unsigned_t<T>;
  using Wide = std::conditional_t<sizeof(T) == 4, std::uint64_t, std::uint32_t>;
  static constexpr int kBits = 8 * sizeof(T);

  Bits factor;
  int half, shift;

  explicit WholeReciprocal(T y) {
    auto divisor = static_cast<Bits>(y);
    int length = static_cast<int>(std::bit_width(static_cast<Bits>(divisor - 1)));
    std::uint64_t rest = (std::uint64_t{1} << length) - divisor;
    factor = static_cast<Bits>((rest << kBits) / divisor + 1);
    half = length > 0;
    shift = length - half;
  }
  T floor_quotient(T x) const {
    Bits turned = 0;
    if constexpr (std::is_signed_v<T>) turned = static_cast<Bits>(x >> (kBits - 1));
    auto size = static_cast<Bits>(static_cast<Bits>(x) ^ turned);
    auto high = static_cast<Bits>((static_cast<Wide>(size) * factor) >> kBits);
    auto rest = static_cast<Bits>(static_cast<Bits>(size - high) >> half);
    return static_cast<T>(static_cast<Bits>(static_cast<Bits>(high + rest) >> shift) ^ turned);
  }
};

// The same for bytes, for divisors above 1: 16 bits of the reciprocal, rounded up, are off by less
// than a byte's share of them.
template <class T>
struct ByteReciprocal {
  std::uint16_t factor;

  explicit ByteReciprocal(T y) : factor(static_cast<std::uint16_t>((1 << 16) / y + 1)) {}
  T floor_quotient(T x) const {
    std::uint8_t turned = 0;
    if constexpr (std::is_signed_v<T>) turned = static_cast<std::uint8_t>(x >> 7);
    auto size = static_cast<std::uint16_t>(static_cast<std::uint8_t>(x) ^ turned);
    return static_cast<T>(((std::uint32_t{size} * factor) >> 16) ^ turned);
  }
};

}  // namespace strider::nd::STRIDER_TARGET
