// Blocks of lines, shared among threads.
#include "kernels/fft/stacks.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>

#include "kernels/fft/line.h"
#include "kernels/fft/room.h"

namespace strider::nd {
namespace {

// Some lines: of a plane, or of all packed ones.
struct Piece {
  std::int64_t plane, first, count;
};

// Moves a piece of lines between memory, where points are `width` numbers, and a block.
template <class T, class S>
class Mover {
 public:
  Mover(const Lines<S>& lines, Piece piece, T* block)
      : lines_(lines), piece_(piece), block_(block) {}

  void load(std::int64_t points, int width, bool exchanged = false) const {
    auto sheet = sheet_of(lines_.from, points, width, lines_.given);
    sheet.exchanged = exchanged;
    load_sheet(sheet);
  }
  void load_pairs(std::int64_t pairs) const {
    load_sheet(as_pairs(sheet_of(lines_.from, pairs, 1, lines_.given)));
  }
  void store(const T* block, T factor, std::int64_t points, int width,
             bool exchanged = false) const {
    auto sheet = sheet_of(lines_.to, points, width, points);
    sheet.exchanged = exchanged;
    store_sheet(block, factor, sheet);
  }
  void store_pairs(const T* block, T factor, std::int64_t pairs, bool exchanged) const {
    auto sheet = as_pairs(sheet_of(lines_.to, pairs, 1, 2 * pairs));
    sheet.exchanged = exchanged;
    store_sheet(block, factor, sheet);
  }

 private:
  bool packed() const { return lines_.columns == 1; }

  void load_sheet(const FourierSheet<const S>& sheet) const {
    const auto& moves = fourier_moves<T, S>();
    (packed() ? moves.load_lines : moves.load_rows)(sheet, block_);
  }
  void store_sheet(const T* block, T factor, const FourierSheet<S>& sheet) const {
    const auto& moves = fourier_moves<T, S>();
    (packed() ? moves.store_lines : moves.store_rows)(block, factor, sheet);
  }

  // A pair of real numbers is a complex one, or has two rows.
  template <class Number>
  FourierSheet<Number> as_pairs(FourierSheet<Number> sheet) const {
    if (packed())
      sheet.width = 2;
    else
      sheet.pairs = true;
    return sheet;
  }

  // Lines of `whole` points each in memory, of which a block has so many.
  template <class Number>
  FourierSheet<Number> sheet_of(Number* numbers, std::int64_t points, int width,
                                std::int64_t whole) const {
    FourierSheet<Number> sheet{numbers, points, piece_.count, whole * width, whole * width};
    sheet.width = width;
    if (packed()) {
      sheet.numbers += piece_.first * sheet.step;
      return sheet;
    }
    std::int64_t plane = whole * lines_.columns * width, skipped = piece_.first * width;
    sheet.numbers += piece_.plane * plane + skipped;
    sheet.step = lines_.columns * width;
    sheet.there = plane - skipped;
    return sheet;
  }

  const Lines<S>& lines_;
  Piece piece_;
  T* block_;
};

// Calls body(blocks, mover) for blocks of lines.
template <class T, class S, class Body>
void for_each_piece(const FftPlan<T>& plan, const Lines<S>& lines, Body&& body) {
  std::int64_t rows = plan.block_rows(), lanes = fourier_kernels<T>().lanes;
  std::int64_t beside = lines.columns == 1 ? lines.count : lines.columns;
  std::int64_t wanted = lines.columns == 1 ? 1 : 4;
  std::int64_t vectors = vectors_of_block<T>(rows, beside, wanted), width = vectors * lanes;
  std::int64_t each = (beside + width - 1) / width, planes = lines.count / beside;
  std::int64_t grain = std::max<std::int64_t>(1, worth_a_thread(kPointsOfThread) / (rows * width));
  parallel_for(planes * each, grain, [&](std::int64_t begin, std::int64_t end) {
    Room<T> room;
    for (std::int64_t n = begin; n < end && !interrupt_requested(); ++n) {
      Piece piece{n / each, n % each * width, std::min(width, beside - n % each * width)};
      Blocks<T> blocks = room.blocks(plan, rows, (piece.count + lanes - 1) / lanes);
      body(blocks, Mover<T, S>(lines, piece, blocks.now));
    }
  });
  check_interrupt();
}

// The numbers of row k of a block, real and imaginary parts: body(place, re, im).
template <class T, class Body>
void for_each_column(const Blocks<T>& blocks, std::int64_t row, Body&& body) {
  std::int64_t lanes = fourier_kernels<T>().lanes;
  T* numbers = blocks.now + row * blocks.vectors * 2 * lanes;
  for (std::int64_t at = 0; at < blocks.vectors * 2 * lanes; at += 2 * lanes)
    for (std::int64_t i = at; i < at + lanes; ++i) body(i, numbers[i], numbers[i + lanes]);
}

// The ends of spectra of real columns become real.
template <class T>
void clear_ends(const Blocks<T>& blocks, std::int64_t length) {
  auto clear = [](std::int64_t, T&, T& im) { im = 0; };
  for_each_column(blocks, 0, clear);
  if (length % 2 == 0) for_each_column(blocks, length / 2, clear);
}

// The other halves of spectra of real columns, all of them conjugated, so that a forward transform
// goes back.
template <class T>
void complete(const Blocks<T>& blocks, std::int64_t length, bool conjugated) {
  clear_ends(blocks, length);
  std::int64_t lanes = fourier_kernels<T>().lanes, row = blocks.vectors * 2 * lanes;
  for (std::int64_t k = 0; k < length / 2 + 1; ++k) {
    T* opposite = blocks.now + (length - k) * row;
    for_each_column(blocks, k, [&](std::int64_t i, T& re, T& im) {
      if (!conjugated) im = -im;
      if (k == 0 || 2 * k == length) return;
      opposite[i] = re;
      opposite[i + lanes] = -im;
    });
  }
}

template <class T>
FourierHalves<T> halves_of(const FftPlan<T>& plan, const Blocks<T>& blocks) {
  return {blocks.now, blocks.vectors, plan.length(), plan.roots(), T(1), false};
}

}  // namespace

template <class T, class S>
void stack_c2c(const Lines<S>& lines, std::int64_t length, bool forward, T factor) {
  auto plan = plan_of<T>(length, FftKind::kComplex, FftUse::kColumns);
  for_each_piece(*plan, lines, [&](Blocks<T> blocks, const Mover<T, S>& mover) {
    mover.load(length, 2, !forward);
    plan->run(blocks);
    mover.store(blocks.now, factor, length, 2, !forward);
  });
}

// Real lines as columns of complex ones.
template <class T, class S>
void stack_r2c_whole(const Lines<S>& lines, std::int64_t length, T factor) {
  bool is_short = length < kShortReal;
  auto plan =
      plan_of<T>(length, is_short ? FftKind::kShortReal : FftKind::kComplex, FftUse::kColumns);
  std::int64_t kept = length / 2 + 1;
  for_each_piece(*plan, lines, [&](Blocks<T> blocks, const Mover<T, S>& mover) {
    mover.load(length, 1);
    is_short ? plan->run_in_time(blocks) : plan->run(blocks);
    clear_ends(blocks, length);
    mover.store(blocks.now, factor, kept, 2);
  });
}

template <class T, class S>
void stack_r2c_pairs(const Lines<S>& lines, std::int64_t length, T factor) {
  auto plan = plan_of<T>(length / 2, FftKind::kPairs, FftUse::kColumns);
  std::int64_t half = length / 2, kept = half + 1;
  for_each_piece(*plan, lines, [&](Blocks<T> blocks, const Mover<T, S>& mover) {
    mover.load_pairs(half);
    plan->run(blocks);
    FourierHalves<T> halves = halves_of(*plan, blocks);
    halves.factor = factor;
    fourier_kernels<T>().part_columns(halves);
    mover.store(blocks.now, T(1), kept, 2);
  });
}

template <class T, class S>
void stack_c2r_whole(const Lines<S>& lines, std::int64_t length, bool conjugated, T factor) {
  bool is_short = length < kShortReal;
  auto plan =
      plan_of<T>(length, is_short ? FftKind::kShortReal : FftKind::kComplex, FftUse::kColumns);
  for_each_piece(*plan, lines, [&](Blocks<T> blocks, const Mover<T, S>& mover) {
    mover.load(length / 2 + 1, 2);
    complete(blocks, length, conjugated);
    plan->run(blocks);
    mover.store(blocks.now, factor, length, 1);
  });
}

template <class T, class S>
void stack_c2r_pairs(const Lines<S>& lines, std::int64_t length, bool conjugated, T factor) {
  auto plan = plan_of<T>(length / 2, FftKind::kPairs, FftUse::kColumns);
  std::int64_t half = length / 2;
  for_each_piece(*plan, lines, [&](Blocks<T> blocks, const Mover<T, S>& mover) {
    mover.load(half + 1, 2);
    FourierHalves<T> halves = halves_of(*plan, blocks);
    halves.conjugated = conjugated;
    fourier_kernels<T>().join_columns(halves);
    plan->run(blocks);
    mover.store_pairs(blocks.now, factor, half, true);
  });
}

#define STRIDER_STACKS(T, S)                                                                   \
  template void stack_c2c(const Lines<S>& lines, std::int64_t length, bool forward, T factor); \
  template void stack_r2c_whole(const Lines<S>& lines, std::int64_t length, T factor);         \
  template void stack_r2c_pairs(const Lines<S>& lines, std::int64_t length, T factor);         \
  template void stack_c2r_whole(const Lines<S>& lines, std::int64_t length, bool conjugated,   \
                                T factor);                                                     \
  template void stack_c2r_pairs(const Lines<S>& lines, std::int64_t length, bool conjugated,   \
                                T factor);
STRIDER_STACKS(float, float)
STRIDER_STACKS(double, float)
STRIDER_STACKS(double, double)

}  // namespace strider::nd
