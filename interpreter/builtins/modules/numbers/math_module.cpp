// The module math: real functions with CPython's errors for poles and domains.
#include <algorithm>
#include <array>
#include <cfloat>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/numbers/gamma.h"
#include "interpreter/builtins/modules/numbers/math_support.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

// A function of one double; a new infinity is a range error (kOverflows) or a domain error.
template <double (*kFunction)(double), bool kOverflows>
Value real_function(const Parameters& p) {
  double x = p[0].is_float() ? p[0].as_float() : to_double(p[0]);
  double result = kFunction(x);
  if (std::isnan(result) && !std::isnan(x)) raise_domain_error();
  if (std::isinf(result) && std::isfinite(x)) {
    if (kOverflows) raise_range_error();
    raise_domain_error();
  }
  return Value::real(result);
}

double degrees_of(double x) { return x * (180.0 / M_PI); }
double radians_of(double x) { return x * (M_PI / 180.0); }

// Gamma; exact for small whole numbers.
double gamma_of(double x) {
  if (std::isnan(x) || x == HUGE_VAL) return x;
  if (x == 0.0 || (x < 0.0 && (x == std::floor(x) || std::isinf(x)))) raise_domain_error();
  if (x == std::floor(x) && x <= 23.0) {
    double product = 1.0;
    for (double factor = 2.0; factor < x; ++factor) product *= factor;
    return product;
  }
  return gamma_of_real(x);
}

double log_gamma_of(double x) {
  if (std::isinf(x)) return HUGE_VAL;
  if (x == std::floor(x) && x <= 2.0) {
    if (x <= 0.0) raise_domain_error();
    return 0.0;
  }
  return log_gamma_of_real(x);
}

// log of a number of any size; `function` serves doubles.
double log_of(const Value& value, double (*function)(double)) {
  if (!is_integer(value)) {
    double x = to_double(value);
    if (std::isnan(x)) return x;
    if (x <= 0.0) raise_domain_error();
    return function(x);
  }
  Value number = exact_int(value);
  if (integer_is_negative(number) || (number.is_int() && number.as_int() == 0))
    raise_domain_error();
  std::int64_t bits = bit_length(number);
  if (bits <= 1023) return function(integer_to_double(number));
  std::int64_t shift = bits - 60;
  Integer high = to_integer(number) >> static_cast<unsigned>(shift);
  return function(high.convert_to<double>()) + function(2.0) * static_cast<double>(shift);
}

Value math_log(const Parameters& p) {
  double numerator = log_of(p[0], std::log);
  if (!p.has(1)) return Value::real(numerator);
  double denominator = log_of(p[1], std::log);
  if (denominator == 0.0) raise(errors::ZeroDivisionError, "float division by zero");
  return Value::real(numerator / denominator);
}

template <double (*kFunction)(double)>
Value log_in_base(const Parameters& p) {
  return Value::real(log_of(p[0], kFunction));
}

// floor, ceil and trunc: ints stay, floats become ints, other types have their own method.
template <double (*kFunction)(double)>
Value to_whole(const Value& value, const char* method_name, bool needs_method) {
  if (value.is_float()) return integer_from_double(kFunction(value.as_float()));
  if (is_integer(value)) return exact_int(value);
  Value method = find_special(value, intern(method_name));
  if (!method.is_empty()) return call(method);
  if (needs_method)
    raise(errors::TypeError, "type {} doesn't define {} method", type_name(value), method_name);
  return integer_from_double(kFunction(to_double(value)));
}

Value math_floor(const Parameters& p) { return to_whole<std::floor>(p[0], "__floor__", false); }
Value math_ceil(const Parameters& p) { return to_whole<std::ceil>(p[0], "__ceil__", false); }
Value math_trunc(const Parameters& p) { return to_whole<std::trunc>(p[0], "__trunc__", true); }

Value math_pow(const Parameters& p) {
  double x = to_double(p[0]), y = to_double(p[1]);
  double result = std::pow(x, y);
  if (std::isfinite(x) && std::isfinite(y)) {
    if (std::isnan(result)) raise_domain_error();
    if (std::isinf(result)) {
      if (x == 0.0) raise_domain_error();
      raise_range_error();
    }
  }
  return Value::real(result);
}

template <double (*kFunction)(double, double)>
Value quiet_function_of_two(const Parameters& p) {
  return Value::real(kFunction(to_double(p[0]), to_double(p[1])));
}

template <double (*kFunction)(double, double)>
Value remainder_function(const Parameters& p) {
  double x = to_double(p[0]), y = to_double(p[1]);
  double result = kFunction(x, y);
  if (std::isnan(result) && !std::isnan(x) && !std::isnan(y)) raise_domain_error();
  return Value::real(result);
}

Value math_ldexp(const Parameters& p) {
  double x = to_double(p[0]);
  if (!is_integer(p[1])) raise(errors::TypeError, "Expected an int as second argument to ldexp.");
  Value exponent = exact_int(p[1]);
  if (x == 0.0 || !std::isfinite(x)) return Value::real(x);
  std::int64_t shift = to_clamped_index(exponent);
  double result = std::ldexp(x, static_cast<int>(std::clamp<std::int64_t>(shift, -100000, 100000)));
  if (std::isinf(result)) raise_range_error();
  return Value::real(result);
}

Value math_frexp(const Parameters& p) {
  int exponent = 0;
  double x = to_double(p[0]);
  double mantissa = std::isfinite(x) ? std::frexp(x, &exponent) : x;
  return make_tuple({Value::real(mantissa), Value::integer(exponent)});
}

Value math_modf(const Parameters& p) {
  double whole, fraction = std::modf(to_double(p[0]), &whole);
  return make_tuple({Value::real(fraction), Value::real(whole)});
}

Value math_isclose(const Parameters& p) {
  double a = to_double(p[0]), b = to_double(p[1]);
  double relative = to_double(p[2]), absolute = to_double(p[3]);
  if (relative < 0.0 || absolute < 0.0)
    raise(errors::ValueError, "tolerances must be non-negative");
  if (a == b) return Value::boolean(true);
  if (std::isinf(a) || std::isinf(b)) return Value::boolean(false);
  return Value::boolean(within_tolerance(std::fabs(b - a), a, b, relative, absolute));
}

Value math_ulp(const Parameters& p) {
  double x = std::fabs(to_double(p[0]));
  if (!std::isfinite(x)) return Value::real(x);
  if (x == DBL_MAX) return Value::real(x - std::nextafter(x, 0.0));
  return Value::real(std::nextafter(x, HUGE_VAL) - x);
}

Value math_isfinite(const Parameters& p) { return Value::boolean(std::isfinite(to_double(p[0]))); }
Value math_isinf(const Parameters& p) { return Value::boolean(std::isinf(to_double(p[0]))); }
Value math_isnan(const Parameters& p) { return Value::boolean(std::isnan(to_double(p[0]))); }

const NativeRow kFunctions[] = {
    {"acos(x, /)", real_function<std::acos, false>, "Arc cosine in radians."},
    {"acosh(x, /)", real_function<std::acosh, false>, "Inverse hyperbolic cosine."},
    {"asin(x, /)", real_function<std::asin, false>, "Arc sine in radians."},
    {"asinh(x, /)", real_function<std::asinh, false>, "Inverse hyperbolic sine."},
    {"atan(x, /)", real_function<std::atan, false>, "Arc tangent in radians."},
    {"atan2(y, x, /)", quiet_function_of_two<std::atan2>, "Angle of the point (x, y)."},
    {"atanh(x, /)", real_function<std::atanh, false>, "Inverse hyperbolic tangent."},
    {"cbrt(x, /)", real_function<std::cbrt, false>, "Cube root."},
    {"ceil(x, /)", math_ceil, "The least integer >= x."},
    {"copysign(x, y, /)", quiet_function_of_two<std::copysign>, "abs(x) with the sign of y."},
    {"cos(x, /)", real_function<std::cos, false>, "Cosine of an angle in radians."},
    {"cosh(x, /)", real_function<std::cosh, true>, "Hyperbolic cosine."},
    {"degrees(x, /)", real_function<degrees_of, true>, "Radians as degrees."},
    {"erf(x, /)", real_function<std::erf, false>, "Error function."},
    {"erfc(x, /)", real_function<std::erfc, false>, "1 - erf(x)."},
    {"exp(x, /)", real_function<std::exp, true>, "e to the power x."},
    {"exp2(x, /)", real_function<std::exp2, true>, "2 to the power x."},
    {"expm1(x, /)", real_function<std::expm1, true>, "exp(x) - 1."},
    {"fabs(x, /)", real_function<std::fabs, false>, "Absolute value as a float."},
    {"floor(x, /)", math_floor, "The largest integer <= x."},
    {"fmod(x, y, /)", remainder_function<std::fmod>, "Remainder with the sign of x."},
    {"frexp(x, /)", math_frexp, "Mantissa and exponent (m, e): x == m * 2**e."},
    {"gamma(x, /)", real_function<gamma_of, true>, "Gamma function."},
    {"isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0)", math_isclose,
     "Whether two numbers are nearly equal."},
    {"isfinite(x, /)", math_isfinite, "Whether x is neither infinite nor NaN."},
    {"isinf(x, /)", math_isinf, "Whether x is an infinity."},
    {"isnan(x, /)", math_isnan, "Whether x is NaN."},
    {"ldexp(x, i, /)", math_ldexp, "x * 2**i."},
    {"lgamma(x, /)", real_function<log_gamma_of, true>, "Logarithm of abs(gamma(x))."},
    {"log(x, base=<none>, /)", math_log, "Logarithm, natural or to a base."},
    {"log10(x, /)", log_in_base<std::log10>, "Logarithm to base 10."},
    {"log1p(x, /)", real_function<std::log1p, false>, "log(1 + x)."},
    {"log2(x, /)", log_in_base<std::log2>, "Logarithm to base 2."},
    {"modf(x, /)", math_modf, "Fractional and whole part."},
    {"nextafter(x, y, /)", quiet_function_of_two<std::nextafter>, "The float after x towards y."},
    {"pow(x, y, /)", math_pow, "x to the power y as a float."},
    {"radians(x, /)", real_function<radians_of, false>, "Degrees as radians."},
    {"remainder(x, y, /)", remainder_function<std::remainder>, "IEEE 754 remainder."},
    {"sin(x, /)", real_function<std::sin, false>, "Sine of an angle in radians."},
    {"sinh(x, /)", real_function<std::sinh, true>, "Hyperbolic sine."},
    {"sqrt(x, /)", real_function<std::sqrt, false>, "Square root."},
    {"tan(x, /)", real_function<std::tan, false>, "Tangent of an angle in radians."},
    {"tanh(x, /)", real_function<std::tanh, false>, "Hyperbolic tangent."},
    {"trunc(x, /)", math_trunc, "The integer part."},
    {"ulp(x, /)", math_ulp, "Value of the last bit of x."},
};

const ConstantRow kConstants[] = {
    {"pi", [] { return Value::real(M_PI); }},
    {"e", [] { return Value::real(M_E); }},
    {"tau", [] { return Value::real(2.0 * M_PI); }},
    {"inf", [] { return Value::real(HUGE_VAL); }},
    {"nan", [] { return Value::real(std::nan("")); }},
};

std::array<std::span<const NativeRow>, 2> more_functions() {
  return {std::span(kIntegerMathFunctions, kIntegerMathFunctionCount),
          std::span(kSumMathFunctions, kSumMathFunctionCount)};
}

Value find_more(Name name) {
  for (std::span<const NativeRow> rows : more_functions()) {
    Value function = make_native_function(rows, name, "math");
    if (!function.is_empty()) return function;
  }
  return Value();
}

void list_more(std::vector<std::string_view>& names) {
  for (std::span<const NativeRow> rows : more_functions()) list_function_names(rows, names);
}

}  // namespace

const NativeModule kMathModule = {"math",     "Mathematical functions of real numbers.",
                                  kFunctions, kConstants,
                                  find_more,  list_more};

}  // namespace strider::lang
