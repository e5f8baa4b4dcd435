// Conversions of single elements, with the conditions that a cast of an array has.
#include "interpreter/builtins/numpy/scalar/scalar_cast.h"

#include <strider/nd/floating_errors.h>

#include <cmath>

#include "interpreter/builtins/numpy/conversion.h"

namespace strider::lang {
namespace {

using nd::DType;
using nd::Scalar;

bool is_signed_integer(DType dtype) { return nd::category(dtype) == nd::Category::kSigned; }

// Whether `as` may set conditions of the processor that a cast tells of.
bool may_raise(DType from, DType to) {
  if (to == DType::kBool) return false;
  if (nd::is_inexact(from) && !nd::is_inexact(to)) return true;
  if (to == DType::kFloat16) return from != DType::kFloat16;
  return nd::is_inexact(from) &&
         nd::item_size(nd::real_of(to)) < nd::item_size(nd::real_of(from));
}

}  // namespace

Scalar cast_scalar(const Scalar& value, DType dtype) {
  if (value.dtype() == dtype || !may_raise(value.dtype(), dtype)) return value.as(dtype);
  nd::clear_floating_errors();
  Scalar made = value.as(dtype);
  nd::FloatingErrors errors = nd::take_floating_errors();
  bool overflow = dtype == DType::kFloat16 && std::isinf(made.to_double()) &&
                  std::isfinite(value.to_double());
  if (overflow) errors.flags |= nd::FloatingErrors::kOverflow;
  nd::deliver_floating_errors(errors, "cast");
  return made;
}

Scalar rounded_scalar(const Scalar& number, DType dtype) {
  bool narrow = dtype == DType::kFloat32 || dtype == DType::kComplex64;
  if (!narrow) return cast_scalar(number, dtype);
  nd::clear_floating_errors();
  Scalar made = number.as(dtype);
  nd::FloatingErrors errors = nd::take_floating_errors();
  errors.flags &= nd::FloatingErrors::kOverflow;
  nd::deliver_floating_errors(errors, "cast");
  return made;
}

Scalar stored_scalar(const Scalar& value, DType dtype) {
  if (value.dtype() == dtype) return value;
  warn_of_lost_parts(value.dtype(), dtype);
  if (!is_signed_integer(dtype) || value.dtype() == DType::kBool) return cast_scalar(value, dtype);
  if (nd::is_inexact(value.dtype())) return to_scalar(Value::real(value.to_double()), dtype);
  return to_scalar(to_python(value), dtype);
}

Scalar converted_scalar(const Value& value, DType dtype) {
  bool cast = is_numpy_scalar(value) || (is_array(value) && array_of(value).rank() == 0);
  if (!cast) return to_scalar(value, dtype);
  Scalar scalar = is_array(value) ? array_of(value).item() : scalar_of(value);
  warn_of_lost_parts(scalar.dtype(), dtype);
  return cast_scalar(scalar, dtype);
}

}  // namespace strider::lang
