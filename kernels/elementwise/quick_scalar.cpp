// Arithmetic, comparisons and bits of two elements by type; what may have to be told of is refused.
#include <strider/nd/quick_scalar.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace strider::nd {
namespace {

template <class T>
bool compare(Op op, T x, T y, Scalar& out) {
  switch (op) {
    case Op::kEqual:
      out = Scalar(x == y);
      return true;
    case Op::kNotEqual:
      out = Scalar(x != y);
      return true;
    case Op::kLess:
      out = Scalar(x < y);
      return true;
    case Op::kLessEqual:
      out = Scalar(x <= y);
      return true;
    case Op::kGreater:
      out = Scalar(x > y);
      return true;
    case Op::kGreaterEqual:
      out = Scalar(x >= y);
      return true;
    default:
      return false;
  }
}

// Quotients and remainders towards minus infinity.
template <class T>
bool divide_down(Op op, T x, T y, Scalar& out) {
  if (y == 0) return false;
  if constexpr (std::is_signed_v<T>) {
    if (y == -1) return false;
  }
  T quotient = static_cast<T>(x / y), rest = static_cast<T>(x % y);
  if (rest != 0 && (rest < 0) != (y < 0)) {
    quotient = static_cast<T>(quotient - 1);
    rest = static_cast<T>(rest + y);
  }
  out = Scalar(op == Op::kFloorDivide ? quotient : rest);
  return true;
}

template <class T>
bool shift(Op op, T x, T y, Scalar& out) {
  using Unsigned = std::make_unsigned_t<T>;
  if (static_cast<Unsigned>(y) >= std::numeric_limits<Unsigned>::digits) return false;
  out = Scalar(op == Op::kLeftShift ? static_cast<T>(static_cast<Unsigned>(x) << y)
                                    : static_cast<T>(x >> y));
  return true;
}

// By squaring; what does not fit wraps.
template <class T>
bool raise_to(T base, T exponent, Scalar& out) {
  if (exponent < 0) return false;
  using Unsigned = std::make_unsigned_t<T>;
  std::uint64_t power = static_cast<Unsigned>(base), result = 1;
  for (auto left = static_cast<Unsigned>(exponent); left; left >>= 1) {
    if (left & 1) result *= power;
    power *= power;
  }
  out = Scalar(static_cast<T>(result));
  return true;
}

template <class T>
bool apply_integers(Op op, T x, T y, Scalar& out) {
  T result;
  switch (op) {
    case Op::kAdd:
      if (__builtin_add_overflow(x, y, &result)) return false;
      break;
    case Op::kSubtract:
      if (__builtin_sub_overflow(x, y, &result)) return false;
      break;
    case Op::kMultiply:
      if (__builtin_mul_overflow(x, y, &result)) return false;
      break;
    case Op::kDivide:
      if (y == 0) return false;
      out = Scalar(static_cast<double>(x) / static_cast<double>(y));
      return true;
    case Op::kFloorDivide:
    case Op::kRemainder:
      return divide_down(op, x, y, out);
    case Op::kPower:
      return raise_to(x, y, out);
    case Op::kLeftShift:
    case Op::kRightShift:
      return shift(op, x, y, out);
    case Op::kBitwiseAnd:
      result = static_cast<T>(x & y);
      break;
    case Op::kBitwiseOr:
      result = static_cast<T>(x | y);
      break;
    case Op::kBitwiseXor:
      result = static_cast<T>(x ^ y);
      break;
    default:
      return compare(op, x, y, out);
  }
  out = Scalar(result);
  return true;
}

// A result that is no normal number may have underflowed or overflowed.
template <class T>
bool apply_floats(Op op, T x, T y, Scalar& out) {
  T result;
  switch (op) {
    case Op::kAdd:
      result = x + y;
      break;
    case Op::kSubtract:
      result = x - y;
      break;
    case Op::kMultiply:
      result = x * y;
      break;
    case Op::kDivide:
      result = x / y;
      break;
    case Op::kPower:
      result = std::pow(x, y);  // C's, as NumPy's scalars have it; arrays have loops of their own
      break;
    default:
      return compare(op, x, y, out);
  }
  if (!std::isnormal(result) && (result != 0 || (op != Op::kAdd && op != Op::kSubtract)))
    return false;
  out = Scalar(result);
  return true;
}

bool apply_truths(Op op, bool x, bool y, Scalar& out) {
  switch (op) {
    case Op::kBitwiseAnd:
      out = Scalar(x && y);
      return true;
    case Op::kBitwiseOr:
      out = Scalar(x || y);
      return true;
    case Op::kBitwiseXor:
      out = Scalar(x != y);
      return true;
    default:
      return compare(op, x, y, out);
  }
}

template <class T>
bool apply_integer(Op op, T x, Scalar& out) {
  T result = x;
  switch (op) {
    case Op::kNegative:
      if (__builtin_sub_overflow(T(0), x, &result)) return false;
      break;
    case Op::kAbsolute:
      if (x < 0 && __builtin_sub_overflow(T(0), x, &result)) return false;
      break;
    case Op::kInvert:
      result = static_cast<T>(~x);
      break;
    case Op::kPositive:
      break;
    default:
      return false;
  }
  out = Scalar(result);
  return true;
}

template <class T>
bool apply_float(Op op, T x, Scalar& out) {
  switch (op) {
    case Op::kNegative:
      out = Scalar(-x);
      return true;
    case Op::kAbsolute:
      out = Scalar(std::fabs(x));
      return true;
    case Op::kPositive:
      out = Scalar(x);
      return true;
    default:
      return false;
  }
}

// Of two elements of one type.
bool apply_alike(Op op, const Scalar& a, const Scalar& b, Scalar& out) {
  return dispatch(a.dtype(), [&]<class T>(T) {
    if constexpr (std::is_same_v<T, bool>)
      return apply_truths(op, a.get<T>(), b.get<T>(), out);
    else if constexpr (std::is_integral_v<T>)
      return apply_integers(op, a.get<T>(), b.get<T>(), out);
    else if constexpr (std::is_floating_point_v<T>)
      return apply_floats(op, a.get<T>(), b.get<T>(), out);
    else
      return false;
  });
}

}  // namespace

// The order of integers beyond a type's own is not decided in the wider type.
bool apply_quickly(Op op, const Scalar& a, const Scalar& b, Scalar& out) {
  if (a.dtype() == b.dtype()) return apply_alike(op, a, b, out);
  DType common = promote(a.dtype(), b.dtype());
  if (common == a.dtype()) return apply_alike(op, a, b.as(common), out);
  return common == b.dtype() && apply_alike(op, a.as(common), b, out);
}

bool apply_quickly(Op op, const Scalar& a, Scalar& out) {
  return dispatch(a.dtype(), [&]<class T>(T) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return apply_integer(op, a.get<T>(), out);
    else if constexpr (std::is_floating_point_v<T>)
      return apply_float(op, a.get<T>(), out);
    else
      return false;
  });
}

}  // namespace strider::nd
