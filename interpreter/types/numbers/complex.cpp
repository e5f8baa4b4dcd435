// Complex numbers: arithmetic as CPython's complexobject defines it.
#include <cmath>

#include "interpreter/runtime/error/error.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/unicode.h"

namespace strider::lang {

using Number = std::complex<double>;

Complex::Complex(Number value, Type* type)
    : Object(Layout::kComplex, type ? type : &type_object()), value(value) {}

Value make_complex(Number value) { return make<Complex>(value); }

bool try_complex(const Value& value, Number& result) {
  if (value.has_layout(Layout::kComplex))
    result = value.as<Complex>()->value;
  else if (value.is_int())
    result = static_cast<double>(value.as_int());
  else if (is_float(value))
    result = float_value(value);
  else if (is_integer(value))
    result = integer_to_double(exact_int(value));
  else
    return false;
  return true;
}

namespace {

Number multiply(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Scales by the larger part of the divisor (R. L. Smith, "Algorithm 116: Complex division").
Number divide(Number a, Number b) {
  double real = std::fabs(b.real()), imag = std::fabs(b.imag());
  if (real >= imag) {
    if (real == 0) raise(errors::ZeroDivisionError, "complex division by zero");
    double ratio = b.imag() / b.real(), divisor = b.real() + b.imag() * ratio;
    return {(a.real() + a.imag() * ratio) / divisor, (a.imag() - a.real() * ratio) / divisor};
  }
  if (imag >= real) {
    double ratio = b.real() / b.imag(), divisor = b.real() * ratio + b.imag();
    return {(a.real() * ratio + a.imag()) / divisor, (a.imag() * ratio - a.real()) / divisor};
  }
  return {NAN, NAN};
}

Number whole_power(Number base, std::int64_t exponent) {
  bool inverse = exponent < 0;
  if (inverse) exponent = -exponent;
  Number result = 1, square = base;
  for (std::int64_t mask = 1; mask <= exponent; mask <<= 1) {
    if (exponent & mask) result = multiply(result, square);
    square = multiply(square, square);
  }
  return inverse ? divide(1, result) : result;
}

Number general_power(Number base, Number exponent) {
  if (exponent == 0.0) return 1;
  if (base == 0.0) {
    if (exponent.imag() != 0 || exponent.real() < 0)
      raise(errors::ZeroDivisionError, "0.0 to a negative or complex power");
    return 0;
  }
  double size = std::hypot(base.real(), base.imag());
  double length = std::pow(size, exponent.real());
  double angle = std::atan2(base.imag(), base.real());
  double phase = angle * exponent.real();
  if (exponent.imag() != 0) {
    length /= std::exp(angle * exponent.imag());
    phase += exponent.imag() * std::log(size);
  }
  if (std::isinf(phase))
    raise(errors::ZeroDivisionError, "0.0 to a negative or complex power");
  return {length * std::cos(phase), length * std::sin(phase)};
}

Number power(Number base, Number exponent) {
  bool small = exponent.imag() == 0 && exponent.real() == std::floor(exponent.real()) &&
               std::fabs(exponent.real()) <= 100;
  if (base == 0.0 && small && exponent.real() < 0)
    raise(errors::ZeroDivisionError, "0.0 to a negative or complex power");
  Number result = small ? whole_power(base, static_cast<std::int64_t>(exponent.real()))
                        : general_power(base, exponent);
  if (std::isinf(result.real()) || std::isinf(result.imag()))
    raise(errors::OverflowError, "complex exponentiation");
  return result;
}

}  // namespace

Value complex_binary(BinaryOperator op, Number left, Number right) {
  switch (op) {
    case BinaryOperator::kAdd:
      return make_complex(left + right);
    case BinaryOperator::kSub:
      return make_complex(left - right);
    case BinaryOperator::kMult:
      return make_complex(multiply(left, right));
    case BinaryOperator::kDiv:
      return make_complex(divide(left, right));
    case BinaryOperator::kPow:
      return make_complex(power(left, right));
    default:
      return Value();
  }
}

namespace {

std::string part_text(double value) {
  std::string text = float_repr(value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

}  // namespace

std::string complex_repr(Number value) {
  std::string imaginary = part_text(value.imag()) + "j";
  if (value.real() == 0 && !std::signbit(value.real())) return imaginary;
  if (imaginary[0] != '-') imaginary.insert(0, "+");
  return "(" + part_text(value.real()) + imaginary + ")";
}

namespace {

[[noreturn]] void raise_malformed() {
  raise(errors::ValueError, "complex() arg is a malformed string");
}

// The length of the signed number at the start of the text, 0 if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t i = 0;
  auto digits = [&] {
    std::size_t start = i;
    while (i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) || text[i] == '_'))
      ++i;
    return i > start;
  };
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  std::string rest;
  for (std::size_t k = i; k < text.size() && k < i + 8; ++k)
    rest += static_cast<char>(text[k] | 0x20);
  for (std::string_view word : {"infinity", "inf", "nan"})
    if (rest.starts_with(word)) return i + word.size();
  bool any = digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    any |= digits();
  }
  if (!any) return 0;
  std::size_t end = i;
  if (i < text.size() && (text[i] | 0x20) == 'e') {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits()) end = i;
  }
  return end;
}

bool is_imaginary_unit(std::string_view text) { return text == "j" || text == "J"; }

double part_value(std::string_view text) {
  double result;
  if (!try_parse_float(text, result)) raise_malformed();
  return result;
}

// "j", "+j", "2.5j": what stands before the unit, one if only a sign.
double imaginary_value(std::string_view text, std::size_t length) {
  if (length > 0) return part_value(text.substr(0, length));
  return text.starts_with('-') ? -1.0 : 1.0;
}

bool is_bare_unit(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return is_imaginary_unit(text);
}

}  // namespace

Number parse_complex(std::string_view original) {
  std::string ascii = ascii_digits(original);
  std::string_view text = strip_space(ascii);
  if (text.starts_with('(')) {
    if (!text.ends_with(')')) raise_malformed();
    text = strip_space(text.substr(1, text.size() - 2));
  }
  std::size_t length = number_length(text);
  if (length == text.size() && length > 0) return {part_value(text), 0};
  if (is_bare_unit(text)) return {0, imaginary_value(text, 0)};
  if (length == 0) raise_malformed();
  std::string_view rest = text.substr(length);
  if (is_imaginary_unit(rest)) return {0, imaginary_value(text, length)};
  double real = part_value(text.substr(0, length));
  if (rest[0] != '+' && rest[0] != '-') raise_malformed();
  if (is_bare_unit(rest)) return {real, imaginary_value(rest, 0)};
  length = number_length(rest);
  if (length == 0 || !is_imaginary_unit(rest.substr(length))) raise_malformed();
  return {real, imaginary_value(rest, length)};
}

}  // namespace strider::lang
