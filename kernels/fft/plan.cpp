// Plans: mixed-radix stages in Stockham's self-sorting order; lengths with large prime factors go
// through Bluestein's convolution.
#include "kernels/fft/plan.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <numbers>

#include "kernels/fft/bluestein.h"
#include "kernels/fft/roots.h"

namespace strider::nd {
namespace {

// The radices of a length: eights and fours, a two in front, then odd primes.
std::vector<int> factorize(std::int64_t length, FftKind kind) {
  std::vector<int> radices;
  for (int radix : {8, 4})
    while (radix == 4 || kind == FftKind::kComplex) {
      if (length % radix != 0) break;
      radices.push_back(radix);
      length /= radix;
    }
  if (length % 2 == 0) {
    length /= 2;
    radices.push_back(2);
    std::swap(radices.front(), radices.back());
  }
  for (std::int64_t radix = 3; radix * radix <= length; radix += 2)
    while (length % radix == 0) {
      radices.push_back(static_cast<int>(radix));
      length /= radix;
    }
  if (length > 1) radices.push_back(static_cast<int>(length));
  return radices;
}

// The relative cost of a transform done in stages.
double stage_cost(std::int64_t length) {
  double cost = 0, points = static_cast<double>(length);
  while (length % 2 == 0) {
    cost += 2;
    length /= 2;
  }
  for (std::int64_t radix = 3; radix * radix <= length; radix += 2)
    while (length % radix == 0) {
      cost += static_cast<double>(radix) * (radix <= 5 ? 1.0 : 1.1);
      length /= radix;
    }
  if (length > 1) cost += static_cast<double>(length) * (length <= 5 ? 1.0 : 1.1);
  return cost * points;
}

constexpr int kLargestInRegisters = 11;

// exp(2 pi i k / n), correctly rounded for small n.
std::complex<double> rounded_root(std::int64_t k, std::int64_t n) {
  long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                      static_cast<long double>(n);
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

constexpr std::int64_t kAlwaysStages = 50;  // shorter lengths never need a convolution

bool prefers_convolution(std::int64_t length) {
  if (length < kAlwaysStages) return false;
  double direct = stage_cost(length), padded = 3 * stage_cost(smooth_length(2 * length - 1));
  return padded < direct;
}

}  // namespace

template <class T>
FftPlan<T>::FftPlan(std::int64_t length, FftKind kind) : length_(length), kind_(kind) {
  if (prefers_convolution(length))
    bluestein_ = std::make_unique<Bluestein<T>>(length);
  else
    make_stages(factorize(length, kind));
}

template <class T>
FftPlan<T>::FftPlan(std::int64_t length, SmoothOnly) : length_(length), kind_(FftKind::kComplex) {
  make_stages(factorize(length, kind_));
}

template <class T>
FftPlan<T>::~FftPlan() = default;

template <class T>
void FftPlan<T>::make_stages(const std::vector<int>& radices) {
  Roots roots(length_);
  std::int64_t done = 1;
  auto narrow = [](std::complex<double> z) {
    return Cplx<T>{static_cast<T>(z.real()), static_cast<T>(z.imag())};
  };
  for (int radix : radices) {
    Stage stage{radix, done, length_ / (done * radix), {}, {}, {}};
    for (std::int64_t j = 1; j < radix; ++j)
      for (std::int64_t i = 0; i < stage.inner; ++i)
        stage.twiddles.push_back(narrow(roots[j * done * i]));
    for (std::int64_t j = 0; radix % 2 == 1 && j < radix; ++j) {
      bool in_registers = radix <= (kind_ == FftKind::kReal ? 5 : kLargestInRegisters);
      std::complex<double> root =
          in_registers ? rounded_root(j, radix) : roots[j * (length_ / radix)];
      stage.cosines.push_back(narrow(root).re);
      stage.sines.push_back(narrow(root).im);
    }
    stages_.push_back(std::move(stage));
    done *= radix;
  }
}

template <class T>
std::int64_t FftPlan<T>::scratch_size() const {
  return bluestein_ ? bluestein_->scratch_size() : length_;
}

namespace {

template <int kRadix, bool kForward, class T>
void butterfly(Cplx<T>* x, const T* cosines, const T* sines) {
  if constexpr (kRadix == 2) {
    Cplx<T> a = x[0], b = x[1];
    x[0] = a + b;
    x[1] = a - b;
  } else if constexpr (kRadix == 4) {
    butterfly4<kForward>(x[0], x[1], x[2], x[3]);
  } else if constexpr (kRadix == 8) {
    butterfly8<kForward>(x);
  } else {
    butterfly_odd<kRadix, kForward>(x, cosines, sines);
  }
}

// One stage: `outer` groups of `inner` butterflies. In frequency, outputs are multiplied by their
// twiddles; in time, inputs are, and the data move the other way. The first butterfly of a group
// has twiddles of one.
template <int kRadix, bool kForward, bool kInTime, bool kTwisted, class T>
inline void run_butterfly(std::int64_t from_step, std::int64_t to_step, std::int64_t inner,
                          const Cplx<T>* twiddles, const T* cosines, const T* sines,
                          const Cplx<T>* from, Cplx<T>* to) {
  Cplx<T> x[kRadix];
  for (int j = 0; j < kRadix; ++j) x[j] = from[from_step * j];
  if constexpr (kInTime && kTwisted)
    for (int j = 1; j < kRadix; ++j) x[j] = times_root<kForward>(x[j], twiddles[inner * (j - 1)]);
  butterfly<kRadix, kForward>(x, cosines, sines);
  if constexpr (!kInTime && kTwisted)
    for (int j = 1; j < kRadix; ++j) x[j] = times_root<kForward>(x[j], twiddles[inner * (j - 1)]);
  for (int j = 0; j < kRadix; ++j) to[to_step * j] = x[j];
}

template <int kRadix, bool kForward, bool kInTime, class T>
void run_stage(std::int64_t outer, std::int64_t inner, const Cplx<T>* twiddles, const T* cosines,
               const T* sines, const Cplx<T>* __restrict from, Cplx<T>* __restrict to) {
  std::int64_t near = inner, far = inner * outer;
  std::int64_t from_step = kInTime ? far : near, to_step = kInTime ? near : far;
  for (std::int64_t k = 0; k < outer; ++k) {
    const Cplx<T>* group = from + k * inner * (kInTime ? 1 : kRadix);
    Cplx<T>* target = to + k * inner * (kInTime ? kRadix : 1);
    run_butterfly<kRadix, kForward, kInTime, false>(from_step, to_step, inner, twiddles, cosines,
                                                    sines, group, target);
    for (std::int64_t i = 1; i < inner; ++i)
      run_butterfly<kRadix, kForward, kInTime, true>(from_step, to_step, inner, twiddles + i,
                                                     cosines, sines, group + i, target + i);
  }
}

// One butterfly of any odd radix.
template <bool kForward, class T>
void butterfly_any(std::vector<Cplx<T>>& x, std::vector<Cplx<T>>& y, const T* cosines,
                   const T* sines) {
  auto radix = static_cast<int>(x.size());
  int half = (radix - 1) / 2;
  auto at = [](int index) { return static_cast<std::size_t>(index); };
  y[0] = x[0];
  for (int j = 1; j <= half; ++j) {
    Cplx<T> sum = x[at(j)] + x[at(radix - j)];
    x[at(radix - j)] = x[at(j)] - x[at(radix - j)];
    x[at(j)] = sum;
    y[0] = y[0] + sum;
  }
  for (int u = 1; u <= half; ++u) {
    Cplx<T> along = x[0], across{0, 0};
    for (int j = 1, k = u; j <= half; ++j, k = (k + u) % radix) {
      along = along + cosines[k] * x[at(j)];
      across = across + sines[k] * x[at(radix - j)];
    }
    across = turned<kForward>(across);
    y[at(u)] = along + across;
    y[at(radix - u)] = along - across;
  }
}

template <bool kForward, bool kInTime, class T>
void run_any(int radix, std::int64_t outer, std::int64_t inner, const Cplx<T>* twiddles,
             const T* cosines, const T* sines, const Cplx<T>* from, Cplx<T>* to) {
  std::vector<Cplx<T>> x(static_cast<std::size_t>(radix)), y(x.size());
  std::int64_t near = inner, far = inner * outer;
  auto twist = [&](std::vector<Cplx<T>>& values, std::int64_t i) {
    for (int j = 1; j < radix && i > 0; ++j) {
      Cplx<T>& value = values[static_cast<std::size_t>(j)];
      value = times_root<kForward>(value, twiddles[inner * (j - 1) + i]);
    }
  };
  for (std::int64_t k = 0; k < outer; ++k)
    for (std::int64_t i = 0; i < inner; ++i) {
      const Cplx<T>* group = from + k * inner * (kInTime ? 1 : radix) + i;
      Cplx<T>* target = to + k * inner * (kInTime ? radix : 1) + i;
      for (std::size_t j = 0; j < x.size(); ++j)
        x[j] = group[(kInTime ? far : near) * static_cast<std::int64_t>(j)];
      if (kInTime) twist(x, i);
      butterfly_any<kForward>(x, y, cosines, sines);
      if (!kInTime) twist(y, i);
      for (std::size_t j = 0; j < x.size(); ++j)
        target[(kInTime ? near : far) * static_cast<std::int64_t>(j)] = y[j];
    }
}

}  // namespace

template <class T>
template <bool kForward, bool kInTime>
void FftPlan<T>::run_one(const Stage& stage, const Cplx<T>* from, Cplx<T>* to) const {
  auto run = [&](auto stage_function) {
    stage_function(stage.outer, stage.inner, stage.twiddles.data(), stage.cosines.data(),
                   stage.sines.data(), from, to);
  };
  switch (stage.radix) {
    case 2:
      return run(run_stage<2, kForward, kInTime, T>);
    case 3:
      return run(run_stage<3, kForward, kInTime, T>);
    case 4:
      return run(run_stage<4, kForward, kInTime, T>);
    case 5:
      return run(run_stage<5, kForward, kInTime, T>);
    case 7:
      return run(run_stage<7, kForward, kInTime, T>);
    case 8:
      return run(run_stage<8, kForward, kInTime, T>);
    case 11:
      return run(run_stage<11, kForward, kInTime, T>);
    default:
      run_any<kForward, kInTime>(stage.radix, stage.outer, stage.inner, stage.twiddles.data(),
                                 stage.cosines.data(), stage.sines.data(), from, to);
  }
}

template <class T>
template <bool kForward, bool kInTime>
void FftPlan<T>::run_stages(Cplx<T>* data, Cplx<T>* scratch, T factor) const {
  Cplx<T>*from = data, *to = scratch;
  std::size_t count = stages_.size();
  for (std::size_t k = 0; k < count; ++k) {
    run_one<kForward, kInTime>(stages_[kInTime ? count - 1 - k : k], from, to);
    std::swap(from, to);
  }
  if (from == data && factor == T(1)) return;
  for (std::int64_t i = 0; i < length_; ++i) data[i] = factor == T(1) ? from[i] : factor * from[i];
}

template <class T>
void FftPlan<T>::execute(Cplx<T>* data, Cplx<T>* scratch, bool forward, T factor) const {
  if (bluestein_) return bluestein_->execute(data, scratch, forward, factor);
  if (!forward)
    run_stages<false, false>(data, scratch, factor);
  else if (kind_ == FftKind::kReal)
    run_stages<true, true>(data, scratch, factor);
  else
    run_stages<true, false>(data, scratch, factor);
}

namespace {

constexpr std::size_t kCachedPlans = 16;
constexpr std::int64_t kLongestCached = 1 << 22;

}  // namespace

template <class T>
std::shared_ptr<const FftPlan<T>> plan_of(std::int64_t length, FftKind kind) {
  thread_local std::list<std::shared_ptr<const FftPlan<T>>> cache;
  auto found = std::find_if(cache.begin(), cache.end(), [&](const auto& plan) {
    return plan->length() == length && plan->kind() == kind;
  });
  if (found != cache.end()) {
    cache.splice(cache.begin(), cache, found);
    return cache.front();
  }
  auto plan = std::make_shared<const FftPlan<T>>(length, kind);
  if (length > kLongestCached) return plan;
  cache.push_front(plan);
  if (cache.size() > kCachedPlans) cache.pop_back();
  return plan;
}

template class FftPlan<float>;
template class FftPlan<double>;
template std::shared_ptr<const FftPlan<float>> plan_of<float>(std::int64_t, FftKind);
template std::shared_ptr<const FftPlan<double>> plan_of<double>(std::int64_t, FftKind);

}  // namespace strider::nd
