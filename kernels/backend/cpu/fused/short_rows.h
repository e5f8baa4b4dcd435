// Rows of a few elements: where they begin, and copies of them without a call for each. Knows no
// loop.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>

#include "kernels/backend/loop.h"

namespace strider::nd {

// The offsets of rows, one after the other.
class RowWalk {
 public:
  RowWalk(const Dims& extents, const Dims& strides, std::int64_t row)
      : extents_(extents), strides_(strides), at_(extents.size() - 1) {
    for (int axis = at_.size() - 1; axis >= 0; --axis) {
      at_[axis] = row % extents[axis];
      row /= extents[axis];
      offset_ += at_[axis] * strides[axis];
    }
  }
  std::int64_t offset() const { return offset_; }
  // The bytes from each row to the next, where all rows are one axis; else 0.
  std::int64_t only_step() const { return at_.size() == 1 ? strides_[0] : 0; }
  void next() {
    for (int axis = at_.size() - 1; axis >= 0; --axis) {
      offset_ += strides_[axis];
      if (++at_[axis] < extents_[axis]) return;
      offset_ -= strides_[axis] * extents_[axis];
      at_[axis] = 0;
    }
  }

 private:
  const Dims& extents_;
  const Dims& strides_;
  Dims at_;
  std::int64_t offset_ = 0;
};

// A copy of few bytes, without a call.
inline void copy_short(const std::byte* source, std::byte* target, std::int64_t bytes) {
  std::int64_t done = 0;
  for (; done + 16 <= bytes; done += 16) std::memcpy(target + done, source + done, 16);
  for (; done + 4 <= bytes; done += 4) std::memcpy(target + done, source + done, 4);
  for (; done < bytes; ++done) target[done] = source[done];
}

// Elements that lie `step` bytes apart, each repeated `kWidth` times.
template <class T, int kWidth>
void repeat_few(const std::byte* source, std::int64_t step, std::int64_t rows, std::byte* target) {
  for (std::int64_t i = 0; i < rows; ++i, source += step) {
    T element;
    std::memcpy(&element, source, sizeof element);
    for (int j = 0; j < kWidth; ++j, target += sizeof element)
      std::memcpy(target, &element, sizeof element);
  }
}

// The same for a width up to `kMost`; false where it is none of those. Where elements lie side by
// side the compiler knows to repeat many at a time.
template <class T, int kMost>
bool repeat_few(const std::byte* source, std::int64_t step, std::int64_t rows, std::int64_t width,
                std::byte* target) {
  if constexpr (kMost < 2) {
    return false;
  } else {
    if (width != kMost) return repeat_few<T, kMost - 1>(source, step, rows, width, target);
    if (step == sizeof(T))
      repeat_few<T, kMost>(source, sizeof(T), rows, target);
    else
      repeat_few<T, kMost>(source, step, rows, target);
    return true;
  }
}

template <class T>
void repeat_each(RowWalk& walk, const std::byte* first, std::int64_t rows, std::int64_t width,
                 std::byte* target) {
  constexpr int kMostFew = 8;
  std::int64_t step = walk.only_step();
  if (step && repeat_few<T, kMostFew>(first + walk.offset(), step, rows, width, target)) return;
  for (std::int64_t i = 0; i < rows; ++i, walk.next()) {
    T element;
    std::memcpy(&element, first + walk.offset(), sizeof element);
    for (std::int64_t j = 0; j < width; ++j, target += sizeof element)
      std::memcpy(target, &element, sizeof element);
  }
}

// One element of `size` bytes for each of some rows, repeated for all points of the row.
inline void repeat_elements(RowWalk& walk, const std::byte* first, int size, std::int64_t rows,
                            std::int64_t width, std::byte* target) {
  switch (size) {
    case 1:
      return repeat_each<std::uint8_t>(walk, first, rows, width, target);
    case 2:
      return repeat_each<std::uint16_t>(walk, first, rows, width, target);
    case 4:
      return repeat_each<std::uint32_t>(walk, first, rows, width, target);
    case 8:
      return repeat_each<std::uint64_t>(walk, first, rows, width, target);
    default:
      return repeat_each<std::complex<double>>(walk, first, rows, width, target);
  }
}

}  // namespace strider::nd
