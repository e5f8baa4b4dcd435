// The inner loops of convolution: sums of products of numbers that lie at lists of offsets.
// Compiled for several instruction sets, of which the best one is chosen at run time. They allocate
// nothing and know no shapes. Every sum is added in the order of its list.
#pragma once

#include <cstdint>

namespace strider::nd {

inline constexpr int kMostVectors = 3;  // of a tile
inline constexpr int kMostFilters = 8;  // of a sliding tile
inline constexpr int kLongestRun = 5;   // neighbours that a tile of `gather` reads at one base
inline constexpr int kMostTile = 1024;  // the numbers of a tile at most

// Along `taps`: sums[f][v] = start[f] + the sum over t of weights[t][f] * the vector at
// source[taps[t] + places[v]]. weights[t] are so many numbers as there are filters; start may be
// null.
template <class T>
struct SlideTile {
  const T* source;
  const std::int64_t* taps;
  std::int64_t count;
  const T* weights;
  const std::int64_t* places;
  const T* start;
  T* sums;
};

// Along `steps`: sums[b * run + r][v] += the sum over s of source[bases[b] + r + steps[s]] times
// the vector values[s][v].
template <class T>
struct GatherTile {
  const T* source;
  const std::int64_t* bases;
  const std::int64_t* steps;
  std::int64_t count;
  const T* values;
  T* sums;
};

template <class T>
struct WindowKernels {
  std::int64_t lanes = 1;    // numbers in a vector
  std::int64_t filters = 1;  // the most filters of a sliding tile here
  // For so many filters and 1 to 3 vectors.
  void (*slide[kMostFilters][kMostVectors])(const SlideTile<T>&) = {};
  // For runs of 1 to 5 and 1 to 3 vectors, and how many bases there are each time.
  void (*gather[kLongestRun][kMostVectors])(const GatherTile<T>&) = {};
  int bases[kLongestRun][kMostVectors] = {};
};

// Those for this processor.
template <class T>
const WindowKernels<T>& window_kernels();

}  // namespace strider::nd
