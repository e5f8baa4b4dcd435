// The floating-point conditions of one step, found from its operands and its result. A cheap test
// of all points tells whether it is worth the search; what follows it is rarely run.
#pragma once

namespace strider::nd::device {

// Where a row's conditions come from, as ops.def has it.
enum class Conditions { kNone, kHardware, kDerived, kInteger };

inline constexpr unsigned kDivideBit = FloatingErrors::kDivide;
inline constexpr unsigned kOverflowBit = FloatingErrors::kOverflow;
inline constexpr unsigned kUnderflowBit = FloatingErrors::kUnderflow;
inline constexpr unsigned kInvalidBit = FloatingErrors::kInvalid;

template <class T>
inline bool is_small(T x) {
  if constexpr (is_complex_type<T>)
    return is_small(x.real()) | is_small(x.imag());
  else
    return std::fabs(x) < std::numeric_limits<T>::min();
}

// Whether a result may come with one of the watched conditions.
template <unsigned kWatched, class T>
inline bool is_odd(T result) {
  if constexpr (std::is_same_v<T, Half>) {
    unsigned exponent = result.bits & 0x7c00u;
    return exponent == 0x7c00u || ((kWatched & kUnderflowBit) && exponent == 0);
  } else if constexpr (std::is_same_v<T, double> && !(kWatched & kUnderflowBit)) {
    // Integers are compared beside the arithmetic of float64, not in its place.
    return (std::bit_cast<std::uint64_t>(result) >> 32 & 0x7fffffffu) >= 0x7ff00000u;
  } else {
    return !is_finite(result) || ((kWatched & kUnderflowBit) && is_small(result));
  }
}

// Whether the sum of it and any finite number is finite.
template <class T>
inline bool is_addend(T x) {
  return std::fabs(x) <= (sizeof(T) == 4 ? T(0x1p102) : T(0x1p968));
}

// A product (quotient) that is below the normal numbers, against the exact one.
template <class T>
inline bool rounds_product(T x, T y, T result) {
  if (x == 0 || y == 0) return false;
  if (result == 0) return true;
  constexpr T kScale = sizeof(T) == 4 ? T(0x1p60) : T(0x1p200);
  bool first = std::fabs(x) < std::fabs(y);
  T a = first ? x * kScale : x, b = first ? y : y * kScale;
  return std::fma(a, b, -(result * kScale)) != 0;
}
template <class T>
inline bool rounds_quotient(T x, T y, T result) {
  if (x == 0 || is_infinite(y)) return false;
  if (result == 0) return true;
  constexpr T kScale = sizeof(T) == 4 ? T(0x1p60) : T(0x1p200);
  return std::fma(result * kScale, y, -(x * kScale)) != 0;
}

// One rounded operation on these operands.
template <class T>
inline unsigned rounded(T x, T y, T result) {
  if (is_nan(result)) return is_nan(x) | is_nan(y) ? 0u : kInvalidBit;
  return is_infinite(result) && is_finite(x) && is_finite(y) ? kOverflowBit : 0u;
}

template <Op kOp, class T, class Y>
inline unsigned real_conditions(T x, Y second, T result) {
  T y = static_cast<T>(second);
  if (is_nan(result)) return is_nan(x) | is_nan(y) ? 0u : kInvalidBit;
  // A step towards infinity may be the last one.
  if (!is_finite(x) | (kOp != Op::kNextafter & !is_finite(y))) return 0;
  if (is_infinite(result)) {
    bool quotient = kOp == Op::kDivide || kOp == Op::kFloorDivide;
    bool pole = quotient ? y == 0 : kOp == Op::kReciprocal && x == 0;
    if (pole) return kDivideBit;
    return kOp == Op::kFloorDivide ? kOverflowBit | kInvalidBit : kOverflowBit;
  }
  if (!is_small(result)) return 0;
  bool rounds = false;
  if constexpr (kOp == Op::kMultiply) rounds = rounds_product(x, y, result);
  if constexpr (kOp == Op::kSquare) rounds = rounds_product(x, x, result);
  if constexpr (kOp == Op::kDivide) rounds = rounds_quotient(x, y, result);
  if constexpr (kOp == Op::kReciprocal) rounds = rounds_quotient(T(1), x, result);
  if constexpr (kOp == Op::kNextafter) rounds = x != y;
  if constexpr (kOp == Op::kLdexp) {
    rounds = x != 0 && std::ldexp(result, -static_cast<int>(second)) != x;
  }
  if constexpr (kOp == Op::kDegrees || kOp == Op::kRad2deg) rounds = x != 0;
  if constexpr (kOp == Op::kRadians || kOp == Op::kDeg2rad) rounds = x != 0;
  return rounds ? kUnderflowBit : 0u;
}

template <Op kOp, class T>
inline unsigned complex_conditions(T x, T y, T result) {
  auto a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  if constexpr (kOp == Op::kAdd || kOp == Op::kSubtract) {
    return rounded(a, c, result.real()) | rounded(b, d, result.imag());
  } else if constexpr (kOp == Op::kMultiply || kOp == Op::kSquare) {
    auto low = b * d, cross = b * c;
    unsigned bits = rounded(b, d, low) | rounded(b, c, cross);
    bool nan = is_nan(a) | is_nan(c) | is_nan(low);
    if (is_nan(result.real()) && !nan) bits |= kInvalidBit;
    if (is_nan(result.imag()) && !(is_nan(a) | is_nan(d) | is_nan(cross))) bits |= kInvalidBit;
    bool finite = is_finite(x) & is_finite(y);
    if (finite && (is_infinite(result) || is_infinite(low) || is_infinite(cross)))
      bits |= kOverflowBit;
    return bits;
  } else {
    constexpr bool kQuotient = kOp == Op::kDivide || kOp == Op::kReciprocal;
    T divisor = kOp == Op::kDivide ? y : x;
    if (kQuotient && divisor.real() == 0 && divisor.imag() == 0) {
      if constexpr (kOp == Op::kReciprocal) return kInvalidBit;
      unsigned bits = is_nan(a) || is_infinite(a) ? 0 : a == 0 ? kInvalidBit : kDivideBit;
      return bits | (is_nan(b) || is_infinite(b) ? 0 : b == 0 ? kInvalidBit : kDivideBit);
    }
    if (kQuotient && is_nan(divisor)) return kInvalidBit;  // its parts are compared
    if (is_nan(result)) return is_nan(x) | is_nan(y) ? 0u : kInvalidBit;
    if (!is_finite(x) | !is_finite(y) | is_finite(result)) return 0;
    return has_pole(kOp) || kOp == Op::kArctan ? kDivideBit : kOverflowBit;
  }
}

// What rounding a float to a half raises.
inline unsigned narrowing(float value) {
  Half narrow(value);
  if (is_nan(value)) return 0;
  float back = static_cast<float>(narrow);
  if (is_infinite(back)) return is_infinite(value) ? 0u : kOverflowBit;
  return std::fabs(value) < 0x1p-14f && back != value ? kUnderflowBit : 0u;
}

// R is the row of kOp.
template <class R, Op kOp, Conditions kFrom, class T, class Result>
STRIDER_APART unsigned find_conditions(T x, Second<kOp, T> y, Result result) {
  if constexpr (std::is_integral_v<T>) {
    if constexpr (kOp == Op::kReciprocal) return x == 0 ? kDivideBit | kInvalidBit : 0u;
    if (y == 0) return kDivideBit;
    return kOp == Op::kFloorDivide && !divides(x, y) ? kOverflowBit : 0u;
  } else if constexpr (is_complex_type<T>) {
    return complex_conditions<kOp>(x, y, result);
  } else if constexpr (std::is_same_v<T, Half>) {
    if constexpr (kOp == Op::kNextafter) {
      const float wide = static_cast<float>(result);
      return is_infinite(wide) && is_finite(static_cast<float>(x)) ? kOverflowBit : 0u;
    } else if constexpr (keeps_halves(kOp)) {
      return 0;
    } else {
      float a = static_cast<float>(x);
      auto b = load_as<std::conditional_t<kOp == Op::kLdexp, std::int64_t, float>>(y);
      float wide = R::first(a, b, a);
      return find_conditions<R, kOp, kFrom>(a, b, wide) | narrowing(wide);
    }
  } else if constexpr (kFrom == Conditions::kDerived) {
    return classify<kOp, T>(x, y, result);
  } else {
    return real_conditions<kOp>(x, y, result);
  }
}

// Whether a number that becomes an integer is out of the range of what converts it.
template <class To, class From>
inline bool leaves_range(From value) {
  if constexpr (std::is_same_v<To, std::uint64_t>)
    return !(value >= From(-0x1p63) && value < From(0x1p64));
  else if constexpr (sizeof(To) == 8 || std::is_same_v<To, std::uint32_t>)
    return !(value >= From(-0x1p63) && value < From(0x1p63));
  else if constexpr (std::is_same_v<From, float>)
    return !(value >= -0x1p31f && value < 0x1p31f);
  else
    return !(value > -2147483649.0 && value < 0x1p31);
}

template <unsigned kWatched, class To, class From>
inline unsigned cast_conditions(From value, To result) {
  if constexpr (std::is_same_v<To, bool> || std::is_same_v<To, From>) {
    return 0;
  } else if constexpr (is_complex_type<From>) {
    if constexpr (is_complex_type<To>)
      return cast_conditions<kWatched>(value.real(), result.real()) |
             cast_conditions<kWatched>(value.imag(), result.imag());
    else
      return cast_conditions<kWatched>(value.real(), result);
  } else if constexpr (is_complex_type<To>) {
    return cast_conditions<kWatched>(value, result.real());
  } else if constexpr (std::is_same_v<From, Half>) {
    return cast_conditions<kWatched>(static_cast<float>(value), result);
  } else if constexpr (std::is_integral_v<To>) {
    if constexpr (is_real<From>) return leaves_range<To>(value) ? kInvalidBit : 0u;
    return 0;
  } else if constexpr (std::is_same_v<To, Half>) {
    if (!is_odd<kWatched>(result)) return 0;
    if constexpr (std::is_same_v<From, double>)
      return is_infinite(static_cast<float>(result)) && is_finite(value)
                 ? kOverflowBit
                 : narrowing(round_sticky(value));
    else
      return narrowing(static_cast<float>(value));
  } else if constexpr (std::is_same_v<From, double>) {
    if (!is_odd<kWatched>(result) || is_nan(value)) return 0;
    if (is_infinite(result)) return is_infinite(value) ? 0u : kOverflowBit;
    return static_cast<double>(result) != value ? kUnderflowBit : 0u;
  } else {
    return 0;
  }
}

// Whether a converted value may come with one of the watched conditions.
template <unsigned kWatched, class To, class From>
inline bool cast_is_odd(From value, To result) {
  if constexpr (std::is_same_v<To, bool> || std::is_same_v<To, From>) {
    return false;
  } else if constexpr (is_complex_type<From>) {
    if constexpr (is_complex_type<To>)
      return cast_is_odd<kWatched>(value.real(), result.real()) |
             cast_is_odd<kWatched>(value.imag(), result.imag());
    else
      return cast_is_odd<kWatched>(value.real(), result);
  } else if constexpr (is_complex_type<To>) {
    return cast_is_odd<kWatched>(value, result.real());
  } else if constexpr (std::is_same_v<From, Half>) {
    return cast_is_odd<kWatched>(static_cast<float>(value), result);
  } else if constexpr (std::is_integral_v<To>) {
    if constexpr (is_real<From>) return leaves_range<To>(value);
    return false;
  } else {
    return is_odd<kWatched>(result);
  }
}

// Whether a row's result may come with one of the watched conditions.
template <unsigned kWatched, class R, Op kOp, Conditions kFrom, class T, class Result>
inline bool row_is_odd(T x, Second<kOp, T> y, Result result) {
  if constexpr (!std::is_integral_v<T>)
    return is_odd<kWatched>(result);
  else if constexpr (kOp == Op::kReciprocal)
    return x == 0;
  else if constexpr (kFrom == Conditions::kInteger)
    return !divides(x, y);
  else
    return false;
}

// The watched conditions of a row's result. What comes from NaN raises nothing, unless it was
// compared.
template <unsigned kWatched, class R, Op kOp, Conditions kFrom, class T, class Result>
inline unsigned row_conditions(T x, Second<kOp, T> y, Result result) {
  if (!row_is_odd<kWatched, R, kOp, kFrom, T>(x, y, result)) return 0;
  if constexpr (is_real<T> && !compares(kOp)) {
    if (is_nan(x) | is_nan(y)) return 0;
  }
  return find_conditions<R, kOp, kFrom, T>(x, y, result) & kWatched;
}

}  // namespace strider::nd::device
