// Room behind what the library reads. OpenBLAS's complex dot and gemv, as g++ 12 vectorizes them,
// read one element more than a vector has; behind a row of a matrix that is one of the column that
// would follow. Here there is one. Knows no routines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/linalg/library.h"

namespace strider::nd {

template <class T>
inline constexpr bool kNeedsRoom = kHasImaginary<T>;

// A matrix for a routine: where nothing follows it, a copy with a column's room behind, which
// becomes the matrix at the end. Without elements: `at` itself.
template <class T>
class RoomyMatrix {
 public:
  RoomyMatrix(T* at, std::int64_t rows, std::int64_t columns, bool is_followed)
      : at_(at), count_(rows * columns) {
    if (!kNeedsRoom<T> || is_followed || count_ == 0) return;
    copy_.resize(static_cast<std::size_t>(count_ + rows));
    std::copy_n(at, count_, copy_.data());
  }
  ~RoomyMatrix() {
    if (!copy_.empty()) std::copy_n(copy_.data(), count_, at_);
  }
  RoomyMatrix(const RoomyMatrix&) = delete;

  T* get() { return copy_.empty() ? at_ : copy_.data(); }

 private:
  T* at_;
  std::int64_t count_;
  std::vector<T> copy_;
};

// The matrix of this number in a stack of `count`.
template <class T>
RoomyMatrix<T> roomy_matrix(T* stack, std::int64_t number, std::int64_t count, std::int64_t rows,
                            std::int64_t columns) {
  return {stack + number * rows * columns, rows, columns, number + 1 < count};
}

// Work space of a size that a routine has asked for; it makes matrices of so many rows there.
template <class T>
void make_work_space(std::vector<T>& space, int size, std::int64_t rows) {
  std::int64_t room = kNeedsRoom<T> ? rows + 1 : 0;
  space.resize(static_cast<std::size_t>(size + room));
}

// Whether gemv reads on in its vector, from a matrix with this many rows: two are left over from
// fours.
template <class T>
bool reads_on(std::int64_t rows) {
  return kNeedsRoom<T> && rows % 4 == 2;
}

// A vector for a routine: where that reads on, packed, with an element's room behind.
template <class T>
class RoomyVector {
 public:
  RoomyVector(const T* at, int step, std::int64_t count, bool is_read_on) : at_(at), step_(step) {
    if (!is_read_on) return;
    copy_.resize(static_cast<std::size_t>(count + 1));
    for (std::int64_t i = 0; i < count; ++i) copy_[static_cast<std::size_t>(i)] = at[i * step];
    at_ = copy_.data();
    step_ = 1;
  }
  RoomyVector(const RoomyVector&) = delete;

  const T* at() const { return at_; }
  const int& step() const { return step_; }

 private:
  const T* at_;
  int step_;
  std::vector<T> copy_;
};

}  // namespace strider::nd
