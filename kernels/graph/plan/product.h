// Products of matrices as steps of a plan, between its loops. Knows libraries by their contract
// only.
#pragma once

#include "kernels/backend/library.h"
#include "kernels/graph/plan/plan.h"

namespace strider::nd {

// The step that computes a promised product; its operands are to be in memory by then.
PlannedLoop plan_product(Expression& product);

// Has the library multiply what lies there; false where it refuses.
bool multiply(const PlannedLoop& step, const LoopMemory& memory, Library& library);

// Whether the matrices of a product's operand (0 or 1) lie so that columns are contiguous and rows
// are not: the library is told to transpose them.
bool is_transposed(const PlannedLoop& step, int operand);

}  // namespace strider::nd
