// Keys: unsigned integers that order as the values do, NaN last. Real types become keys of their
// own size; complex numbers are compared as they are.
#pragma once

#include <strider/nd/half.h>

#include <bit>
#include <complex>
#include <cstdint>
#include <type_traits>

namespace strider::nd {

template <int kBytes>
struct KeyOfSize;
template <>
struct KeyOfSize<1> {
  using Type = std::uint8_t;
};
template <>
struct KeyOfSize<2> {
  using Type = std::uint16_t;
};
template <>
struct KeyOfSize<4> {
  using Type = std::uint32_t;
};
template <>
struct KeyOfSize<8> {
  using Type = std::uint64_t;
};
template <class T>
using KeyOf = typename KeyOfSize<sizeof(T)>::Type;

template <class T>
inline constexpr bool kIsFloating = std::is_floating_point_v<T> || std::is_same_v<T, Half>;
template <class T>
inline constexpr bool kIsComplex =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

template <class Key>
inline constexpr Key kTopBit = static_cast<Key>(Key{1} << (8 * sizeof(Key) - 1));

// The bits of +infinity of a floating type stored in Key.
template <class Key>
inline constexpr Key kInfinityBits = sizeof(Key) == 2   ? static_cast<Key>(0x7c00u)
                                     : sizeof(Key) == 4 ? static_cast<Key>(0x7f800000u)
                                                        : static_cast<Key>(0x7ff0000000000000u);

// The bits of the usual NaN, for which every NaN is taken.
template <class Key>
inline constexpr Key kNanBits = static_cast<Key>(kInfinityBits<Key> |
                                                 (kInfinityBits<Key> & (~kInfinityBits<Key> + 1)) >>
                                                     1);

// The key of a value. -0.0 stands just before 0.0.
template <class T>
KeyOf<T> to_key(T value) {
  using Key = KeyOf<T>;
  Key bits = std::bit_cast<Key>(value);
  if constexpr (kIsFloating<T>) {
    Key magnitude = static_cast<Key>(bits & static_cast<Key>(~kTopBit<Key>));
    Key flipped = static_cast<Key>((bits & kTopBit<Key>) ? ~bits : bits | kTopBit<Key>);
    constexpr Key kNan = static_cast<Key>(kNanBits<Key> | kTopBit<Key>);
    return magnitude > kInfinityBits<Key> ? kNan : flipped;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Key>(bits ^ kTopBit<Key>);
  } else {
    return bits;
  }
}

// The key of a value for orders that must leave equal values alone: -0.0 equals 0.0.
template <class T>
KeyOf<T> to_tied_key(T value) {
  using Key = KeyOf<T>;
  Key key = to_key(value);
  if constexpr (kIsFloating<T>) {
    constexpr Key kNegativeZero = static_cast<Key>(kTopBit<Key> - 1);
    return static_cast<Key>(key + (key == kNegativeZero));
  }
  return key;
}

// The key of a value of up to four bytes above the place where it stands, so that sorted ones tell
// the stable order.
template <int kPlaceBits, class T>
std::uint64_t key_above_place(T value, std::int64_t place) {
  static_assert(sizeof(T) <= 4);
  return std::uint64_t{to_tied_key(value)} << kPlaceBits | static_cast<std::uint64_t>(place);
}
template <int kPlaceBits>
std::int64_t place_below_key(std::uint64_t packed) {
  return static_cast<std::int64_t>(packed & ((std::uint64_t{1} << kPlaceBits) - 1));
}

// The value whose key this is.
template <class T>
T from_key(KeyOf<T> key) {
  using Key = KeyOf<T>;
  if constexpr (kIsFloating<T>) {
    Key bits = static_cast<Key>((key & kTopBit<Key>) ? key ^ kTopBit<Key> : ~key);
    return std::bit_cast<T>(bits);
  } else if constexpr (std::is_signed_v<T>) {
    return std::bit_cast<T>(static_cast<Key>(key ^ kTopBit<Key>));
  } else {
    return std::bit_cast<T>(key);
  }
}

// True when a comes before b in NumPy's order: numbers, then those with NaN parts.
template <class T>
bool comes_before(T a, T b) {
  if constexpr (kIsComplex<T>) {
    auto nan_class = [](T z) { return 2 * (z.real() != z.real()) + (z.imag() != z.imag()); };
    int class_a = nan_class(a), class_b = nan_class(b);
    if (class_a != class_b) return class_a < class_b;
    if (a.real() < b.real()) return true;
    if (b.real() < a.real()) return false;
    return a.imag() < b.imag();
  } else {
    return to_tied_key(a) < to_tied_key(b);
  }
}

}  // namespace strider::nd
