// convert<To>(value): one element from type to type, with the results of NumPy on x86-64 for values
// that do not fit.
#pragma once

#include <strider/nd/dtype.h>

#include <bit>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

// clang's sanitizer complains of numbers out of range; here their results are wanted.
#ifdef __clang__
#define STRIDER_CONVERTS_ANYTHING __attribute__((no_sanitize("float-cast-overflow")))
#else
#define STRIDER_CONVERTS_ANYTHING
#endif

namespace strider::nd {

template <class T>
inline constexpr bool is_complex_type = false;
template <class T>
inline constexpr bool is_complex_type<std::complex<T>> = true;

// Narrows to float with a sticky last bit, so that rounding again (to half) rounds only once.
inline float round_sticky(double value) {
  float narrow = static_cast<float>(value);
  double back = static_cast<double>(narrow);
  std::uint32_t bits = std::bit_cast<std::uint32_t>(narrow);
  // Magnitudes compare as integers, which raises nothing for NaN.
  constexpr std::uint64_t kMagnitude = ~std::uint64_t{0} >> 1;
  std::uint32_t past = (std::bit_cast<std::uint64_t>(back) & kMagnitude) >
                       (std::bit_cast<std::uint64_t>(value) & kMagnitude);
  bool exact = back == value || value != value;
  return std::bit_cast<float>(exact ? bits : ((bits - past) | 1u));
}

inline Half half_from_double(double value) { return Half(round_sticky(value)); }

// Floating to integer as the processor's conversions do it: out of range gives the smallest value,
// narrow types take the low bits of the 32-bit result.
template <class To, class From>
STRIDER_CONVERTS_ANYTHING inline To integer_from_floating(From value) {
  if constexpr (std::is_same_v<To, std::uint64_t>) {
    constexpr From kLimit = static_cast<From>(9223372036854775808.0);
    if (!(value >= kLimit)) return static_cast<To>(integer_from_floating<std::int64_t>(value));
    return static_cast<To>(integer_from_floating<std::int64_t>(value - kLimit)) ^ (To{1} << 63);
  } else if constexpr (std::is_same_v<To, std::uint32_t>) {
    return static_cast<To>(integer_from_floating<std::int64_t>(value));
  } else if constexpr (sizeof(To) < 4) {
    return static_cast<To>(integer_from_floating<std::int32_t>(value));
  } else {
#ifdef __CUDA_ARCH__  // whose instruction gives the nearest integer instead
    constexpr From kLimit = static_cast<From>(sizeof(To) == 4 ? 0x1p31 : 0x1p63);
    bool fits = value >= -kLimit && value < kLimit;
    return fits ? static_cast<To>(value) : std::numeric_limits<To>::min();
#else
    return static_cast<To>(value);  // one instruction; the loops rely on what it does
#endif
  }
}

template <class To, class From>
inline To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (is_complex_type<From>) {
    if constexpr (is_complex_type<To>) {
      using Part = typename To::value_type;
      return To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
    } else if constexpr (std::is_same_v<To, bool>) {
      return value.real() != 0 || value.imag() != 0;
    } else {
      return convert<To>(value.real());
    }
  } else if constexpr (is_complex_type<To>) {
    return To(convert<typename To::value_type>(value));
  } else if constexpr (std::is_same_v<From, Half>) {
    if constexpr (std::is_same_v<To, bool>) {
      return (value.bits & 0x7fffu) != 0;
    } else {
      return convert<To>(static_cast<float>(value));
    }
  } else if constexpr (std::is_same_v<To, Half>) {
    if constexpr (std::is_same_v<From, double>)
      return half_from_double(value);
    else
      return Half(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return integer_from_floating<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace strider::nd
