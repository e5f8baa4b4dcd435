// Floats and complex numbers: their types and arithmetic as CPython defines it.
#pragma once

#include <complex>
#include <string_view>

#include "interpreter/runtime/slots.h"
#include "interpreter/runtime/value.h"

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

// Arithmetic of two floats; ZeroDivisionError, OverflowError and complex results as CPython.
Value float_binary(BinaryOperator op, double left, double right);
double float_modulo(double left, double right);
double float_floor_divide(double left, double right);
Value float_power(double base, double exponent);
// float(text): "inf", "nan", underscores, white space; ValueError otherwise.
double parse_float(std::string_view text);

}  // namespace strider::lang
