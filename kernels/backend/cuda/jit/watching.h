// Which results a kernel looks at for conditions. What is not finite makes most of what is computed
// from it not finite either, so that few results tell of many steps. Writes no text.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/loop.h"

namespace strider::nd::cuda {

// What is known of a loop before anything is tested.
struct Known {
  bool watched = true;            // whether anybody wants to hear of conditions
  std::vector<bool> finite = {};  // for each value, inputs first: it is, or the point is odd
  // For each step: it is right where its result is finite, which it is not where an operand is not.
  std::vector<bool> spreading = {};
  std::vector<bool> still = {};  // for each input: it is one number for all points, or for a row
};

// What a kernel tests at every point: none of it met, all steps are right, and none has raised what
// it is watched for.
struct Tests {
  std::vector<std::uint16_t> values;  // whether they are finite
  std::vector<std::uint16_t> steps;   // by a test of their own
  // Still inputs, whether they are so small that a sum with a finite number is finite.
  std::vector<std::uint16_t> addends;

  bool any() const { return !values.empty() || !steps.empty() || !addends.empty(); }
};
Tests find_tests(const FusedLoop& loop, const Known& known = {});

}  // namespace strider::nd::cuda
