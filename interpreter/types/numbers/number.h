// Floats and complex numbers: their types and arithmetic as CPython defines it.
#pragma once

#include <complex>
#include <string>
#include <string_view>

#include "interpreter/runtime/type/slots.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Complex : public Object {
 public:
  explicit Complex(std::complex<double> value, Type* type = nullptr);
  static Type& type_object();
  const std::complex<double> value;
};

// An instance of a subclass of float.
class FloatBox : public Object {
 public:
  FloatBox(double value, Type* type);
  const double value;
};

Type& float_type();
Value make_complex(std::complex<double> value);

// True for floats and instances of subclasses of float.
inline bool is_float(const Value& value) {
  return value.is_float() || value.has_layout(Layout::kFloatBox);
}
inline double float_value(const Value& value) {
  return value.is_float() ? value.as_float() : value.as<FloatBox>()->value;
}

// Arithmetic of two floats; ZeroDivisionError, OverflowError and complex results as CPython.
Value float_binary(BinaryOperator op, double left, double right);
double float_modulo(double left, double right);
double float_floor_divide(double left, double right);
Value float_power(double base, double exponent);
// float(text): "inf", "nan", underscores, white space; ValueError otherwise.
double parse_float(std::string_view text);
// The same without an error: false if the text is no float.
bool try_parse_float(std::string_view text, double& result);
// float.hex() and float.fromhex().
std::string float_hex(double value);
double parse_float_hex(std::string_view text);
// round(value, digits): correctly rounded, half to even of the exact decimal value.
double round_float(double value, std::int64_t digits);

// Arithmetic of complex numbers; ZeroDivisionError, OverflowError. Empty for // and %.
Value complex_binary(BinaryOperator op, std::complex<double> left, std::complex<double> right);
// A number (complex, float, int or a subclass) as complex; false for anything else.
bool try_complex(const Value& value, std::complex<double>& result);
// repr of a complex number: "(1+2j)".
std::string complex_repr(std::complex<double> value);
// complex(text); ValueError "complex() arg is a malformed string".
std::complex<double> parse_complex(std::string_view text);

}  // namespace strider::lang
