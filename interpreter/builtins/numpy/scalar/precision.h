// The default float type of a run: float64, or float32 under --precision float32.
#pragma once

#include <strider/nd/dtype.h>

namespace strider::lang {

nd::DType default_float();
nd::DType default_complex();
// Chooses the type that Python floats and None stand for when an array is made.
void set_default_float(nd::DType dtype);

}  // namespace strider::lang
