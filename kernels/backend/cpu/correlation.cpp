// Tiles of correlations, held in registers, for one instruction set.
#include "kernels/backend/cpu/correlation.h"

#include <algorithm>
#include <cstring>

#include "kernels/backend/cpu/registers.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

template <class T>
constexpr int kLanes = kBytes / static_cast<int>(sizeof(T));

constexpr int kSums = 8;  // vectors of results at a time

// Long sums are made of sums of blocks, and these of sums of runs, so that they are rounded little.
constexpr std::int64_t kRun = 12, kBlock = 16 * kRun;

template <class T>
[[gnu::always_inline]] inline void sum_run(const T* from, const T* window, std::int64_t taps,
                                           Vector<T>* sums) {
  for (std::int64_t j = 0; j < taps; ++j)
#pragma GCC unroll 8
    for (int v = 0; v < kSums; ++v) sums[v] += window[j] * load(from + j + v * kLanes<T>);
}

template <bool kSet, class T>
inline void sum_block(const T* from, const T* window, std::int64_t taps, T* to) {
  Vector<T> sums[kSums] = {};
  sum_run(from, window, std::min(kRun, taps), sums);
  for (std::int64_t done = kRun; done < taps; done += kRun) {
    Vector<T> run[kSums] = {};
    sum_run(from + done, window + done, std::min(kRun, taps - done), run);
#pragma GCC unroll 8
    for (int v = 0; v < kSums; ++v) sums[v] += run[v];
  }
#pragma GCC unroll 8
  for (int v = 0; v < kSums; ++v) {
    if (!kSet) sums[v] = load(to + v * kLanes<T>) + sums[v];
    std::memcpy(to + v * kLanes<T>, &sums[v], sizeof sums[v]);
  }
}

template <bool kSet, class T>
void sum(const CorrelationTiles<T>& tiles) {
  constexpr std::int64_t kWidth = kSums * kLanes<T>;
  for (std::int64_t i = 0; i < tiles.tiles * kCorrelationTile<T>; i += kWidth) {
    const T* from = tiles.from + i;
    std::int64_t done = std::min(kBlock, tiles.taps);
    sum_block<kSet>(from, tiles.window, done, tiles.to + i);
    for (; done < tiles.taps; done += kBlock)
      sum_block<false>(from + done, tiles.window + done, std::min(kBlock, tiles.taps - done),
                       tiles.to + i);
  }
}

template <class T>
void fill(CorrelationKernels<T>& kernels) {
  kernels.set = sum<true, T>;
  kernels.add = sum<false, T>;
}

}  // namespace

void fill_correlation(CorrelationKernels<float>& kernels) { fill(kernels); }
void fill_correlation(CorrelationKernels<double>& kernels) { fill(kernels); }
void fill_correlation(CorrelationKernels<std::uint32_t>& kernels) { fill(kernels); }
void fill_correlation(CorrelationKernels<std::uint64_t>& kernels) { fill(kernels); }

}  // namespace strider::nd::STRIDER_TARGET
