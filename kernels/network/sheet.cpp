// Copies rows of images, element by element only where windows take steps.
#include "kernels/network/sheet.h"

#include <algorithm>

#include "kernels/network/few.h"

namespace strider::nd {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && a < 0 ? 1 : 0);
}

}  // namespace

SheetAxis::SheetAxis(std::int64_t extent, std::int64_t stride, std::vector<std::int64_t> taps)
    : extent_(extent), stride_(stride) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    std::int64_t step = floor_divide(taps[i], stride), remainder = taps[i] - step * stride;
    auto found = std::find(remainders_.begin(), remainders_.end(), remainder);
    classes_.push_back(found - remainders_.begin());
    if (found == remainders_.end()) remainders_.push_back(remainder);
    steps_.push_back(step);
    first_ = i == 0 ? step : std::min(first_, step);
    last = i == 0 ? step : std::max(last, step);
  }
  for (std::int64_t& step : steps_) step -= first_;
  more_ = last - first_;
}

Sheet::Sheet(const SheetAxis& rows, const SheetAxis& columns, std::int64_t places)
    : rows_(rows), columns_(columns), pitch_(places + columns.more()) {}

std::int64_t Sheet::place(std::size_t row_tap, std::size_t column_tap, std::int64_t height) const {
  std::int64_t cls = rows_.class_of(row_tap) * columns_.classes() + columns_.class_of(column_tap);
  std::int64_t row = cls * (height + rows_.more()) + rows_.step_of(row_tap);
  return row * pitch_ + columns_.step_of(column_tap);
}

template <class T>
void Sheet::fill_row(const T* row, std::int64_t cls, T* to) const {
  std::int64_t start = columns_.element(cls, 0), step = columns_.stride();
  std::int64_t extent = columns_.extent();
  // The elements of the image are those from `begin` to `end`.
  std::int64_t begin = std::clamp<std::int64_t>(floor_divide(-start + step - 1, step), 0, pitch_);
  std::int64_t end =
      std::clamp<std::int64_t>(floor_divide(extent - start + step - 1, step), begin, pitch_);
  clear_few(to, begin);
  if (step == 1) {
    copy_few(row + start + begin, to + begin, end - begin);
  } else {
    for (std::int64_t i = begin; i < end; ++i) to[i] = row[start + i * step];
  }
  clear_few(to + end, pitch_ - end);
}

template <class T>
void Sheet::fill(const T* image, std::int64_t channels, std::int64_t top, std::int64_t height,
                 T* to) const {
  std::int64_t extent = rows_.extent(), width = columns_.extent();
  for (std::int64_t c = 0; c < channels; ++c, image += extent * width) {
    for (std::int64_t y = 0; y < rows_.classes(); ++y) {
      for (std::int64_t x = 0; x < columns_.classes(); ++x) {
        for (std::int64_t i = 0; i < height + rows_.more(); ++i, to += pitch_) {
          std::int64_t row = rows_.element(y, top + i);
          if (row < 0 || row >= extent)
            clear_few(to, pitch_);
          else
            fill_row(image + row * width, x, to);
        }
      }
    }
  }
}

template void Sheet::fill(const float*, std::int64_t, std::int64_t, std::int64_t, float*) const;
template void Sheet::fill(const double*, std::int64_t, std::int64_t, std::int64_t, double*) const;

}  // namespace strider::nd
