// Bluestein: a transform of any length as a convolution of a smooth length.
#pragma once

#include <vector>

#include "kernels/fft/plan.h"

namespace strider::nd {

// The smallest product of 2, 3, 5, 7 and 11 that is at least `length`.
std::int64_t smooth_length(std::int64_t length);

template <class T>
class Bluestein {
 public:
  explicit Bluestein(std::int64_t length);
  std::int64_t scratch_size() const { return 2 * padded_; }
  void execute(Cplx<T>* data, Cplx<T>* scratch, bool forward, T factor) const;

 private:
  std::int64_t length_, padded_;
  FftPlan<T> plan_;
  std::vector<Cplx<T>> chirp_;      // exp(i pi k^2 / length)
  std::vector<Cplx<T>> transform_;  // of the chirp, wrapped round, divided by padded_
};

}  // namespace strider::nd
