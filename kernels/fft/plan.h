// Plans: everything about a transform of one length that does not depend on the data.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/fft/butterfly.h"

namespace strider::nd {

template <class T>
class Bluestein;

// What a plan is for. Plans for real data keep to radices below eight; their forward transform
// multiplies by twiddles before the butterflies (decimation in time), so that a real line and its
// spectrum are rounded as real transforms usually round them.
enum class FftKind : std::uint8_t { kComplex, kReal };

// A complex transform of one length, float or double. Immutable once made, so threads share it.
template <class T>
class FftPlan {
 public:
  using Value = Cplx<T>;
  explicit FftPlan(std::int64_t length, FftKind kind = FftKind::kComplex);
  ~FftPlan();
  std::int64_t length() const { return length_; }
  FftKind kind() const { return kind_; }
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
    std::int64_t outer, inner;      // groups, and butterflies in each
    std::vector<Cplx<T>> twiddles;  // (radix - 1) rows of `inner`
    std::vector<T> cosines, sines;  // of the radix-th roots, for odd radices
  };
  void make_stages(const std::vector<int>& radices);
  template <bool kForward, bool kInTime>
  void run_one(const Stage& stage, const Cplx<T>* from, Cplx<T>* to) const;
  template <bool kForward, bool kInTime>
  void run_stages(Cplx<T>* data, Cplx<T>* scratch, T factor) const;

  std::int64_t length_;
  FftKind kind_;
  std::vector<Stage> stages_;
  std::unique_ptr<Bluestein<T>> bluestein_;
};

// The plan of a length, from a small cache of each thread.
template <class T>
std::shared_ptr<const FftPlan<T>> plan_of(std::int64_t length, FftKind kind = FftKind::kComplex);

}  // namespace strider::nd
