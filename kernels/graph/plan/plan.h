// Plans: the fused loops that compute a promised array, in the order they must run. Knows no
// devices and runs nothing.
#pragma once

#include <vector>

#include "kernels/backend/loop.h"
#include "kernels/graph/expression/expression.h"

namespace strider::nd {

// What a loop's input reads; nothing where it is a range.
struct PlannedInput {
  Storage* storage = nullptr;
  std::int64_t offset = 0;
  const Scalar* scalar = nullptr;  // an argument's
};

// Where a loop's output goes: all elements of a promise, or those from an offset on that the loop's
// extents reach.
struct PlannedOutput {
  Expression* promise = nullptr;
  std::int64_t offset = 0;  // in bytes
};

// An element that costs no more than this may be computed again rather than kept.
inline constexpr std::uint32_t kCheap = 2;
// An element that costs as much is not computed twice if that can be helped.
inline constexpr std::uint32_t kDear = 16;

// Elements that a short fold takes, at most, and their numbers.
inline constexpr std::int64_t kMostInShortFold = 7;
const Scalar& place_in_short_fold(std::int64_t place);

// A step that an expression asks for; equal steps of several expressions are one.
struct StepOrigin {
  std::uint16_t step = 0;
  Expression* expression = nullptr;
};

struct PlannedLoop {
  FusedLoop loop;
  std::vector<PlannedInput> inputs;    // one per input of the loop
  std::vector<PlannedOutput> outputs;  // the promises it fulfils, one per output
  Expression* folded = nullptr;        // the promise that its fold fulfils
  std::vector<Expression*> inlined;    // those it computes without keeping them
  std::vector<StepOrigin> origins;
  // Not a loop at all but a product of its two inputs, for a library: the extents are those of the
  // stack, m, k and n, and there are no steps.
  bool is_product = false;
  const char* reason = "";  // why its results cannot stay within the loop that needs them

  bool writes(const Expression& promise) const;
};

// The loops that compute a promise and what it needs, in the order in which they can run. What they
// compute on the way from a storage whose elements the promise will replace is kept if it is
// wanted.
std::vector<PlannedLoop> plan_loops(Expression& target, const Storage* replaced = nullptr);

}  // namespace strider::nd
