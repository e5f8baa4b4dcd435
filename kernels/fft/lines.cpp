// Complex, real-to-complex and complex-to-real lines, one after another or side by side.
#include "kernels/fft/lines.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <type_traits>

#include "kernels/fft/line.h"
#include "kernels/fft/room.h"
#include "kernels/fft/stacks.h"

namespace strider::nd {
namespace {

template <class T, class S>
Cplx<T> widened(Cplx<S> point) {
  return {static_cast<T>(point.re), static_cast<T>(point.im)};
}

// Calls body(line, room). Where a few long lines are, each has all threads; else each thread has
// lines of its own.
template <class T, class Body>
void for_each_line(std::int64_t count, std::int64_t length, Body&& body) {
  constexpr std::int64_t kLong = 8 * kPointsOfThread, kFew = 8;
  std::int64_t grain = std::max<std::int64_t>(1, worth_a_thread(kPointsOfThread) / length);
  auto run = [&](std::int64_t begin, std::int64_t end) {
    LineRoom<T> room;
    for (std::int64_t n = begin; n < end && !interrupt_requested(); ++n) body(n, room);
  };
  if (length >= kLong && count < kFew)
    run(0, count);
  else
    parallel_for(count, grain, run);
  check_interrupt();
}

template <class S>
Cplx<S>* complex_line(S* numbers, std::int64_t line, std::int64_t points) {
  return reinterpret_cast<Cplx<S>*>(numbers) + line * points;
}

template <class T>
Cplx<T>* complex_room(Room<T>& room, std::int64_t points) {
  return reinterpret_cast<Cplx<T>*>(room.numbers(2 * points));
}

// Whether lines are done side by side: columns, and packed lines that a table would not help.
template <class S>
bool stacks(const Lines<S>& lines, std::int64_t length) {
  constexpr std::int64_t kShort = 64, kLong = 1024, kMany = 4;
  if (lines.columns > 1) return true;
  return length < kShort ? lines.count > 1 : length < kLong && lines.count >= kMany;
}

template <class T, class S>
void run_c2c(const Lines<S>& lines, std::int64_t length, bool forward, T factor) {
  if (stacks(lines, length)) return stack_c2c(lines, length, forward, factor);
  auto plan = plan_of<T>(length, FftKind::kComplex, FftUse::kAlone);
  for_each_line<T>(lines.count, length, [&](std::int64_t n, LineRoom<T>& room) {
    LineSource<S> from{lines.from + 2 * n * lines.given, 2 * lines.given, 2};
    transform_line(*plan, from, forward, factor, complex_line(lines.to, n, length), room.blocks);
  });
}

// A real line of odd length as a complex one.
template <class T, class S>
void run_r2c_odd(const Lines<S>& lines, std::int64_t length, T factor) {
  auto plan = plan_of<T>(length, FftKind::kComplex, FftUse::kAlone);
  std::int64_t kept = length / 2 + 1;
  for_each_line<T>(lines.count, length, [&](std::int64_t n, LineRoom<T>& room) {
    Cplx<T>* line = complex_room(room.line, length);
    LineSource<S> from{lines.from + n * lines.given, lines.given, 1};
    transform_line(*plan, from, true, factor, line, room.blocks);
    line[0].im = 0;
    Cplx<S>* to = complex_line(lines.to, n, kept);
    for (std::int64_t k = 0; k < kept; ++k) to[k] = widened<S>(line[k]);
  });
}

// A real line of even length: its even and odd points are one complex line of half the length.
template <class T, class S>
void run_r2c_pairs(const Lines<S>& lines, std::int64_t length, T factor) {
  std::int64_t half = length / 2, kept = half + 1;
  auto plan = plan_of<T>(half, FftKind::kPairs, FftUse::kAlone);
  for_each_line<T>(lines.count, length, [&](std::int64_t n, LineRoom<T>& room) {
    LineSource<S> from{lines.from + n * lines.given, std::min(lines.given, length), 2};
    Cplx<S>* to = complex_line(lines.to, n, kept);
    auto run = [&](Cplx<T>* line) {
      transform_line(*plan, from, true, factor, line, room.blocks);
      fourier_moves<T, S>().part_halves(line, plan->roots(), half, to);
    };
    if constexpr (std::is_same_v<T, S>)
      run(to);
    else
      run(complex_room(room.line, half));
  });
}

template <class T, class S>
void run_c2r_odd(const Lines<S>& lines, std::int64_t length, bool forward, T factor) {
  auto plan = plan_of<T>(length, FftKind::kComplex, FftUse::kAlone);
  std::int64_t half = length / 2 + 1;
  for_each_line<T>(lines.count, length, [&](std::int64_t n, LineRoom<T>& room) {
    Cplx<T>*points = complex_room(room.line, length), *made = complex_room(room.second, length);
    auto from = reinterpret_cast<const Cplx<S>*>(lines.from) + n * lines.given;
    for (std::int64_t k = 0; k < half; ++k) {
      Cplx<T> point = k < lines.given ? widened<T>(from[k]) : Cplx<T>{0, 0};
      if (k == 0) point.im = 0;
      points[k] = forward ? Cplx<T>{point.re, -point.im} : point;
      if (k > 0) points[length - k] = {points[k].re, -points[k].im};
    }
    transform_packed(*plan, points, false, factor, made, room.blocks);
    S* to = lines.to + n * length;
    for (std::int64_t i = 0; i < length; ++i) to[i] = static_cast<S>(made[i].re);
  });
}

template <class T, class S>
void run_c2r_pairs(const Lines<S>& lines, std::int64_t length, bool forward, T factor) {
  std::int64_t half = length / 2;
  auto plan = plan_of<T>(half, FftKind::kPairs, FftUse::kAlone);
  for_each_line<T>(lines.count, length, [&](std::int64_t n, LineRoom<T>& room) {
    Cplx<T>* line = complex_room(room.line, half);
    auto from = reinterpret_cast<const Cplx<S>*>(lines.from) + n * lines.given;
    fourier_moves<T, S>().join_halves({from, std::min(lines.given, half + 1), forward},
                                      plan->roots(), half, line);
    LineSource<T> source{reinterpret_cast<const T*>(line), length, 2};
    transform_line(*plan, source, false, factor, reinterpret_cast<Cplx<S>*>(lines.to + n * length),
                   room.blocks);
  });
}

template <class T, class S>
void run_r2c(const Lines<S>& lines, std::int64_t length, T factor) {
  bool pairs = length % 2 == 0 && length >= kShortestPairs;
  bool stacked = stacks(lines, pairs ? length / 2 : length);
  if (stacked || length < kShortReal)
    (pairs ? stack_r2c_pairs<T, S> : stack_r2c_whole<T, S>)(lines, length, factor);
  else
    (pairs ? run_r2c_pairs<T, S> : run_r2c_odd<T, S>)(lines, length, factor);
}

template <class T, class S>
void run_c2r(const Lines<S>& lines, std::int64_t length, bool forward, T factor) {
  bool pairs = length % 2 == 0 && length >= kShortestPairs;
  bool stacked = stacks(lines, pairs ? length / 2 : length);
  if (stacked || length < kShortReal)
    (pairs ? stack_c2r_pairs<T, S> : stack_c2r_whole<T, S>)(lines, length, forward, factor);
  else
    (pairs ? run_c2r_pairs<T, S> : run_c2r_odd<T, S>)(lines, length, forward, factor);
}

template <class S>
void conjugate(S* numbers, std::int64_t points) {
  for (std::int64_t i = 0; i < points; ++i) numbers[2 * i + 1] = -numbers[2 * i + 1];
}

template <class T, class S>
void run(const Transform& transform, const Lines<S>& lines, T factor) {
  switch (transform.kind) {
    case TransformKind::kComplex:
      return run_c2c(lines, transform.length, transform.forward, factor);
    case TransformKind::kRealToComplex:
      run_r2c(lines, transform.length, factor);
      if (!transform.forward) conjugate(lines.to, lines.count * points_made(transform));
      return;
    default:
      return run_c2r(lines, transform.length, transform.forward, factor);
  }
}

// Floats are transformed as doubles, and rounded once, where no factor is asked for: as in NumPy,
// whose factor then is an integer. Real lines made of spectra are, too, and so rounded better.
void run_floats(const Transform& transform, const Lines<float>& lines, double factor) {
  if (factor == 1 || transform.kind == TransformKind::kComplexToReal)
    run(transform, lines, factor);
  else
    run(transform, lines, static_cast<float>(factor));
}

template <class S>
Lines<S> lines_of(const Transform& transform, const LineSheet& sheet) {
  return {reinterpret_cast<const S*>(sheet.from), reinterpret_cast<S*>(sheet.to), transform.count,
          sheet.given, sheet.columns};
}

}  // namespace

bool transforms_columns(const Transform& transform) {
  constexpr std::int64_t kLongest = 16384;
  return transform.length < kLongest;
}

void transform_lines(const Transform& transform, const LineSheet& sheet, double factor) {
  if (transform.count == 0) return;
  if (transform.real == DType::kFloat64)
    run(transform, lines_of<double>(transform, sheet), factor);
  else
    run_floats(transform, lines_of<float>(transform, sheet), factor);
}

}  // namespace strider::nd
