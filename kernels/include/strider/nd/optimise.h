// Steps of optimisers that move many arrays at once.
#pragma once

#include <cstdint>
#include <span>

namespace strider::nd {

class Array;

// Adam (Kingma and Ba, 2015): with g = gradient + decay * x,
// mean += new_mean * (g - mean), square += new_square * (g * g - square),
// x -= rate * mean / (sqrt(square) * spread + eps). The numbers are rounded to the arrays' type
// first, and each operation rounds.
struct AdamStep {
  double new_mean = 0.1, new_square = 0.001;
  double rate = 0.001, spread = 1, eps = 1e-8;
  double decay = 0;
};

// What stands at one place of the lists belongs together and has one shape.
struct AdamArrays {
  std::span<const Array> x, gradients, means, squares;
};

// Replaces x, means and squares in one go on the device that they lie on. False, nothing having
// been done, where the host should do it by array operations, or must, because of what the arrays
// are: all are float32 or all float64, packed in C order, and none shares elements with one that is
// replaced. Tells no floating-point conditions; while a program collects them, or they must show
// at once, it is false too.
bool step_adam(const AdamStep& step, const AdamArrays& arrays);

}  // namespace strider::nd
