// Plans: everything about a transform of one length that does not depend on the data.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/fft/butterfly.h"

namespace strider::nd {

template <class T>
class Bluestein;

// A complex transform of one length, float or double. Immutable once made, so threads share it.
template <class T>
class FftPlan {
 public:
  using Value = Cplx<T>;
  explicit FftPlan(std::int64_t length);
  ~FftPlan();
  std::int64_t length() const { return length_; }
  // How many elements of scratch space execute() needs.
  std::int64_t scratch_size() const;
  // Transforms `data` in place and multiplies by `factor`.
  void execute(Cplx<T>* data, Cplx<T>* scratch, bool forward, T factor) const;

 private:
  friend class Bluestein<T>;
  struct SmoothOnly {};
  FftPlan(std::int64_t length, SmoothOnly);
  struct Stage {
    int radix;
    std::int64_t inner;             // points between the elements of a butterfly
    std::vector<Cplx<T>> twiddles;  // (radix - 1) rows of `inner`
    std::vector<T> cosines, sines;  // of the radix-th roots, for odd radices
  };
  void make_stages(const std::vector<int>& radices);
  template <bool kForward>
  void run_stages(Cplx<T>* data, Cplx<T>* scratch, T factor) const;

  std::int64_t length_;
  std::vector<Stage> stages_;
  std::unique_ptr<Bluestein<T>> bluestein_;
};

// The plan of a length, from a small cache of each thread.
template <class T>
std::shared_ptr<const FftPlan<T>> plan_of(std::int64_t length);

}  // namespace strider::nd
