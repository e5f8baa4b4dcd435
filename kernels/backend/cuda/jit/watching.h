// Which results a kernel looks at for conditions. What is not finite makes most of what is computed
// from it not finite either, so that few results tell of many steps. Writes no text.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/loop.h"

namespace strider::nd::cuda {

// What a kernel tests at every point: none of it met, no step has raised what it is watched for.
// `tells[i]`: that the result of step i is finite is known without a test.
struct Tests {
  std::vector<std::uint16_t> values;  // whether they are finite
  std::vector<std::uint16_t> steps;   // by a test of their own
};
Tests find_tests(const FusedLoop& loop, const std::vector<bool>& tells = {});

}  // namespace strider::nd::cuda
