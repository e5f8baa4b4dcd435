// The module cmath: functions of complex numbers.
#include <complex>

#include "interpreter/builtins/modules/numbers/complex_functions.h"
#include "interpreter/builtins/modules/numbers/math_support.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

using Number = std::complex<double>;

Number complex_argument(const Value& value) {
  Number number;
  if (try_complex(value, number)) return number;
  Value method = find_special(value, names().complex);
  if (!method.is_empty() && try_complex(call(method), number)) return number;
  return {to_double(value), 0.0};
}

bool is_finite(Number z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }
bool has_nan(Number z) { return std::isnan(z.real()) || std::isnan(z.imag()); }
bool has_infinity(Number z) { return std::isinf(z.real()) || std::isinf(z.imag()); }

// New NaNs are domain errors; new infinities of finite numbers are range errors.
Value checked(Number argument, Number result) {
  if (has_nan(result) && !has_nan(argument)) raise_domain_error();
  if (has_infinity(result) && is_finite(argument)) raise_range_error();
  return make_complex(result);
}

template <Number (*kFunction)(const Number&)>
Value complex_function(const Parameters& p) {
  Number z = complex_argument(p[0]);
  return checked(z, kFunction(z));
}

// log has a pole at zero; atanh at 1 and -1, atan at i and -i.
Number log_of(const Number& z) {
  if (z == 0.0) raise_domain_error();
  return complex_log(z);
}

Number atanh_of(const Number& z) {
  if (z.imag() == 0.0 && std::fabs(z.real()) == 1.0) raise_domain_error();
  return complex_atanh(z);
}

Number atan_of(const Number& z) {
  if (z.real() == 0.0 && std::fabs(z.imag()) == 1.0) raise_domain_error();
  return complex_atan(z);
}

Number log10_of(const Number& z) {
  if (z == 0.0) raise_domain_error();
  Number result = complex_log(z);
  return {result.real() / M_LN10, result.imag() / M_LN10};
}

Value cmath_log(const Parameters& p) {
  Number z = complex_argument(p[0]), result = log_of(z);
  if (!p.has(1)) return checked(z, result);
  Number base = complex_argument(p[1]), divisor = log_of(base);
  return complex_binary(BinaryOperator::kDiv, result, divisor);
}

Value cmath_phase(const Parameters& p) {
  Number z = complex_argument(p[0]);
  return Value::real(std::atan2(z.imag(), z.real()));
}

Value cmath_polar(const Parameters& p) {
  Number z = complex_argument(p[0]);
  double radius = std::hypot(z.real(), z.imag());
  if (std::isinf(radius) && is_finite(z)) raise_range_error();
  return make_tuple({Value::real(radius), Value::real(std::atan2(z.imag(), z.real()))});
}

Value cmath_rect(const Parameters& p) {
  double radius = to_double(p[0]), angle = to_double(p[1]);
  if (std::isinf(angle) && radius != 0.0 && !std::isnan(radius)) raise_domain_error();
  if (angle == 0.0) return make_complex({radius, radius * angle});
  return make_complex({radius * std::cos(angle), radius * std::sin(angle)});
}

Value cmath_isclose(const Parameters& p) {
  Number a = complex_argument(p[0]), b = complex_argument(p[1]);
  double relative = to_double(p[2]), absolute = to_double(p[3]);
  if (relative < 0.0 || absolute < 0.0)
    raise(errors::ValueError, "tolerances must be non-negative");
  if (a == b) return Value::boolean(true);
  if (has_infinity(a) || has_infinity(b)) return Value::boolean(false);
  return Value::boolean(
      within_tolerance(std::abs(a - b), std::abs(a), std::abs(b), relative, absolute));
}

template <bool (*kTest)(Number)>
Value test(const Parameters& p) {
  return Value::boolean(kTest(complex_argument(p[0])));
}

const NativeRow kFunctions[] = {
    {"acos(z, /)", complex_function<complex_acos>, "Arc cosine."},
    {"acosh(z, /)", complex_function<complex_acosh>, "Inverse hyperbolic cosine."},
    {"asin(z, /)", complex_function<complex_asin>, "Arc sine."},
    {"asinh(z, /)", complex_function<complex_asinh>, "Inverse hyperbolic sine."},
    {"atan(z, /)", complex_function<atan_of>, "Arc tangent."},
    {"atanh(z, /)", complex_function<atanh_of>, "Inverse hyperbolic tangent."},
    {"cos(z, /)", complex_function<std::cos<double>>, "Cosine."},
    {"cosh(z, /)", complex_function<std::cosh<double>>, "Hyperbolic cosine."},
    {"exp(z, /)", complex_function<std::exp<double>>, "e to the power z."},
    {"isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0)", cmath_isclose,
     "Whether two numbers are nearly equal."},
    {"isfinite(z, /)", test<is_finite>, "Whether both parts are finite."},
    {"isinf(z, /)", test<has_infinity>, "Whether a part is infinite."},
    {"isnan(z, /)", test<has_nan>, "Whether a part is NaN."},
    {"log(z, base=<none>, /)", cmath_log, "Logarithm, natural or to a base."},
    {"log10(z, /)", complex_function<log10_of>, "Logarithm to base 10."},
    {"phase(z, /)", cmath_phase, "The angle of a number."},
    {"polar(z, /)", cmath_polar, "Length and angle."},
    {"rect(r, phi, /)", cmath_rect, "The number with a length and an angle."},
    {"sin(z, /)", complex_function<std::sin<double>>, "Sine."},
    {"sinh(z, /)", complex_function<std::sinh<double>>, "Hyperbolic sine."},
    {"sqrt(z, /)", complex_function<complex_sqrt>, "Square root."},
    {"tan(z, /)", complex_function<complex_tan>, "Tangent."},
    {"tanh(z, /)", complex_function<complex_tanh>, "Hyperbolic tangent."},
};

const ConstantRow kConstants[] = {
    {"pi", [] { return Value::real(M_PI); }},
    {"e", [] { return Value::real(M_E); }},
    {"tau", [] { return Value::real(2.0 * M_PI); }},
    {"inf", [] { return Value::real(HUGE_VAL); }},
    {"nan", [] { return Value::real(std::nan("")); }},
    {"infj",
     [] {
       return make_complex({0.0, HUGE_VAL});
     }},
    {"nanj",
     [] {
       return make_complex({0.0, std::nan("")});
     }},
};

}  // namespace

const NativeModule kCmathModule = {"cmath", "Functions of complex numbers.", kFunctions,
                                   kConstants};

}  // namespace strider::lang
