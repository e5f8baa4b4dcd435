// Walk: several operands of one shape visited together, row by row, with as few axes as their
// strides allow. Knows bytes only, not element types.
#pragma once

#include <strider/nd/dims.h>

#include <array>

namespace strider::nd {

template <int kOperands>
class Walk {
 public:
  using Offsets = std::array<std::int64_t, kOperands>;

  // Strides in bytes, one list per operand, all as long as `shape`.
  Walk(const Dims& shape, const std::array<const Dims*, kOperands>& strides) {
    for (int axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] == 0) empty_ = true;
      if (shape[axis] != 1) push(shape[axis], strides, axis);
    }
  }

  bool empty() const { return empty_; }
  int rank() const { return rank_; }
  // The length of the innermost rows and the steps along them.
  std::int64_t row_length() const { return rank_ ? extent_[rank_ - 1] : 1; }
  Offsets row_steps() const { return rank_ ? step_[rank_ - 1] : Offsets{}; }

  // Calls row(offsets) at the first element of every innermost row, in C order.
  template <class Row>
  void for_each_row(Row&& row) const {
    if (!empty_) visit(0, Offsets{}, row);
  }

 private:
  void push(std::int64_t extent, const std::array<const Dims*, kOperands>& strides, int axis) {
    bool merges = rank_ > 0;
    for (int k = 0; merges && k < kOperands; ++k)
      merges = step_[rank_ - 1][k] == (*strides[k])[axis] * extent;
    int at = merges ? rank_ - 1 : rank_++;
    extent_[at] = merges ? extent_[at] * extent : extent;
    for (int k = 0; k < kOperands; ++k) step_[at][k] = (*strides[k])[axis];
  }

  template <class Row>
  void visit(int axis, Offsets offsets, Row& row) const {
    if (axis >= rank_ - 1) {
      row(offsets);
      return;
    }
    for (std::int64_t i = 0; i < extent_[axis]; ++i) {
      visit(axis + 1, offsets, row);
      for (int k = 0; k < kOperands; ++k) offsets[k] += step_[axis][k];
    }
  }

  bool empty_ = false;
  int rank_ = 0;
  std::int64_t extent_[kMaxRank];
  Offsets step_[kMaxRank];
};

// Calls body(T{}) with an unsigned type of `item` bytes (1, 2, 4, 8) or a pair of words (16).
struct Word128 {
  std::uint64_t low, high;
};
template <class Body>
void dispatch_size(int item, Body&& body) {
  switch (item) {
    case 1:
      return body(std::uint8_t{});
    case 2:
      return body(std::uint16_t{});
    case 4:
      return body(std::uint32_t{});
    case 8:
      return body(std::uint64_t{});
    default:
      return body(Word128{});
  }
}

}  // namespace strider::nd
