// Plans: the fused loops that compute a promised array, in the order they must run. Knows no
// devices and runs nothing.
#pragma once

#include <vector>

#include "kernels/backend/loop.h"
#include "kernels/graph/expression.h"

namespace strider::nd {

// The elements that a loop's input reads; null where the input is a scalar or a range.
struct PlannedInput {
  Storage* storage = nullptr;
  std::int64_t offset = 0;
};

// A step that an expression asks for; equal steps of several expressions are one.
struct StepOrigin {
  std::uint16_t step = 0;
  Expression* expression = nullptr;
};

struct PlannedLoop {
  FusedLoop loop;
  std::vector<PlannedInput> inputs;  // one per input of the loop
  std::vector<Expression*> outputs;  // the promises it fulfils, one per output
  Expression* folded = nullptr;      // the promise that its fold fulfils
  std::vector<Expression*> inlined;  // those it computes without keeping them
  std::vector<StepOrigin> origins;
  const char* reason = "";           // why its results cannot stay within the loop that needs them
};

// The loops that compute a promise and what it needs, in the order in which they can run.
std::vector<PlannedLoop> plan_loops(Expression& target);

}  // namespace strider::nd
