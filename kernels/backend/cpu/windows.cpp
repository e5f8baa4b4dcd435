// Tiles of sums held in registers, for one instruction set.
#include "kernels/backend/cpu/windows.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/backend/cpu/registers.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

#if defined(__AVX512F__)
constexpr int kFilters = 8, kSums = 24;
#elif defined(__AVX2__)
constexpr int kFilters = 4, kSums = 12;
#else
constexpr int kFilters = 4, kSums = 12;
#endif

template <class T>
inline void store(T* to, const Vector<T>& value) {
  std::memcpy(to, &value, sizeof value);
}

template <class T, int kRows, int kWide>
void slide(const SlideTile<T>& tile) {
  constexpr int kLanes = kBytes / sizeof(T);
  Vector<T> sums[kRows][kWide];
  for (int f = 0; f < kRows; ++f)
    for (int v = 0; v < kWide; ++v) sums[f][v] = Vector<T>{} + (tile.start ? tile.start[f] : T(0));
  const T* at[kWide];
  for (int v = 0; v < kWide; ++v) at[v] = tile.source + tile.places[v];
  const T* weights = tile.weights;
  for (std::int64_t t = 0; t < tile.count; ++t, weights += kRows) {
    std::int64_t tap = tile.taps[t];
    Vector<T> values[kWide];
    for (int v = 0; v < kWide; ++v) values[v] = load(at[v] + tap);
    for (int f = 0; f < kRows; ++f)
      for (int v = 0; v < kWide; ++v) sums[f][v] += weights[f] * values[v];
  }
  for (int f = 0; f < kRows; ++f)
    for (int v = 0; v < kWide; ++v) store(tile.sums + (f * kWide + v) * kLanes, sums[f][v]);
}

template <class T, int kBases, int kRun, int kWide>
void gather(const GatherTile<T>& tile) {
  constexpr int kLanes = kBytes / sizeof(T), kRows = kBases * kRun;
  Vector<T> sums[kRows][kWide];
  for (int i = 0; i < kRows; ++i)
    for (int v = 0; v < kWide; ++v) sums[i][v] = load(tile.sums + (i * kWide + v) * kLanes);
  const T* at[kBases];
  for (int b = 0; b < kBases; ++b) at[b] = tile.source + tile.bases[b];
  const T* from = tile.values;
  for (std::int64_t s = 0; s < tile.count; ++s, from += kWide * kLanes) {
    std::int64_t step = tile.steps[s];
    Vector<T> values[kWide];
    for (int v = 0; v < kWide; ++v) values[v] = load(from + v * kLanes);
    for (int b = 0; b < kBases; ++b)
      for (int r = 0; r < kRun; ++r)
        for (int v = 0; v < kWide; ++v) sums[b * kRun + r][v] += at[b][step + r] * values[v];
  }
  for (int i = 0; i < kRows; ++i)
    for (int v = 0; v < kWide; ++v) store(tile.sums + (i * kWide + v) * kLanes, sums[i][v]);
}

template <class T, int kWide, int... kBefore>
void fill_slides(WindowKernels<T>& table, std::integer_sequence<int, kBefore...>) {
  ((table.slide[kBefore][kWide - 1] = slide<T, kBefore + 1, kWide>), ...);
}

template <class T, int kRun, int kWide>
void fill_gather(WindowKernels<T>& table) {
  constexpr int kBases = std::clamp(kSums / (kRun * kWide), 1, 8);
  table.gather[kRun - 1][kWide - 1] = gather<T, kBases, kRun, kWide>;
  table.bases[kRun - 1][kWide - 1] = kBases;
}

template <class T, int kWide>
void fill_gathers(WindowKernels<T>& table) {
  fill_gather<T, 1, kWide>(table);
  fill_gather<T, 2, kWide>(table);
  fill_gather<T, 3, kWide>(table);
  fill_gather<T, 4, kWide>(table);
  fill_gather<T, 5, kWide>(table);
}

template <class T>
void fill(WindowKernels<T>& table) {
  table.lanes = kBytes / sizeof(T);
  table.filters = kFilters;
  fill_slides<T, 1>(table, std::make_integer_sequence<int, kFilters>());
  fill_slides<T, 2>(table, std::make_integer_sequence<int, kFilters>());
  fill_slides<T, 3>(table, std::make_integer_sequence<int, kFilters>());
  fill_gathers<T, 1>(table);
  fill_gathers<T, 2>(table);
  fill_gathers<T, 3>(table);
}

}  // namespace

void fill_windows(WindowKernels<float>& table) { fill(table); }
void fill_windows(WindowKernels<double>& table) { fill(table); }

}  // namespace strider::nd::STRIDER_TARGET
