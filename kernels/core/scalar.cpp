// Conversions of single elements.
#include <strider/nd/scalar.h>

#include "kernels/core/convert.h"

namespace strider::nd {
namespace {

template <class To>
To read_as(const Scalar& scalar) {
  return dispatch(scalar.dtype(), [&](auto zero) {
    using From = decltype(zero);
    return convert<To>(scalar.get<From>());
  });
}

}  // namespace

Scalar Scalar::as(DType dtype) const {
  if (dtype == dtype_) return *this;
  return dispatch(dtype, [&](auto zero) { return Scalar(read_as<decltype(zero)>(*this)); });
}

double Scalar::to_double() const { return read_as<double>(*this); }
std::complex<double> Scalar::to_complex() const { return read_as<std::complex<double>>(*this); }
bool Scalar::truth() const { return read_as<bool>(*this); }

}  // namespace strider::nd
