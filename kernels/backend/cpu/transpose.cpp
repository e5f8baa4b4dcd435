// Transposed copies of planes in small squares that live in registers.
#include <algorithm>
#include <cstring>

#include "kernels/backend/cpu/kernels.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

struct Wide {
  std::uint64_t low;
  std::uint64_t high;
};

// Squares of squares: 32 elements keep both sides in the first cache.
constexpr std::int64_t kTile = 32;

template <class T>
inline void copy_edge(const std::byte* source, std::int64_t source_step, std::byte* target,
                      std::int64_t target_step, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      std::memcpy(target + r * target_step + c * sizeof(T),
                  source + c * source_step + r * sizeof(T), sizeof(T));
    }
  }
}

// A square of four by four elements through vector shuffles.
template <class T>
inline void copy_square(const std::byte* source, std::int64_t source_step, std::byte* target,
                        std::int64_t target_step) {
  typedef T Four __attribute__((vector_size(4 * sizeof(T))));
  Four line[4];
  for (int c = 0; c < 4; ++c) std::memcpy(&line[c], source + c * source_step, sizeof(Four));
  Four low01 = __builtin_shufflevector(line[0], line[1], 0, 4, 2, 6);
  Four high01 = __builtin_shufflevector(line[0], line[1], 1, 5, 3, 7);
  Four low23 = __builtin_shufflevector(line[2], line[3], 0, 4, 2, 6);
  Four high23 = __builtin_shufflevector(line[2], line[3], 1, 5, 3, 7);
  Four rows[4] = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                  __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                  __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                  __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
  for (int r = 0; r < 4; ++r) std::memcpy(target + r * target_step, &rows[r], sizeof(Four));
}

template <class T>
inline void copy_tile(const std::byte* source, std::int64_t source_step, std::byte* target,
                      std::int64_t target_step, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kSize = sizeof(T);
  std::int64_t whole_rows = 0, whole_columns = 0;
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    whole_rows = rows - rows % 4;
    whole_columns = columns - columns % 4;
    for (std::int64_t r = 0; r < whole_rows; r += 4) {
      for (std::int64_t c = 0; c < whole_columns; c += 4) {
        copy_square<T>(source + c * source_step + r * kSize, source_step,
                       target + r * target_step + c * kSize, target_step);
      }
    }
  }
  copy_edge<T>(source + whole_columns * source_step, source_step, target + whole_columns * kSize,
               target_step, whole_rows, columns - whole_columns);
  copy_edge<T>(source + whole_rows * kSize, source_step, target + whole_rows * target_step,
               target_step, rows - whole_rows, columns);
}

template <class T>
void transpose(const std::byte* source, std::int64_t source_step, std::byte* target,
               std::int64_t target_step, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kSize = sizeof(T);
  for (std::int64_t r = 0; r < rows; r += kTile) {
    for (std::int64_t c = 0; c < columns; c += kTile) {
      copy_tile<T>(source + c * source_step + r * kSize, source_step,
                   target + r * target_step + c * kSize, target_step, std::min(kTile, rows - r),
                   std::min(kTile, columns - c));
    }
  }
}

}  // namespace

void fill_transpose(KernelTable& table) {
  table.transpose[0] = transpose<std::uint8_t>;
  table.transpose[1] = transpose<std::uint16_t>;
  table.transpose[2] = transpose<std::uint32_t>;
  table.transpose[3] = transpose<std::uint64_t>;
  table.transpose[4] = transpose<Wide>;
}

}  // namespace strider::nd::STRIDER_TARGET
