// Lines as tables: the columns of the table, transposed, then what were its rows, each in blocks
// that stay in a cache.
#include "kernels/fft/line.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <type_traits>

#include "kernels/fft/bluestein.h"
#include "kernels/fft/room.h"

namespace strider::nd {
namespace {

// Calls body(blocks, first column, columns) for blocks of so many rows.
template <class T, class Body>
void for_each_block(const FftPlan<T>& plan, std::int64_t rows, std::int64_t columns, Room<T>& room,
                    Body&& body) {
  std::int64_t vectors = vectors_of_block<T>(rows, columns, 8), lanes = fourier_kernels<T>().lanes;
  std::int64_t width = vectors * lanes;
  if (width >= columns) return body(room.blocks(plan, rows, vectors), 0, columns);
  std::int64_t grain = std::max<std::int64_t>(1, worth_a_thread(kPointsOfThread) / (rows * width));
  parallel_for((columns + width - 1) / width, grain, [&](std::int64_t begin, std::int64_t end) {
    Room<T> own;
    for (std::int64_t n = begin; n < end && !interrupt_requested(); ++n) {
      std::int64_t first = n * width, count = std::min(width, columns - first);
      body(own.blocks(plan, rows, (count + lanes - 1) / lanes), first, count);
    }
  });
  check_interrupt();
}

// A table's columns, each of which becomes a row of `to`.
template <class T, class From>
void transform_columns(const FftPlan<T>& plan, const LineSource<From>& from, bool forward, T* to,
                       Room<T>& room) {
  std::int64_t rows = plan.rows(), columns = plan.columns();
  for_each_block(plan, rows, columns, room,
                 [&](Blocks<T> blocks, std::int64_t first, std::int64_t count) {
                   std::int64_t skipped = first * from.width;
                   FourierSheet<const From> sheet{from.numbers + skipped, rows, count,
                                                  columns * from.width, from.there - skipped};
                   sheet.width = from.width;
                   sheet.exchanged = !forward;
                   fourier_moves<T, From>().load_rows(sheet, blocks.now);
                   plan.run_columns(blocks, first);
                   FourierSheet<T> made{to + 2 * first * rows, rows, count, 2 * rows, 0};
                   fourier_moves<T, T>().store_lines(blocks.now, T(1), made);
                 });
}

// What were the rows, columns of `from` now; may be in place.
template <class T, class To>
void transform_rows(const FftPlan<T>& plan, const T* from, bool forward, T factor, To* to,
                    Room<T>& room) {
  std::int64_t rows = plan.rows(), columns = plan.columns(), all = 2 * plan.length();
  for_each_block(
      plan, columns, rows, room, [&](Blocks<T> blocks, std::int64_t first, std::int64_t count) {
        FourierSheet<const T> sheet{from + 2 * first, columns, count, 2 * rows, all - 2 * first};
        fourier_moves<T, T>().load_rows(sheet, blocks.now);
        plan.run_rows(blocks);
        FourierSheet<To> made{to + 2 * first, columns, count, 2 * rows, 0};
        made.exchanged = !forward;
        fourier_moves<T, To>().store_rows(blocks.now, factor, made);
      });
}

template <class T, class From, class To>
void transform_table(const FftPlan<T>& plan, const LineSource<From>& from, bool forward, T factor,
                     To* to, Room<T>& room) {
  if constexpr (std::is_same_v<T, To>) {
    transform_columns(plan, from, forward, to, room);
    transform_rows(plan, to, forward, factor, to, room);
  } else {
    Room<T> between;
    T* numbers = between.numbers(2 * plan.length());
    transform_columns(plan, from, forward, numbers, room);
    transform_rows(plan, numbers, forward, factor, to, room);
  }
}

template <class T, class From, class To>
void transform_column(const FftPlan<T>& plan, const LineSource<From>& from, bool forward, T factor,
                      To* to, Room<T>& room) {
  Blocks<T> blocks = room.blocks(plan, plan.length(), 1);
  FourierSheet<const From> sheet{from.numbers, plan.length(), 1, 0, from.there};
  sheet.width = from.width;
  sheet.exchanged = !forward;
  fourier_moves<T, From>().load_lines(sheet, blocks.now);
  plan.run(blocks);
  FourierSheet<To> made{to, plan.length(), 1, 0, 0};
  made.exchanged = !forward;
  fourier_moves<T, To>().store_lines(blocks.now, factor, made);
}

template <class T, class From, class To>
void transform_by_convolution(const FftPlan<T>& plan, const LineSource<From>& from, bool forward,
                              T factor, Cplx<To>* to, Room<T>& room) {
  std::int64_t padded = plan.bluestein()->padded();
  Room<T> lines;
  auto line = reinterpret_cast<Cplx<T>*>(lines.numbers(4 * padded));
  auto number = [&](std::int64_t i) {
    return i < from.there ? static_cast<T>(from.numbers[i]) : 0;
  };
  for (std::int64_t k = 0; k < plan.length(); ++k)
    line[k] = from.width == 2 ? Cplx<T>{number(2 * k), number(2 * k + 1)} : Cplx<T>{number(k), 0};
  plan.bluestein()->execute(line, line + padded, forward, factor, room);
  for (std::int64_t k = 0; k < plan.length(); ++k)
    to[k] = {static_cast<To>(line[k].re), static_cast<To>(line[k].im)};
}

}  // namespace

template <class T, class From, class To>
void transform_line(const FftPlan<T>& plan, const LineSource<From>& from, bool forward, T factor,
                    Cplx<To>* to, Room<T>& room) {
  auto numbers = reinterpret_cast<To*>(to);
  if (plan.bluestein())
    transform_by_convolution(plan, from, forward, factor, to, room);
  else if (plan.rows() > 1)
    transform_table(plan, from, forward, factor, numbers, room);
  else
    transform_column(plan, from, forward, factor, numbers, room);
}

#define STRIDER_LINES(T, From, To)                                                             \
  template void transform_line(const FftPlan<T>&, const LineSource<From>&, bool, T, Cplx<To>*, \
                               Room<T>&);
STRIDER_LINES(float, float, float)
STRIDER_LINES(double, float, float)
STRIDER_LINES(double, float, double)
STRIDER_LINES(double, double, float)
STRIDER_LINES(double, double, double)

}  // namespace strider::nd
