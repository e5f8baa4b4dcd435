// str and repr of NumPy scalars.
#include <strider/nd/format.h>

#include <cmath>
#include <cstdio>

#include "kernels/format/float_text.h"

namespace strider::nd {
namespace {

using format::FloatClass;
using format::Real;

// From this magnitude on, a type prints with an exponent.
double exponent_threshold(DType dtype) {
  if (dtype == DType::kFloat16) return 1e3;
  return dtype == DType::kFloat32 ? 1e6 : 1e16;
}

std::string real_text(const Real& number, Trim trim, Manner manner) {
  FloatFormat format;
  double magnitude = std::fabs(number.value);
  double most = manner == Manner::kCurrent ? exponent_threshold(number.dtype) : 1e16;
  bool positional = magnitude == 0 || (magnitude >= 1e-4 && magnitude < most);
  format.trim = positional ? trim : Trim::kAll;
  if (number.float_class() != FloatClass::kFinite || positional)
    return format::positional_text(number, format);
  return format::scientific_text(number, format);
}

std::string complex_text(const Scalar& value, Manner manner) {
  std::complex<double> z = value.to_complex();
  DType part = real_of(value.dtype());
  std::string imaginary = real_text({z.imag(), part}, Trim::kAll, manner);
  if (z.real() == 0 && !std::signbit(z.real())) return imaginary + "j";
  bool bare = imaginary[0] != '-';
  std::string text = "(" + real_text({z.real(), part}, Trim::kAll, manner);
  return text + (bare ? "+" : "") + imaginary + "j)";
}

// "%.12g" with something that tells it from a whole number.
std::string old_real_text(double value, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  std::string result = text;
  if (result.find_first_not_of("+-0123456789") == std::string::npos) result += ".0";
  return result;
}

std::string old_complex_text(std::complex<double> z, int digits) {
  char text[96];
  const char* end = std::isfinite(z.imag()) ? "j" : "*j";
  if (z.real() == 0 && !std::signbit(z.real()))
    std::snprintf(text, sizeof text, "%.*g%s", digits, z.imag(), end);
  else
    std::snprintf(text, sizeof text, "(%.*g%+.*g%s)", digits, z.real(), digits, z.imag(), end);
  return text;
}

// NumPy 1.13 gave as many digits as a type has, whatever the number needs.
std::string old_text(const Scalar& value, bool repr) {
  DType part = real_of(value.dtype());
  int digits = part == DType::kFloat16   ? 5
               : part == DType::kFloat32 ? (repr ? 8 : 6)
                                         : (repr ? 17 : 12);
  if (is_complex(value.dtype())) return old_complex_text(value.to_complex(), digits);
  return old_real_text(value.to_double(), digits);
}

}  // namespace

std::string scalar_str(const Scalar& value, Manner manner) {
  if (manner == Manner::k1_13 && is_inexact(value.dtype())) return old_text(value, false);
  switch (category(value.dtype())) {
    case Category::kBoolean:
      return value.truth() ? "True" : "False";
    case Category::kUnsigned:
      return std::to_string(value.as(DType::kUInt64).get<std::uint64_t>());
    case Category::kSigned:
      return std::to_string(value.as(DType::kInt64).get<std::int64_t>());
    case Category::kFloating:
      return real_text(Real::from(value), Trim::kOneZero, manner);
    case Category::kComplex:
      return complex_text(value, manner);
  }
  return {};
}

std::string scalar_repr(const Scalar& value, Manner manner) {
  if (manner == Manner::k1_13 && is_inexact(value.dtype())) return old_text(value, true);
  std::string text = scalar_str(value, manner);
  if (manner <= Manner::k1_25) return text;
  if (value.dtype() == DType::kBool) return "np." + text + "_";
  std::string type(name(value.dtype()));
  if (text.front() == '(') return "np." + type + text;
  return "np." + type + "(" + text + ")";
}

}  // namespace strider::nd
