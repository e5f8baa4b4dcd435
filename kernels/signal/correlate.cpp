// correlate and convolve: sums of products of one sequence slid along another.
#include <strider/nd/error.h>
#include <strider/nd/signal.h>

#include <algorithm>

#include "kernels/index/arithmetic.h"
#include "kernels/linalg/product.h"

namespace strider::nd {
namespace {

void check_sequence(const Array& array, const char* empty) {
  if (array.rank() > 1) throw Error(ErrorKind::kValue, "object too deep for desired array");
  if (array.rank() == 0)
    throw Error(ErrorKind::kValue, "object of too small depth for desired array");
  if (array.size() == 0) throw Error(ErrorKind::kValue, empty);
}

Array reversed(const Array& array) {
  std::int64_t size = array.size(), stride = array.strides()[0];
  return array.view({size}, {-stride}, size ? (size - 1) * stride : 0);
}

// The positions of `mode`: the first one and how many, for lengths n >= m.
struct Span {
  std::int64_t first, count;
};

Span positions(CorrelateMode mode, std::int64_t n, std::int64_t m) {
  if (mode == CorrelateMode::kValid) return {m - 1, n - m + 1};
  if (mode == CorrelateMode::kSame) return {m - 1 - m / 2, n};
  return {0, n + m - 1};
}

// out[i] = sum of the longer times the shorter ending at position first + i; both packed.
void slide(const Array& longer, const Array& shorter, Span span, const Array& out) {
  std::int64_t n = longer.size(), m = shorter.size(), item = item_size(longer.dtype());
  const std::byte *from = longer.data(), *window = shorter.data();
  std::byte* to = out.mutable_data();
  for (std::int64_t i = 0; i < span.count; ++i) {
    std::int64_t end = span.first + i + 1, begin = end - m;
    std::int64_t low = std::max<std::int64_t>(begin, 0), high = std::min(end, n);
    Matrix row{from + low * item, 1, high - low, item * (high - low), item};
    Matrix column{window + (low - begin) * item, high - low, 1, item, item};
    multiply_matrices(longer.dtype(), row, column, to + i * item);
  }
}

// Windows up to this length are slid by plain loops.
constexpr std::int64_t kShortWindow = 16;

// The same for short windows, a whole run of positions at a time for each window element.
template <class T>
void slide_short(const T* from, std::int64_t n, const T* window, std::int64_t m, Span span, T* to) {
  std::fill_n(to, span.count, T{});
  for (std::int64_t j = 0; j < m; ++j) {  // to[i] += from[first + i - (m - 1) + j] * window[j]
    std::int64_t shift = span.first - (m - 1) + j;
    std::int64_t low = std::max<std::int64_t>(0, -shift), high = std::min(span.count, n - shift);
    for (std::int64_t i = low; i < high; ++i)
      to[i] = static_cast<T>(to[i] + from[i + shift] * window[j]);
  }
}

bool slides_short(const Array& longer, const Array& shorter) {
  DType dtype = longer.dtype();
  return shorter.size() <= kShortWindow && longer.size() > 4 * shorter.size() &&
         (dtype == DType::kFloat64 || dtype == DType::kFloat32 || dtype == DType::kInt64);
}

void slide_any(const Array& longer, const Array& shorter, Span span, const Array& out) {
  if (!slides_short(longer, shorter)) return slide(longer, shorter, span, out);
  auto run = [&]<class T>(T) {
    slide_short(longer.as<T>(), longer.size(), shorter.as<T>(), shorter.size(), span,
                out.mutable_as<T>());
  };
  if (longer.dtype() == DType::kFloat64) return run(double{});
  if (longer.dtype() == DType::kFloat32) return run(float{});
  run(std::uint64_t{});
}

// The correlation of packed arrays of one type, without conjugation.
Array correlate_packed(const Array& a, const Array& v, CorrelateMode mode) {
  bool swapped = a.size() < v.size();
  const Array &longer = swapped ? v : a, &shorter = swapped ? a : v;
  Span span = positions(mode, longer.size(), shorter.size());
  Array out = Array::empty({span.count}, a.dtype());
  slide_any(longer, shorter, span, out);
  return swapped ? reversed(out).copy() : out;
}

Array correlate_typed(const Array& a, const Array& v, CorrelateMode mode) {
  DType dtype = promote(a.dtype(), v.dtype());
  DType compute = dtype == DType::kFloat16 ? DType::kFloat32 : dtype;
  return correlate_packed(a.contiguous(compute), v.contiguous(compute), mode)
      .astype(dtype, Order::kKeep, false);
}

}  // namespace

Array correlate(const Array& a, const Array& v, CorrelateMode mode) {
  check_sequence(a, "first array argument cannot be empty");
  check_sequence(v, "second array argument cannot be empty");
  return correlate_typed(a, conjugated(v), mode);
}

Array convolve(const Array& a, const Array& v, CorrelateMode mode) {
  check_sequence(a, "a cannot be empty");
  check_sequence(v, "v cannot be empty");
  if (v.size() > a.size()) return correlate_typed(v, reversed(a), mode);
  return correlate_typed(a, reversed(v), mode);
}

}  // namespace strider::nd
