// str and repr of NumPy scalars.
#include <strider/nd/format.h>

#include <cmath>

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

std::string real_text(const Real& number, Trim trim, bool sign) {
  FloatFormat format;
  format.sign = sign;
  double magnitude = std::fabs(number.value);
  bool positional =
      magnitude == 0 || (magnitude >= 1e-4 && magnitude < exponent_threshold(number.dtype));
  format.trim = positional ? trim : Trim::kAll;
  if (number.float_class() != FloatClass::kFinite || positional)
    return format::positional_text(number, format);
  return format::scientific_text(number, format);
}

std::string complex_text(const Scalar& value) {
  std::complex<double> z = value.to_complex();
  DType part = real_of(value.dtype());
  std::string imaginary = real_text({z.imag(), part}, Trim::kAll, false);
  if (z.real() == 0 && !std::signbit(z.real())) return imaginary + "j";
  bool bare = imaginary[0] != '-';
  std::string text = "(" + real_text({z.real(), part}, Trim::kAll, false);
  return text + (bare ? "+" : "") + imaginary + "j)";
}

}  // namespace

std::string scalar_str(const Scalar& value) {
  switch (category(value.dtype())) {
    case Category::kBoolean:
      return value.truth() ? "True" : "False";
    case Category::kUnsigned:
      return std::to_string(value.as(DType::kUInt64).get<std::uint64_t>());
    case Category::kSigned:
      return std::to_string(value.as(DType::kInt64).get<std::int64_t>());
    case Category::kFloating:
      return real_text(Real::from(value), Trim::kOneZero, false);
    case Category::kComplex:
      return complex_text(value);
  }
  return {};
}

std::string scalar_repr(const Scalar& value) {
  std::string text = scalar_str(value);
  if (value.dtype() == DType::kBool) return "np." + text + "_";
  std::string type(name(value.dtype()));
  if (text.front() == '(') return "np." + type + text;
  return "np." + type + "(" + text + ")";
}

}  // namespace strider::nd
