// Complex, real-to-complex and complex-to-real lines, shared among threads.
#include "kernels/fft/lines.h"

#include <strider/nd/array.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <vector>

#include "kernels/fft/plan.h"
#include "kernels/fft/roots.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kGrain = 16384;  // points worth a thread
// From here on even real transforms use a complex one of half the length.
constexpr std::int64_t kHalving = 512;

// Transforms every line: body(line in, count of values given, line out, buffers).
template <class Plan, class Line>
void for_each_line(std::int64_t lines, const Plan& plan, Line&& line) {
  using Value = typename std::remove_reference_t<decltype(*plan)>::Value;
  std::int64_t grain = std::max<std::int64_t>(1, worth_a_thread(kGrain) / plan->length());
  parallel_for(lines, grain, [&](std::int64_t begin, std::int64_t end) {
    auto size = static_cast<std::int64_t>(sizeof(Value));
    Array block = Array::empty({(plan->length() + plan->scratch_size()) * size}, DType::kUInt8);
    auto buffer = reinterpret_cast<Value*>(block.mutable_data());
    for (std::int64_t n = begin; n < end && !interrupt_requested(); ++n)
      line(n, buffer, buffer + plan->length());
  });
  check_interrupt();
}

// Packed lines, `given` points of each being there.
struct Lines {
  const std::byte* from;
  std::byte* to;
  std::int64_t count, given;
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(from);
  }
};

// Copies up to `wanted` of the given values, then zeros.
template <class T>
void fill_line(const Cplx<T>* from, std::int64_t given, std::int64_t wanted, Cplx<T>* to) {
  std::int64_t count = std::min(given, wanted);
  std::copy_n(from, count, to);
  std::fill(to + count, to + wanted, Cplx<T>{0, 0});
}

template <class T>
void run_c2c(const Lines& lines, std::int64_t length, bool forward, T factor) {
  auto plan = plan_of<T>(length);
  auto from = lines.as<Cplx<T>>();
  auto to = reinterpret_cast<Cplx<T>*>(lines.to);
  for_each_line(lines.count, plan, [&](std::int64_t n, Cplx<T>*, Cplx<T>* scratch) {
    Cplx<T>* line = to + n * length;
    fill_line(from + n * lines.given, lines.given, length, line);
    plan->execute(line, scratch, forward, factor);
  });
}

// Roots exp(2 pi i k / length), k up to a quarter of the way round and beyond, in T.
template <class T>
std::vector<Cplx<T>> unpacking_roots(std::int64_t length) {
  Roots roots(length);
  std::vector<Cplx<T>> result;
  for (std::int64_t k = 0; k <= length / 2; ++k)
    result.push_back({static_cast<T>(roots[k].real()), static_cast<T>(roots[k].imag())});
  return result;
}

// A real line through a complex transform of its own length.
template <class T>
void run_r2c_full(const Lines& lines, std::int64_t length, T factor) {
  auto plan = plan_of<T>(length, FftKind::kReal);
  std::int64_t kept = length / 2 + 1;
  const T* from = lines.as<T>();
  auto to = reinterpret_cast<Cplx<T>*>(lines.to);
  for_each_line(lines.count, plan, [&](std::int64_t n, Cplx<T>* buffer, Cplx<T>* scratch) {
    for (std::int64_t i = 0; i < length; ++i)
      buffer[i] = {i < lines.given ? from[n * lines.given + i] : T(0), T(0)};
    plan->execute(buffer, scratch, true, factor);
    buffer[0].im = 0;
    if (length % 2 == 0) buffer[kept - 1].im = 0;
    std::copy_n(buffer, kept, to + n * kept);
  });
}

// A real line of even length: its even and odd points are one complex line of half the length.
template <class T>
void run_r2c_half(const Lines& lines, std::int64_t length, T factor) {
  std::int64_t half = length / 2, kept = half + 1;
  auto plan = plan_of<T>(half);
  std::vector<Cplx<T>> roots = unpacking_roots<T>(length);
  const T* from = lines.as<T>();
  auto to = reinterpret_cast<Cplx<T>*>(lines.to);
  for_each_line(lines.count, plan, [&](std::int64_t n, Cplx<T>* buffer, Cplx<T>* scratch) {
    T* points = reinterpret_cast<T*>(buffer);
    std::int64_t count = std::min(lines.given, length);
    std::copy_n(from + n * lines.given, count, points);
    std::fill(points + count, points + length, T(0));
    plan->execute(buffer, scratch, true, factor);
    Cplx<T>* line = to + n * kept;
    line[0] = {buffer[0].re + buffer[0].im, 0};
    line[half] = {buffer[0].re - buffer[0].im, 0};
    for (std::int64_t k = 1; k <= half / 2; ++k) {
      Cplx<T> a = buffer[k], b{buffer[half - k].re, -buffer[half - k].im};
      Cplx<T> even = T(0.5) * (a + b), odd = turned<true>(T(0.5) * (a - b));
      Cplx<T> twisted = times_root<true>(odd, roots[static_cast<std::size_t>(k)]);
      Cplx<T> low = even + twisted, high = even - twisted;
      line[half - k] = {high.re, -high.im};
      line[k] = low;
    }
  });
}

template <class T>
void run_c2r_full(const Lines& lines, std::int64_t length, bool forward, T factor) {
  auto plan = plan_of<T>(length, FftKind::kReal);
  auto from = lines.as<Cplx<T>>();
  T* to = reinterpret_cast<T*>(lines.to);
  std::int64_t half = length / 2 + 1;
  for_each_line(lines.count, plan, [&](std::int64_t n, Cplx<T>* buffer, Cplx<T>* scratch) {
    fill_line(from + n * lines.given, lines.given, half, buffer);
    for (std::int64_t k = 0; k < half && forward; ++k) buffer[k].im = -buffer[k].im;
    buffer[0].im = 0;
    if (length % 2 == 0) buffer[half - 1].im = 0;
    for (std::int64_t k = half; k < length; ++k)
      buffer[k] = {buffer[length - k].re, -buffer[length - k].im};
    plan->execute(buffer, scratch, false, factor);
    for (std::int64_t i = 0; i < length; ++i) to[n * length + i] = buffer[i].re;
  });
}

template <class T>
void run_c2r_half(const Lines& lines, std::int64_t length, bool forward, T factor) {
  std::int64_t half = length / 2;
  auto plan = plan_of<T>(half);
  std::vector<Cplx<T>> roots = unpacking_roots<T>(length);
  auto from = lines.as<Cplx<T>>();
  T* to = reinterpret_cast<T*>(lines.to);
  for_each_line(lines.count, plan, [&](std::int64_t n, Cplx<T>* buffer, Cplx<T>* scratch) {
    auto value = [&](std::int64_t k) {
      Cplx<T> z = k < lines.given ? from[n * lines.given + k] : Cplx<T>{0, 0};
      if (k == 0 || k == half) z.im = 0;
      return forward ? Cplx<T>{z.re, -z.im} : z;
    };
    for (std::int64_t k = 0; k < half; ++k) {
      Cplx<T> a = value(k), b = value(half - k);
      b.im = -b.im;
      Cplx<T> even = a + b;
      Cplx<T> odd = times_root<false>(a - b, roots[static_cast<std::size_t>(k)]);
      buffer[k] = even + turned<false>(odd);
    }
    plan->execute(buffer, scratch, false, factor);
    std::copy_n(reinterpret_cast<const T*>(buffer), length, to + n * length);
  });
}

template <class T>
void run_r2c(const Lines& lines, std::int64_t length, T factor) {
  auto run = length % 2 == 0 && length >= kHalving ? run_r2c_half<T> : run_r2c_full<T>;
  run(lines, length, factor);
}

template <class T>
void run_c2r(const Lines& lines, std::int64_t length, bool forward, T factor) {
  auto run = length % 2 == 0 && length >= kHalving ? run_c2r_half<T> : run_c2r_full<T>;
  run(lines, length, forward, factor);
}

template <class T>
void conjugate(const Lines& lines, std::int64_t points) {
  auto* values = reinterpret_cast<Cplx<T>*>(lines.to);
  for (std::int64_t i = 0; i < lines.count * points; ++i) values[i].im = -values[i].im;
}

template <class T>
void run(const Transform& transform, const Lines& lines, T factor) {
  switch (transform.kind) {
    case TransformKind::kComplex:
      return run_c2c<T>(lines, transform.length, transform.forward, factor);
    case TransformKind::kRealToComplex:
      run_r2c<T>(lines, transform.length, factor);
      if (!transform.forward) conjugate<T>(lines, points_made(transform));
      return;
    default:
      return run_c2r<T>(lines, transform.length, transform.forward, factor);
  }
}

}  // namespace

void transform_lines(const Transform& transform, std::int64_t given, const std::byte* from,
                     std::byte* to, double factor) {
  Lines lines{from, to, transform.count, given};
  if (transform.real == DType::kFloat32)
    run<float>(transform, lines, static_cast<float>(factor));
  else
    run<double>(transform, lines, factor);
}

}  // namespace strider::nd
