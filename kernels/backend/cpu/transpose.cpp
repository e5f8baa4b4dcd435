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

// Squares of squares, both sides of which stay in the first cache.
template <class T>
constexpr std::int64_t kTile = sizeof(T) == 16 ? 8 : 32;

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

template <class V>
inline V load_line(const std::byte* from) {
  V line;
  std::memcpy(&line, from, sizeof(V));
  return line;
}

template <class V>
inline void store_line(std::byte* to, const V& line) {
  std::memcpy(to, &line, sizeof(V));
}

// How many elements a side of the square has that is transposed in registers.
template <class T>
constexpr std::int64_t kSide = sizeof(T) <= 2    ? 8
                               : sizeof(T) == 16 ? 2
                                                 : 4;

template <class Word, int kCount>
struct LineOf {
  typedef Word Type __attribute__((vector_size(kCount * sizeof(Word))));
};

// The elements of two lines by turns: of their first halves, of their second halves.
template <class V>
inline V interleave(const V& a, const V& b, bool second) {
  if constexpr (sizeof(V) / sizeof(a[0]) == 8)
    return second ? __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
                  : __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  else
    return second ? __builtin_shufflevector(a, b, 2, 6, 3, 7)
                  : __builtin_shufflevector(a, b, 0, 4, 1, 5);
}

// Interleaving each line with the one half a square below, as often as the side halves, transposes.
template <class T>
inline void copy_square_by_turns(const std::byte* source, std::int64_t source_step,
                                 std::byte* target, std::int64_t target_step) {
  constexpr int kLines = kSide<T>, kHalf = kLines / 2;
  using Line = typename LineOf<T, kLines>::Type;
  Line lines[kLines], turned[kLines];
#pragma GCC unroll 8
  for (int i = 0; i < kLines; ++i) lines[i] = load_line<Line>(source + i * source_step);
#pragma GCC unroll 3
  for (int width = kLines; width > 1; width /= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < kLines; ++i)
      turned[i] = interleave(lines[i / 2], lines[i / 2 + kHalf], i % 2 == 1);
#pragma GCC unroll 8
    for (int i = 0; i < kLines; ++i) lines[i] = turned[i];
  }
#pragma GCC unroll 8
  for (int i = 0; i < kLines; ++i) store_line(target + i * target_step, lines[i]);
}

// Four by four words of eight bytes: two shuffles within halves of registers, two across them.
inline void copy_square_of_words(const std::byte* source, std::int64_t source_step,
                                 std::byte* target, std::int64_t target_step) {
  using Line = LineOf<std::uint64_t, 4>::Type;
  Line a = load_line<Line>(source), b = load_line<Line>(source + source_step),
       c = load_line<Line>(source + 2 * source_step), d = load_line<Line>(source + 3 * source_step);
  Line ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  Line ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  Line cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  Line cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  store_line(target, Line(__builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5)));
  store_line(target + target_step, Line(__builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5)));
  store_line(target + 2 * target_step, Line(__builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7)));
  store_line(target + 3 * target_step, Line(__builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7)));
}

// Two by two elements of sixteen bytes.
inline void copy_square_of_pairs(const std::byte* source, std::int64_t source_step,
                                 std::byte* target, std::int64_t target_step) {
  using Line = LineOf<std::uint64_t, 4>::Type;
  Line a = load_line<Line>(source), b = load_line<Line>(source + source_step);
  store_line(target, Line(__builtin_shufflevector(a, b, 0, 1, 4, 5)));
  store_line(target + target_step, Line(__builtin_shufflevector(a, b, 2, 3, 6, 7)));
}

template <class T>
inline void copy_square(const std::byte* source, std::int64_t source_step, std::byte* target,
                        std::int64_t target_step) {
  if constexpr (sizeof(T) == 16)
    copy_square_of_pairs(source, source_step, target, target_step);
  else if constexpr (sizeof(T) == 8)
    copy_square_of_words(source, source_step, target, target_step);
  else
    copy_square_by_turns<T>(source, source_step, target, target_step);
}

template <class T>
inline void copy_tile(const std::byte* source, std::int64_t source_step, std::byte* target,
                      std::int64_t target_step, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kSize = sizeof(T);
  std::int64_t whole_rows = rows - rows % kSide<T>;
  std::int64_t whole_columns = columns - columns % kSide<T>;
  for (std::int64_t r = 0; r < whole_rows; r += kSide<T>) {
    for (std::int64_t c = 0; c < whole_columns; c += kSide<T>) {
      copy_square<T>(source + c * source_step + r * kSize, source_step,
                     target + r * target_step + c * kSize, target_step);
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
  for (std::int64_t r = 0; r < rows; r += kTile<T>) {
    for (std::int64_t c = 0; c < columns; c += kTile<T>) {
      copy_tile<T>(source + c * source_step + r * kSize, source_step,
                   target + r * target_step + c * kSize, target_step, std::min(kTile<T>, rows - r),
                   std::min(kTile<T>, columns - c));
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
