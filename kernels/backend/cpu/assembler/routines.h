// The vector routines of elementary.def by address, for code that is assembled at run time.
#pragma once

#include "kernels/backend/cpu/kernels.h"

namespace strider::nd {

// The routine that the kernels of this target call, on whole vectors of float or double; null where
// they go through the C library.
const void* find_routine(Op op, DType dtype, Target target);

// Computes `count` results, element by element as the kernels do without a vector routine; `y` is
// read by operations of two arguments only.
using ScalarRoutine = void (*)(const void* x, const void* y, void* out, std::int64_t count);

// Null where there is none.
ScalarRoutine find_scalar_routine(Op op, DType dtype);

}  // namespace strider::nd
