// Moves between memory and blocks, for one instruction set.
#include <algorithm>

#include "kernels/backend/cpu/fourier/fourier.h"
#include "kernels/backend/cpu/fourier/vectors.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

template <class T, class S>
inline Vector<T> converted(const Vector<T, S>& value) {
  if constexpr (sizeof(T) == sizeof(S))
    return value;
  else
    return __builtin_convertvector(value, Vector<T>);
}

template <class S, class T>
inline Vector<T, S> narrowed(const Vector<T>& value) {
  if constexpr (sizeof(T) == sizeof(S))
    return value;
  else
    return __builtin_convertvector(value, Vector<T, S>);
}

// Which numbers of an element are there, and whether they are exchanged.
template <int kWidth, bool kExchanged>
struct Form {
  static constexpr int width = kWidth;
  // Where number n of an element lies in a vector of a block.
  template <class T>
  static constexpr std::int64_t place(std::int64_t n) {
    return (n % kWidth == 1) != kExchanged ? kLanes<T> : 0;
  }
};

// Calls run(form) for the form of a sheet.
template <class S, class Run>
inline void with_form(const FourierSheet<S>& sheet, Run&& run) {
  if (sheet.width == 1) return sheet.exchanged ? run(Form<1, true>{}) : run(Form<1, false>{});
  return sheet.exchanged ? run(Form<2, true>{}) : run(Form<2, false>{});
}

// A vector of elements in a row, of which `count` numbers are there.
template <class T, class F, class S>
inline void load_vector(const S* from, std::int64_t count, T* block) {
  using Given = Vector<T, S>;
  Vector<T> low = converted<T, S>(load_some<Given>(from, count)), im{};
  if constexpr (F::width == 2) {
    Vector<T> high = converted<T, S>(load_some<Given>(from + kLanes<T>, count - kLanes<T>));
    im = parted(low, high, true);
    low = parted(low, high, false);
  }
  store(block + F::template place<T>(0), low);
  store(block + kLanes<T> - F::template place<T>(0), im);
}

template <class T, class F, class S>
inline void load_row(const S* row, std::int64_t numbers, std::int64_t there, T* block) {
  constexpr std::int64_t kWide = F::width * kLanes<T>;
  std::int64_t at = 0, count = std::min(numbers, there);
  for (; at + kWide <= count; at += kWide, block += 2 * kLanes<T>)
    load_vector<T, F, S>(row + at, kWide, block);
  for (; at < numbers; at += kWide, block += 2 * kLanes<T>)
    load_vector<T, F, S>(row + at, count - at, block);
}

// Real numbers in a row become one part of a row of a block.
template <class T, class S>
inline void load_part(const S* row, std::int64_t numbers, std::int64_t there, T* block) {
  for (std::int64_t at = 0; at < numbers; at += kLanes<T>)
    store(block + 2 * at,
          converted<T, S>(load_some<Vector<T, S>>(row + at, std::min(numbers, there) - at)));
}

template <class T, class S>
void load_pairs(const FourierSheet<const S>& sheet, std::int64_t row, T* block) {
  for (std::int64_t r = 0; r < 2 * sheet.points; ++r) {
    bool second = (r % 2 == 1) != sheet.exchanged;
    load_part<T, S>(sheet.numbers + r * sheet.step, sheet.columns, sheet.there - r * sheet.step,
                    block + r / 2 * row + (second ? kLanes<T> : 0));
  }
}

template <class T, class S>
void store_pairs(const T* block, T factor, std::int64_t row, const FourierSheet<S>& sheet) {
  for (std::int64_t r = 0; r < 2 * sheet.points; ++r) {
    bool second = (r % 2 == 1) != sheet.exchanged;
    const T* from = block + r / 2 * row + (second ? kLanes<T> : 0);
    for (std::int64_t at = 0; at < sheet.columns; at += kLanes<T>)
      store_some(sheet.numbers + r * sheet.step + at,
                 narrowed<S, T>(factor * load<Vector<T>>(from + 2 * at)), sheet.columns - at);
  }
}

template <class T, class S>
void load_rows(const FourierSheet<const S>& sheet, T* block) {
  std::int64_t row = (sheet.columns + kLanes<T> - 1) / kLanes<T> * 2 * kLanes<T>;
  if (sheet.pairs) return load_pairs(sheet, row, block);
  with_form(sheet, [&]<class F>(F) {
    for (std::int64_t p = 0; p < sheet.points; ++p)
      load_row<T, F, S>(sheet.numbers + p * sheet.step, sheet.columns * F::width,
                        sheet.there - p * sheet.step, block + p * row);
  });
}

template <class T, class F, class S>
inline void store_vector(const T* block, T factor, std::int64_t count, S* to) {
  Vector<T> re = factor * load<Vector<T>>(block + F::template place<T>(0));
  if constexpr (F::width == 1) return store_some(to, narrowed<S, T>(re), count);
  Vector<T> im = factor * load<Vector<T>>(block + kLanes<T> - F::template place<T>(0));
  store_some(to, narrowed<S, T>(interleaved(re, im, false)), count);
  store_some(to + kLanes<T>, narrowed<S, T>(interleaved(re, im, true)), count - kLanes<T>);
}

template <class T, class F, class S>
inline void store_row(const T* block, T factor, std::int64_t numbers, S* row) {
  constexpr std::int64_t kWide = F::width * kLanes<T>;
  std::int64_t at = 0;
  for (; at + kWide <= numbers; at += kWide, block += 2 * kLanes<T>)
    store_vector<T, F, S>(block, factor, kWide, row + at);
  if (at < numbers) store_vector<T, F, S>(block, factor, numbers - at, row + at);
}

template <class T, class S>
void store_rows(const T* block, T factor, const FourierSheet<S>& sheet) {
  std::int64_t row = (sheet.columns + kLanes<T> - 1) / kLanes<T> * 2 * kLanes<T>;
  if (sheet.pairs) return store_pairs(block, factor, row, sheet);
  with_form(sheet, [&]<class F>(F) {
    for (std::int64_t p = 0; p < sheet.points; ++p)
      store_row<T, F, S>(block + p * row, factor, sheet.columns * F::width,
                         sheet.numbers + p * sheet.step);
  });
}

// The numbers of a vector of lines, from `number` on, as so many vectors of a block.
template <class T, class F>
[[gnu::always_inline]] inline void put_square(const Vector<T>* square, std::int64_t number,
                                              int count, std::int64_t row, T* block) {
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) {
    T* to = block + (number + i) / F::width * row;
    store(to + F::template place<T>(i), square[i]);
    if (F::width == 1) store(to + kLanes<T> - F::template place<T>(i), Vector<T>{});
  }
}

// `lines` lines, of which `there` numbers are there, become a vector of a block.
template <class T, class F, class S>
inline void load_vector_of_lines(const FourierSheet<const S>& sheet, const S* from,
                                 std::int64_t lines, std::int64_t row, T* block) {
  constexpr int kSide = kLanes<T>;
  std::int64_t numbers = sheet.points * F::width, there = std::min(sheet.there, numbers), n = 0;
  Vector<T> square[kSide];
  for (; lines >= kSide && n + kSide <= there; n += kSide) {
#pragma GCC unroll 16
    for (int i = 0; i < kSide; ++i)
      square[i] = converted<T, S>(load<Vector<T, S>>(from + i * sheet.step + n));
    transpose_square(square);
    put_square<T, F>(square, n, kSide, row, block);
  }
  for (; n < numbers; n += kSide) {
    for (int i = 0; i < kSide; ++i)
      square[i] =
          i < lines && n < there
              ? converted<T, S>(load_some<Vector<T, S>>(from + i * sheet.step + n, there - n))
              : Vector<T>{};
    transpose_square(square);
    auto count = static_cast<int>(std::min<std::int64_t>(kSide, numbers - n));
    put_square<T, F>(square, n, count, row, block);
  }
}

template <class T, class S>
void load_lines(const FourierSheet<const S>& sheet, T* block) {
  std::int64_t row = (sheet.columns + kLanes<T> - 1) / kLanes<T> * 2 * kLanes<T>;
  with_form(sheet, [&]<class F>(F) {
    for (std::int64_t c = 0; c < sheet.columns; c += kLanes<T>, block += 2 * kLanes<T>)
      load_vector_of_lines<T, F, S>(sheet, sheet.numbers + c * sheet.step, sheet.columns - c, row,
                                    block);
  });
}

template <class T, class F>
[[gnu::always_inline]] inline void take_square(const T* block, T factor, std::int64_t number,
                                               int count, std::int64_t row, Vector<T>* square) {
#pragma GCC unroll 16
  for (int i = 0; i < kLanes<T>; ++i) {
    const T* from = block + (number + i) / F::width * row + F::template place<T>(i);
    square[i] = i < count ? factor * load<Vector<T>>(from) : Vector<T>{};
  }
  transpose_square(square);
}

// A vector of a block becomes `lines` lines.
template <class T, class F, class S>
inline void store_vector_of_lines(const T* block, T factor, std::int64_t row, std::int64_t lines,
                                  const FourierSheet<S>& sheet, S* to) {
  constexpr int kSide = kLanes<T>;
  std::int64_t numbers = sheet.points * F::width, n = 0;
  Vector<T> square[kSide];
  for (; lines >= kSide && n + kSide <= numbers; n += kSide) {
    take_square<T, F>(block, factor, n, kSide, row, square);
#pragma GCC unroll 16
    for (int i = 0; i < kSide; ++i) store(to + i * sheet.step + n, narrowed<S, T>(square[i]));
  }
  for (; n < numbers; n += kSide) {
    auto count = static_cast<int>(std::min<std::int64_t>(kSide, numbers - n));
    take_square<T, F>(block, factor, n, count, row, square);
    for (int i = 0; i < std::min<std::int64_t>(kSide, lines); ++i)
      store_some(to + i * sheet.step + n, narrowed<S, T>(square[i]), numbers - n);
  }
}

template <class T, class S>
void store_lines(const T* block, T factor, const FourierSheet<S>& sheet) {
  std::int64_t row = (sheet.columns + kLanes<T> - 1) / kLanes<T> * 2 * kLanes<T>;
  with_form(sheet, [&]<class F>(F) {
    for (std::int64_t c = 0; c < sheet.columns; c += kLanes<T>, block += 2 * kLanes<T>)
      store_vector_of_lines<T, F, S>(block, factor, row, sheet.columns - c, sheet,
                                     sheet.numbers + c * sheet.step);
  });
}

template <class T, class S>
void fill(FourierMoves<T, S>& moves) {
  moves.load_rows = load_rows<T, S>;
  moves.load_lines = load_lines<T, S>;
  moves.store_rows = store_rows<T, S>;
  moves.store_lines = store_lines<T, S>;
}

}  // namespace

void fill_fourier_moves(FourierKernels<float>& kernels) {
  fill(kernels.moves);
  fill(kernels.narrow);
}
void fill_fourier_moves(FourierKernels<double>& kernels) {
  fill(kernels.moves);
  fill(kernels.narrow);
}

}  // namespace strider::nd::STRIDER_TARGET
