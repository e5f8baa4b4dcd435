// LoopNest: the shortest nest of loops that visits every element of several operands of one shape.
// Axes that lie one behind the other in all operands are merged; the innermost steps least.
#pragma once

#include <strider/nd/dims.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace strider::nd {

template <int kOperands>
struct LoopNest {
  int rank = 0;                    // at least 1 once planned
  std::int64_t extents[kMaxRank];  // axis 0 is the innermost
  std::int64_t strides[kOperands][kMaxRank];

  // Plans the loops; `steps[i]` are the strides of operand i in bytes, one per axis of `shape`.
  // Operand 0 decides the order of axes; with `keep_order` axes stay in C order.
  void plan(const Dims& shape, const std::int64_t* const (&steps)[kOperands],
            bool keep_order = false) {
    rank = 0;
    gather(shape, steps);
    if (rank > 1 && !keep_order) sort();
    finish();
  }

  // The same, but an axis moves inwards only if all the `voters` (bits of operands) agree.
  void plan_unanimously(const Dims& shape, const std::int64_t* const (&steps)[kOperands],
                        unsigned voters) {
    rank = 0;
    gather(shape, steps);
    for (int a = 1; a < rank; ++a) {
      for (int b = a; b > 0 && all_inside(b, b - 1, voters); --b) swap_axes(b, b - 1);
    }
    finish();
  }

  // Makes the axis along which an operand stands still the innermost one.
  void bring_inside(int operand) {
    for (int axis = 1; axis < rank; ++axis) {
      if (strides[operand][axis] != 0) continue;
      for (int a = axis; a > 0; --a) swap_axes(a, a - 1);
      return;
    }
  }

  std::int64_t count() const {
    std::int64_t product = 1;
    for (int axis = 0; axis < rank; ++axis) product *= extents[axis];
    return product;
  }

  // Calls row(pointers, count) for each innermost loop with `axis` cut to [begin, end).
  template <class Row>
  void visit(std::byte* const (&first)[kOperands], int axis, std::int64_t begin, std::int64_t end,
             Row&& row) const {
    std::byte* pointers[kOperands];
    for (int i = 0; i < kOperands; ++i) pointers[i] = first[i] + begin * strides[i][axis];
    std::int64_t limits[kMaxRank];
    for (int a = 0; a < rank; ++a) limits[a] = a == axis ? end - begin : extents[a];
    for (int a = 0; a < rank; ++a) {
      if (limits[a] == 0) return;
    }
    std::int64_t index[kMaxRank];
    std::fill_n(index, rank, 0);
    for (;;) {
      row(pointers, limits[0]);
      int a = 1;
      for (; a < rank; ++a) {
        if (++index[a] < limits[a]) {
          for (int i = 0; i < kOperands; ++i) pointers[i] += strides[i][a];
          break;
        }
        index[a] = 0;
        for (int i = 0; i < kOperands; ++i) pointers[i] -= strides[i][a] * (limits[a] - 1);
      }
      if (a == rank) return;
    }
  }
  template <class Row>
  void visit(std::byte* const (&first)[kOperands], Row&& row) const {
    visit(first, rank - 1, 0, extents[rank - 1], row);
  }

  // The axis to cut between threads: the outermost that is long enough, else the longest.
  int axis_to_cut(std::int64_t wanted) const {
    for (int axis = rank - 1; axis > 0; --axis) {
      if (extents[axis] >= wanted) return axis;
    }
    return static_cast<int>(std::max_element(extents, extents + rank) - extents);
  }

 private:
  void gather(const Dims& shape, const std::int64_t* const (&steps)[kOperands]) {
    for (int axis = shape.size() - 1; axis >= 0; --axis) {
      if (shape[axis] == 1) continue;
      extents[rank] = shape[axis];
      for (int i = 0; i < kOperands; ++i) strides[i][rank] = steps[i][axis];
      ++rank;
    }
  }
  void finish() {
    if (rank > 1) merge();
    if (rank != 0) return;
    rank = 1;
    extents[0] = 1;
    for (int i = 0; i < kOperands; ++i) strides[i][0] = 0;
  }
  bool all_inside(int a, int b, unsigned voters) const {
    bool inside = false;
    for (int i = 0; i < kOperands; ++i) {
      std::int64_t step_a = std::abs(strides[i][a]), step_b = std::abs(strides[i][b]);
      if (!(voters >> i & 1) || step_a == 0 || step_b == 0) continue;
      if (step_b <= step_a) return false;
      inside = true;
    }
    return inside;
  }
  // True when axis a should lie inside axis b: the first operand whose steps tell decides.
  bool inside(int a, int b) const {
    for (int i = 0; i < kOperands; ++i) {
      std::int64_t step_a = std::abs(strides[i][a]);
      std::int64_t step_b = std::abs(strides[i][b]);
      if (step_a != step_b && step_a != 0 && step_b != 0) return step_a < step_b;
    }
    return false;
  }
  void swap_axes(int a, int b) {
    std::swap(extents[a], extents[b]);
    for (int i = 0; i < kOperands; ++i) std::swap(strides[i][a], strides[i][b]);
  }
  void sort() {
    for (int a = 1; a < rank; ++a) {
      for (int b = a; b > 0 && inside(b, b - 1); --b) swap_axes(b, b - 1);
    }
  }
  void merge() {
    int last = 0;
    for (int axis = 1; axis < rank; ++axis) {
      bool joined = true;
      for (int i = 0; i < kOperands; ++i) {
        joined = joined && strides[i][axis] == strides[i][last] * extents[last];
      }
      if (joined) {
        extents[last] *= extents[axis];
        continue;
      }
      ++last;
      extents[last] = extents[axis];
      for (int i = 0; i < kOperands; ++i) strides[i][last] = strides[i][axis];
    }
    rank = last + 1;
  }
};

}  // namespace strider::nd
