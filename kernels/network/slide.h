// Slides filters over images: y = the sum over taps of weights times what lies at the taps, for
// every place. Images are cut into bands of rows whose sheets fit the cache; bands are what threads
// share. Knows no convolution: its gradient by the images slides, too.
#pragma once

#include <vector>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/network/sheet.h"

namespace strider::nd {

// The places of a target whose rows and columns have one remainder of its step, and the taps (of
// the sheet's axes) that they see.
struct SlidePass {
  std::int64_t first_row = 0, first_column = 0;  // in the target
  std::int64_t rows = 0, columns = 0;            // so many places
  std::vector<std::size_t> row_taps, column_taps;
};

template <class T>
struct SlideJob {
  std::int64_t batch = 1, groups = 1;
  std::int64_t channels = 1, filters = 1;  // of each group
  const T* source = nullptr;               // (batch, groups * channels, rows, columns)
  const T* weights = nullptr;
  std::int64_t group_step = 0, filter_step = 0, channel_step = 0, row_step = 0;  // of weights
  const T* bias = nullptr;  // (groups * filters); null: none
  T* target = nullptr;      // (batch, groups * filters, height, width)
  std::int64_t height = 1, width = 1;
  std::int64_t step_down = 1, step_across = 1;  // between the places of a pass
};

template <class T>
void slide(const SlideJob<T>& job, const Sheet& sheet, const std::vector<SlidePass>& passes);

// The rows of windows in a band: sheets of so many numbers a row fit the cache, and there are
// enough bands to share. Depends on nothing but shapes, and so do results.
std::int64_t band_height(std::int64_t rows, std::int64_t more, std::int64_t row_bytes,
                         std::int64_t images);

// to[tap][filter] = from[filter][tap], filters being `from_step` apart there and taps `to_step`
// here.
template <class T>
void transpose_weights(const T* from, std::int64_t from_step, T* to, std::int64_t to_step,
                       std::int64_t taps, std::int64_t filters) {
  constexpr std::int64_t kItem = sizeof(T);
  kernels().transpose[kItem == 4 ? 2 : 3](reinterpret_cast<const std::byte*>(from),
                                          from_step * kItem, reinterpret_cast<std::byte*>(to),
                                          to_step * kItem, taps, filters);
}

// The size of equal parts, at most `most`, of which there are as few as possible.
inline std::int64_t even_part(std::int64_t count, std::int64_t most) {
  std::int64_t parts = (count + most - 1) / most;
  return (count + parts - 1) / parts;
}

}  // namespace strider::nd
