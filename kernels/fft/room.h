// Room for lines and for blocks of columns, and how many columns a block has.
#pragma once

#include <strider/nd/array.h>

#include <algorithm>

#include "kernels/fft/plan.h"

namespace strider::nd {

// Vectors of so many rows that keep two blocks in the first cache, or else, of at most `wanted`, in
// the second one, where there are `columns`.
template <class T>
std::int64_t vectors_of_block(std::int64_t rows, std::int64_t columns, std::int64_t wanted) {
  constexpr std::int64_t kFirst = 40 << 10, kSecond = 256 << 10;
  std::int64_t lanes = fourier_kernels<T>().lanes;
  std::int64_t vector = 4 * rows * lanes * static_cast<std::int64_t>(sizeof(T));
  std::int64_t fitting = std::max(kFirst / vector, std::min(wanted, kSecond / vector));
  return std::clamp<std::int64_t>(fitting, 1, (columns + lanes - 1) / lanes);
}

// Memory that one thread uses again and again.
template <class T>
class Room {
 public:
  // Numbers that are not set; what the last call gave is lost.
  T* numbers(std::int64_t count) {
    if (count > count_) {
      memory_ = Array();
      memory_ = Array::empty({count * static_cast<std::int64_t>(sizeof(T))}, DType::kUInt8);
      numbers_ = reinterpret_cast<T*>(memory_.mutable_data());
      count_ = count;
    }
    return numbers_;
  }

  // Blocks of so many rows, for passes of the plan.
  Blocks<T> blocks(const FftPlan<T>& plan, std::int64_t rows, std::int64_t vectors) {
    std::int64_t wide = 2 * fourier_kernels<T>().lanes, block = rows * vectors * wide;
    T* all = numbers(2 * block + plan.work_rows() * wide);
    return {all, all + block, all + 2 * block, vectors};
  }

 private:
  Array memory_;
  T* numbers_ = nullptr;
  std::int64_t count_ = 0;
};

// What a line is transformed in.
template <class T>
struct LineRoom {
  Room<T> blocks, line, second;
};

}  // namespace strider::nd
