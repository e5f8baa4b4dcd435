// The inner loop of correlation: a tile of neighbouring results, each the sum of products of a
// window with numbers from its own place on. Compiled for several instruction sets, of which the
// best one is chosen at run time; all of them give the same bits.
#pragma once

#include <cstdint>

namespace strider::nd {

// Results of a tile.
template <class T>
inline constexpr int kCorrelationTile = 512 / static_cast<int>(sizeof(T));

// to[i] = or += the sum over j of from[i + j] * window[j], for all results of some tiles.
template <class T>
struct CorrelationTiles {
  const T *from, *window;
  std::int64_t taps, tiles;
  T* to;
};

template <class T>
struct CorrelationKernels {
  void (*set)(const CorrelationTiles<T>& tiles) = nullptr;
  void (*add)(const CorrelationTiles<T>& tiles) = nullptr;
};

// Those for this processor: of float, double, and unsigned integers of 4 and 8 bytes.
template <class T>
const CorrelationKernels<T>& correlation_kernels();

}  // namespace strider::nd
