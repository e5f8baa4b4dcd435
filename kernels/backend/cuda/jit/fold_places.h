// Where the elements of a fold's results are, as text.
#pragma once

#include <string>

#include "kernels/backend/cuda/jit/fold_plan.h"
#include "kernels/backend/cuda/jit/layout.h"

namespace strider::nd::cuda {

// The one axis of the operands that is folded; -1: there are others, or points are found without
// division anyway. The text depends on it.
int folded_axis(const FoldPlan& plan, const LoopLayout& layout);

// result_base, fold_offset, and how the elements of a result are found from its first one.
std::string fold_places_text(const FoldPlan& plan, const LoopLayout& layout);

}  // namespace strider::nd::cuda
