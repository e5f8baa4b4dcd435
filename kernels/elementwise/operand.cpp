// Operands: their common element type (NEP 50) and their values in it.
#include <strider/nd/error.h>
#include <strider/nd/floating_errors.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <string>

#include "kernels/elementwise/types.h"

namespace strider::nd {
namespace {

using Kind = Operand::Kind;

[[noreturn]] void throw_too_large() {
  throw Error(ErrorKind::kOverflow, "Python int too large to convert to C long");
}

std::string decimal(const Scalar& value) {
  if (value.dtype() == DType::kUInt64) return std::to_string(value.get<std::uint64_t>());
  return std::to_string(value.get<std::int64_t>());
}

// Integers are read as C's long first, those of uint32 and uint64 as its unsigned long.
[[noreturn]] void throw_out_of_bounds(const Operand& operand, DType dtype) {
  if (operand.kind() == Kind::kTooBig) throw_too_large();
  if (operand.dtype() == DType::kUInt64 && dtype != DType::kUInt32) throw_too_large();
  throw Error(ErrorKind::kOverflow, "Python integer " + decimal(operand.scalar()) +
                                        " out of bounds for " + std::string(name(dtype)));
}

template <class T>
bool fits(const Scalar& value) {
  if (value.dtype() == DType::kUInt64) {
    return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  }
  auto number = value.get<std::int64_t>();
  if constexpr (std::is_same_v<T, std::uint64_t>)
    return number >= 0;
  else
    return number >= std::numeric_limits<T>::min() && number <= std::numeric_limits<T>::max();
}

// A weak number that does not fit a narrower inexact type overflows as a cast.
Scalar convert_inexact(const Scalar& value, DType dtype) {
  if (value.dtype() == dtype) return value;
  clear_floating_errors();
  Scalar converted = value.as(dtype);
  FloatingErrors errors = take_floating_errors();
  auto finite = [](std::complex<double> number) {
    return std::isfinite(number.real()) && std::isfinite(number.imag());
  };
  if (finite(value.to_complex()) && !finite(converted.to_complex()))
    errors.flags |= FloatingErrors::kOverflow;
  deliver_floating_errors(errors, "cast");
  return converted;
}

Scalar convert_big(const Operand& operand, DType dtype) {
  if (is_inexact(dtype)) {
    double value = std::strtod(std::string(operand.digits()).c_str(), nullptr);
    if (!std::isfinite(value))
      throw Error(ErrorKind::kOverflow, "int too large to convert to float");
    return convert_inexact(Scalar(value), dtype);
  }
  if (dtype == DType::kBool) return Scalar(true);
  throw_out_of_bounds(operand, dtype);
}

}  // namespace

bool weak_integer_fits(const Operand& operand, DType dtype) {
  if (operand.kind() == Kind::kTooBig) return !is_integer(dtype);
  return dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return fits<T>(operand.scalar());
    else
      return true;
  });
}

DType result_type(std::span<const Operand> operands) {
  bool strong = false;
  DType dtype = DType::kBool;
  Kind weakest = Kind::kArray;
  bool unsigned_only = false;
  for (const Operand& operand : operands) {
    if (!operand.is_weak()) {
      dtype = strong ? promote(dtype, operand.dtype()) : operand.dtype();
      strong = true;
      continue;
    }
    unsigned_only |= operand.dtype() == DType::kUInt64;
    weakest = std::max(weakest, operand.kind());
  }
  bool integer_or_bool = !strong || !is_inexact(dtype);
  switch (weakest) {
    case Kind::kWeakInteger:
      if (!strong && unsigned_only) throw_too_large();
      return strong && dtype != DType::kBool ? dtype : DType::kInt64;
    case Kind::kTooBig:
      return strong && dtype != DType::kBool ? dtype : DType::kInt64;
    case Kind::kWeakFloat:
      return integer_or_bool ? DType::kFloat64 : dtype;
    case Kind::kWeakComplex:
      return integer_or_bool ? DType::kComplex128 : complex_of(dtype);
    default:
      return dtype;
  }
}

Scalar convert_operand(const Operand& operand, DType dtype) {
  switch (operand.kind()) {
    case Kind::kArray:
      return operand.array().item().as(dtype);
    case Kind::kWeakInteger:
      if (operand.dtype() == dtype) return operand.scalar();
      if (!weak_integer_fits(operand, dtype)) throw_out_of_bounds(operand, dtype);
      if (real_of(dtype) == DType::kFloat16) return convert_inexact(operand.scalar(), dtype);
      return operand.scalar().as(dtype);
    case Kind::kTooBig:
      return convert_big(operand, dtype);
    case Kind::kWeakFloat:
    case Kind::kWeakComplex:
      return convert_inexact(operand.scalar(), dtype);
    default:
      return operand.scalar().as(dtype);
  }
}

Array to_array(const Operand& operand) {
  if (operand.kind() == Kind::kArray) return operand.array();
  if (operand.kind() == Kind::kTooBig) throw_too_large();
  return Array::scalar(operand.scalar());
}

}  // namespace strider::nd
