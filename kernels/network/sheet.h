// Sheet: how some rows of an image lie in memory of their own for a window to slide over them: with
// what is around the image, and, where the window takes steps, every row and column beside those
// that a step further come next to it. So what a window meets at one of its taps, place after
// place, are neighbours. Knows no weights.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/networks.h"

namespace strider::nd {

// What the windows along one axis meet: the taps' places fall into classes by their remainder of
// the stride; of each class that occurs, `count` + `more` elements are in the sheet.
class SheetAxis {
 public:
  SheetAxis() = default;
  // For a window that moves by `stride` and meets these places, relative to the first element of
  // the axis, when it is at its start.
  SheetAxis(std::int64_t extent, std::int64_t stride, std::vector<std::int64_t> taps);

  std::int64_t classes() const { return static_cast<std::int64_t>(remainders_.size()); }
  std::int64_t more() const { return more_; }
  // Of a tap: its class, and how far from the class's first element.
  std::int64_t class_of(std::size_t tap) const { return classes_[tap]; }
  std::int64_t step_of(std::size_t tap) const { return steps_[tap]; }
  std::size_t taps() const { return classes_.size(); }
  // The element of the axis (or place beside it) that is a class's i-th.
  std::int64_t element(std::int64_t cls, std::int64_t i) const {
    return (first_ + i) * stride_ + remainders_[static_cast<std::size_t>(cls)];
  }
  std::int64_t extent() const { return extent_; }
  std::int64_t stride() const { return stride_; }

 private:
  std::int64_t extent_ = 1, stride_ = 1, first_ = 0, more_ = 0;
  std::vector<std::int64_t> remainders_, classes_, steps_;
};

class Sheet {
 public:
  Sheet(const SheetAxis& rows, const SheetAxis& columns, std::int64_t places);

  // From one row of windows to the next.
  std::int64_t pitch() const { return pitch_; }
  // The numbers that one channel takes for so many rows of windows.
  std::int64_t plane(std::int64_t height) const { return (height + rows_.more()) * row(); }
  // The same for each row.
  std::int64_t row() const { return rows_.classes() * columns_.classes() * pitch_; }
  // Where the window's tap is in the sheet of a channel when the window is at its first place.
  std::int64_t place(std::size_t row_tap, std::size_t column_tap, std::int64_t height) const;
  const SheetAxis& rows() const { return rows_; }
  const SheetAxis& columns() const { return columns_; }

  // Copies what `height` rows of windows from `top` on meet of so many channels of an image.
  template <class T>
  void fill(const T* image, std::int64_t channels, std::int64_t top, std::int64_t height,
            T* to) const;

 private:
  template <class T>
  void fill_row(const T* row, std::int64_t cls, T* to) const;

  SheetAxis rows_, columns_;
  std::int64_t pitch_;
};

}  // namespace strider::nd
