// Plans: mixed-radix passes in Stockham's self-sorting order; lengths with large prime factors go
// through Bluestein's convolution.
#include "kernels/fft/plan.h"

#include <strider/nd/threads.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <numbers>
#include <utility>

#include "kernels/fft/bluestein.h"
#include "kernels/fft/roots.h"

namespace strider::nd {
namespace {

// The radices of a length: eights and fours, a two in front, then odd primes.
std::vector<int> factorize(std::int64_t length, FftKind kind) {
  std::vector<int> radices;
  for (int radix : {8, 4})
    while (radix == 4 || kind != FftKind::kShortReal) {
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

// The relative cost of a transform done in passes.
double pass_cost(std::int64_t length) {
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

constexpr std::int64_t kAlwaysPasses = 50;  // shorter lengths never need a convolution

bool prefers_convolution(std::int64_t length) {
  if (length < kAlwaysPasses) return false;
  double direct = pass_cost(length), padded = 3 * pass_cost(smooth_length(2 * length - 1));
  return padded < direct;
}

constexpr std::int64_t kGrain = 16384;  // twiddles worth a thread

template <class T>
std::vector<Cplx<T>> half_turn(std::int64_t length) {
  Roots roots(2 * length);
  std::vector<Cplx<T>> result(static_cast<std::size_t>(length + 1));
  parallel_for(length + 1, worth_a_thread(kGrain), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      std::complex<double> root = roots[k];
      result[static_cast<std::size_t>(k)] = {static_cast<T>(root.real()),
                                             static_cast<T>(root.imag())};
    }
  });
  return result;
}

}  // namespace

template <class T>
FftPlan<T>::FftPlan(std::int64_t length, FftKind kind, FftUse use)
    : length_(length), kind_(kind), use_(use) {
  if (prefers_convolution(length)) {
    bluestein_ = std::make_unique<Bluestein<T>>(length, use);
    work_rows_ = bluestein_->work_rows();
  } else {
    make_passes();
  }
  if (kind == FftKind::kPairs) roots_ = half_turn<T>(length);
}

template <class T>
FftPlan<T>::FftPlan(std::int64_t length, FftUse use, Smooth)
    : length_(length), kind_(FftKind::kComplex), use_(use) {
  make_passes();
}

template <class T>
FftPlan<T>::~FftPlan() = default;

template <class T>
void FftPlan<T>::make_passes() {
  Roots roots(length_);
  std::int64_t done = 1;
  for (int radix : factorize(length_, kind_)) {
    passes_.push_back({radix, done, length_ / (done * radix), {}, {}, {}, {}, {}});
    if (radix > kLargestInRegisters) work_rows_ = std::max<std::int64_t>(work_rows_, radix);
    done *= radix;
  }
  if (use_ == FftUse::kAlone) choose_rows();
  for (Pass& pass : passes_) {
    pass.outer < rows_ ? add_columns(roots, pass) : add_twiddles(roots, pass);
    if (pass.radix % 2 == 1) add_parts(roots, pass);
  }
}

template <class T>
void FftPlan<T>::add_twiddles(const Roots& roots, Pass& pass) const {
  auto count = static_cast<std::size_t>((pass.radix - 1) * pass.inner);
  pass.re.reserve(count);
  pass.im.reserve(count);
  for (std::int64_t leg = 1; leg < pass.radix; ++leg)
    for (std::int64_t i = 0; i < pass.inner; ++i) {
      std::complex<double> root = roots[leg * i * pass.outer];
      pass.re.push_back(static_cast<T>(root.real()));
      pass.im.push_back(static_cast<T>(root.imag()));
    }
}

// What stands after the last column of a table counts as that one.
template <class T>
void FftPlan<T>::add_columns(const Roots& roots, Pass& pass) const {
  std::int64_t lanes = fourier_kernels<T>().lanes, legs = pass.radix - 1;
  std::int64_t butterflies = pass.inner / columns(), vectors = (columns() + lanes - 1) / lanes;
  pass.columns.resize(static_cast<std::size_t>(vectors * butterflies * legs * 2 * lanes));
  std::int64_t grain =
      std::max<std::int64_t>(1, worth_a_thread(kGrain) / (butterflies * legs * lanes));
  auto fill = [&](T* to, std::int64_t first, std::int64_t leg, std::int64_t vector) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      std::int64_t column = std::min(vector * lanes + lane, columns() - 1);
      std::complex<double> root = roots[leg * (first + column) * pass.outer];
      to[lane] = static_cast<T>(root.real());
      to[lanes + lane] = static_cast<T>(root.imag());
    }
  };
  parallel_for(vectors, grain, [&](std::int64_t begin, std::int64_t end) {
    T* to = pass.columns.data() + begin * butterflies * legs * 2 * lanes;
    for (std::int64_t vector = begin; vector < end; ++vector)
      for (std::int64_t i = 0; i < butterflies; ++i)
        for (std::int64_t leg = 1; leg <= legs; ++leg, to += 2 * lanes)
          fill(to, i * columns(), leg, vector);
  });
}

template <class T>
void FftPlan<T>::add_parts(const Roots& roots, Pass& pass) const {
  for (std::int64_t j = 0; j < pass.radix; ++j) {
    bool in_registers = pass.radix <= (kind_ == FftKind::kShortReal ? 5 : kLargestInRegisters);
    std::complex<double> root =
        in_registers ? rounded_root(j, pass.radix) : roots[j * (length_ / pass.radix)];
    pass.cosines.push_back(static_cast<T>(root.real()));
    pass.sines.push_back(static_cast<T>(root.imag()));
  }
}

namespace {

// How much work a row of `count` columns makes, of which vectors are not all in use.
double filling(std::int64_t count, std::int64_t lanes) {
  return static_cast<double>((count + lanes - 1) / lanes * lanes) / static_cast<double>(count);
}

}  // namespace

// The cheapest table: vectors are full, and few columns fit the second cache.
template <class T>
void FftPlan<T>::choose_rows() {
  constexpr double kMoves = 2, kTable = 100, kOwnTwiddles = 1.3, kCache = 512 << 10;
  std::int64_t lanes = fourier_kernels<T>().lanes, rows = 1;
  auto points = static_cast<double>(length_), count = static_cast<double>(passes_.size());
  double least = count * filling(1, lanes);
  for (std::size_t first = 1; first < passes_.size(); ++first) {
    rows *= passes_[first - 1].radix;
    std::int64_t columns = length_ / rows, longest = std::max(rows, columns);
    double before = static_cast<double>(first),
           bytes = static_cast<double>(4 * longest * lanes * static_cast<std::int64_t>(sizeof(T)));
    double cost = before * filling(columns, lanes) * kOwnTwiddles +
                  (count - before) * filling(rows, lanes) + kMoves + kTable / points +
                  bytes / kCache;
    if (cost >= least) continue;
    least = cost;
    first_ = first;
    rows_ = rows;
  }
}

template <class T>
FourierPass<T> FftPlan<T>::described(const Pass& pass, const Blocks<T>& blocks) const {
  FourierPass<T> result{};
  result.radix = pass.radix;
  result.outer = pass.outer;
  result.inner = pass.inner;
  result.vectors = blocks.vectors;
  result.from = blocks.now;
  result.to = blocks.other;
  result.work = blocks.work;
  result.re = pass.re.data();
  result.im = pass.im.data();
  result.cosines = pass.cosines.data();
  result.sines = pass.sines.data();
  return result;
}

template <class T>
void FftPlan<T>::run_passes(Blocks<T>& blocks, std::size_t first, std::size_t end,
                            std::int64_t done) const {
  for (std::size_t k = first; k < end; ++k) {
    FourierPass<T> pass = described(passes_[k], blocks);
    pass.outer /= done;
    fourier_kernels<T>().pass(pass);
    std::swap(blocks.now, blocks.other);
  }
}

template <class T>
std::int64_t FftPlan<T>::block_rows() const {
  return bluestein_ ? bluestein_->padded() : length_ + 1;
}

template <class T>
void FftPlan<T>::run(Blocks<T>& blocks) const {
  if (bluestein_)
    bluestein_->run(blocks);
  else
    run_passes(blocks, 0, passes_.size(), 1);
}

template <class T>
void FftPlan<T>::run_in_time(Blocks<T>& blocks) const {
  for (std::size_t k = passes_.size(); k > 0; --k) {
    FourierPass<T> pass = described(passes_[k - 1], blocks);
    pass.in_time = true;
    fourier_kernels<T>().pass(pass);
    std::swap(blocks.now, blocks.other);
  }
}

template <class T>
void FftPlan<T>::run_columns(Blocks<T>& blocks, std::int64_t column) const {
  for (std::size_t k = 0; k < first_; ++k) {
    FourierPass<T> pass = described(passes_[k], blocks);
    pass.inner /= columns();
    pass.columns = passes_[k].columns.data() + column * pass.inner * (pass.radix - 1) * 2;
    pass.at_start = column == 0;
    fourier_kernels<T>().pass(pass);
    std::swap(blocks.now, blocks.other);
  }
}

namespace {

constexpr std::size_t kCachedPlans = 16;
constexpr std::int64_t kCachedPoints = 1 << 24;

}  // namespace

template <class T>
std::shared_ptr<const FftPlan<T>> plan_of(std::int64_t length, FftKind kind, FftUse use) {
  thread_local std::list<std::shared_ptr<const FftPlan<T>>> cache;
  auto found = std::find_if(cache.begin(), cache.end(), [&](const auto& plan) {
    return plan->length() == length && plan->kind() == kind && plan->use() == use;
  });
  if (found != cache.end()) {
    cache.splice(cache.begin(), cache, found);
    return cache.front();
  }
  cache.push_front(std::make_shared<const FftPlan<T>>(length, kind, use));
  std::shared_ptr<const FftPlan<T>> plan = cache.front();
  std::int64_t points = 0;
  for (const auto& one : cache) points += one->length();
  while (cache.size() > kCachedPlans || (!cache.empty() && points > kCachedPoints)) {
    points -= cache.back()->length();
    cache.pop_back();
  }
  return plan;
}

template class FftPlan<float>;
template class FftPlan<double>;
template std::shared_ptr<const FftPlan<float>> plan_of<float>(std::int64_t, FftKind, FftUse);
template std::shared_ptr<const FftPlan<double>> plan_of<double>(std::int64_t, FftKind, FftUse);

}  // namespace strider::nd
