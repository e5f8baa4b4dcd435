// What kernels of folds, searches and scans are made of, as text.
#pragma once

#include <string>

#include "kernels/backend/cuda/jit/arguments.h"
#include "kernels/backend/cuda/jit/fold_plan.h"
#include "kernels/backend/cuda/jit/shapes.h"

namespace strider::nd::cuda {

// The fields of the arguments, a point's steps, where points are, what is combined and how, and the
// kernels of the shape. `in_pass`: of a row that a team of threads runs.
std::string fold_text(const Request& request, const FoldPlan& plan, const Arguments& arguments,
                      bool in_pass);

}  // namespace strider::nd::cuda
