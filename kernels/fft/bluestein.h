// Bluestein: a transform of any length as a convolution of a smooth length.
#pragma once

#include <vector>

#include "kernels/fft/plan.h"
#include "kernels/fft/room.h"

namespace strider::nd {

// The smallest product of 2, 3, 5, 7 and 11 that is at least `length`.
std::int64_t smooth_length(std::int64_t length);

template <class T>
class Bluestein {
 public:
  Bluestein(std::int64_t length, FftUse use);
  // Points of `line`, and of the scratch space, that execute() needs.
  std::int64_t padded() const { return padded_; }
  // Transforms the first points of `line`; what follows them is lost.
  void execute(Cplx<T>* line, Cplx<T>* scratch, bool forward, T factor, Room<T>& room) const;
  // Transforms each column of blocks of padded() rows.
  void run(Blocks<T>& blocks) const;
  std::int64_t work_rows() const { return plan_.work_rows(); }

 private:
  std::int64_t length_, padded_;
  FftPlan<T> plan_;
  std::vector<Cplx<T>> chirp_;      // exp(i pi k^2 / length)
  std::vector<Cplx<T>> transform_;  // of the chirp, wrapped round, divided by padded_
};

}  // namespace strider::nd
