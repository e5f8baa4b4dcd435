// correlate and convolve: sums of products of one sequence slid along another.
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/signal.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kernels/backend/cpu/correlation.h"
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
void slide(const Array& longer, const Array& shorter, Span span, std::byte* to) {
  std::int64_t n = longer.size(), m = shorter.size(), item = item_size(longer.dtype());
  const std::byte *from = longer.data(), *window = shorter.data();
  for (std::int64_t i = 0; i < span.count; ++i) {
    std::int64_t end = span.first + i + 1, begin = end - m;
    std::int64_t low = std::max<std::int64_t>(begin, 0), high = std::min(end, n);
    Matrix row{from + low * item, 1, high - low, item * (high - low), item};
    Matrix column{window + (low - begin) * item, high - low, 1, item, item};
    multiply_matrices(longer.dtype(), row, column, to + i * item);
  }
}

// Packed numbers.
template <class T>
struct Sequence {
  const T* numbers;
  std::int64_t size;
};

// A tile of results: to[i] = the sum over j of from[begin + i + j] * window[j], where that is
// there.
template <class T>
class Tile {
 public:
  Tile(Sequence<T> longer, Sequence<T> shorter, std::int64_t begin)
      : from_(longer.numbers),
        window_(shorter.numbers),
        size_(longer.size),
        taps_(shorter.size),
        begin_(begin) {}

  // In the order of taps: those that meet the longer one's front, those that all results have,
  // those that meet its end.
  void compute(T* to) const {
    std::fill_n(to, kSize, T{});
    std::int64_t first = std::clamp<std::int64_t>(-begin_, 0, taps_);
    std::int64_t end = std::clamp<std::int64_t>(size_ - begin_ - kSize + 1, first, taps_);
    add_edge(std::max<std::int64_t>(0, -begin_ - kSize + 1), first, to);
    if (end > first)
      correlation_kernels<T>().add({from_ + begin_ + first, window_ + first, end - first, 1, to});
    add_edge(end, std::min(taps_, size_ - begin_), to);
  }

 private:
  static constexpr std::int64_t kSize = kCorrelationTile<T>;

  // Fewer taps than there are results: zeros stand for what is not there, unless there are few, or
  // that would make more of an infinite tap.
  void add_edge(std::int64_t first, std::int64_t end, T* to) const {
    constexpr std::int64_t kFew = 8;
    if (end - first <= kFew) return add_plainly(first, end, to);
    for (std::int64_t j = first; j < end; j += kSize) {
      std::int64_t count = std::min(kSize, end - j);
      if (!is_finite(j, count)) return add_plainly(first, end, to);
    }
    T padded[2 * kSize];
    for (std::int64_t j = first; j < end; j += kSize) {
      std::int64_t count = std::min(kSize, end - j);
      for (std::int64_t k = 0; k < kSize + count - 1; ++k) {
        std::int64_t at = begin_ + j + k;
        padded[k] = at >= 0 && at < size_ ? from_[at] : T{};
      }
      correlation_kernels<T>().add({padded, window_ + j, count, 1, to});
    }
  }

  bool is_finite(std::int64_t first, std::int64_t count) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::all_of(window_ + first, window_ + first + count,
                         [](T tap) { return std::isfinite(tap); });
    return true;
  }

  void add_plainly(std::int64_t first, std::int64_t end, T* to) const {
    for (std::int64_t j = first; j < end; ++j)
      for (std::int64_t i = std::max<std::int64_t>(0, -begin_ - j);
           i < std::min(kSize, size_ - begin_ - j); ++i)
        to[i] = static_cast<T>(to[i] + from_[begin_ + i + j] * window_[j]);
  }

  const T *from_, *window_;
  std::int64_t size_, taps_, begin_;
};

// `count` results, of whole tiles but for the last one, from position `start` on. Tiles that the
// whole window meets are done many at a time.
template <class T>
void slide_some(Sequence<T> longer, Sequence<T> shorter, std::int64_t start, std::int64_t count,
                T* to) {
  constexpr std::int64_t kSize = kCorrelationTile<T>;
  std::int64_t m = shorter.size, whole = longer.size - m + 1 - start;
  T last[kSize];
  for (std::int64_t at = 0; at < count && !interrupt_requested();) {
    std::int64_t tiles = std::min(whole, count) / kSize - at / kSize;
    if (start + at >= 0 && tiles > 0) {
      const T* from = longer.numbers + start + at;
      tiles = std::min<std::int64_t>(tiles, 64);
      correlation_kernels<T>().set({from, shorter.numbers, m, tiles, to + at});
      at += tiles * kSize;
      continue;
    }
    std::int64_t here = std::min(kSize, count - at);
    Tile<T>(longer, shorter, start + at).compute(here < kSize ? last : to + at);
    if (here < kSize) std::copy_n(last, here, to + at);
    at += kSize;
  }
}

template <class T>
void slide_tiles(const Array& longer, const Array& shorter, Span span, T* to) {
  constexpr std::int64_t kSize = kCorrelationTile<T>, kGrain = 1 << 17;
  Sequence<T> from{longer.as<T>(), longer.size()}, window{shorter.as<T>(), shorter.size()};
  std::int64_t m = shorter.size(), start = span.first - (m - 1);
  std::int64_t grain = std::max<std::int64_t>(1, worth_a_thread(kGrain) / (kSize * m));
  parallel_for((span.count + kSize - 1) / kSize, grain, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t first = begin * kSize, count = std::min(end * kSize, span.count) - first;
    slide_some(from, window, start + first, count, to + first);
  });
  check_interrupt();
}

constexpr std::int64_t kShortWindow = 16;

// Few results of short windows.
template <class T>
void slide_plainly(const T* from, std::int64_t n, const T* window, std::int64_t m, Span span,
                   T* to) {
  std::fill_n(to, span.count, T{});
  for (std::int64_t j = 0, shift = span.first - (m - 1); j < m; ++j, ++shift)
    for (std::int64_t i = std::max<std::int64_t>(0, -shift); i < std::min(span.count, n - shift);
         ++i)
      to[i] = static_cast<T>(to[i] + from[i + shift] * window[j]);
}

// Few results of long windows are products of two vectors each.
template <class T>
void slide_numbers(const Array& longer, const Array& shorter, Span span, std::byte* bytes) {
  constexpr std::int64_t kTile = kCorrelationTile<T>;
  T* to = reinterpret_cast<T*>(bytes);
  if (span.count >= kTile || (shorter.size() > kShortWindow && 4 * span.count >= kTile))
    slide_tiles(longer, shorter, span, to);
  else if (shorter.size() <= kShortWindow)
    slide_plainly(longer.as<T>(), longer.size(), shorter.as<T>(), shorter.size(), span, to);
  else
    slide(longer, shorter, span, bytes);
}

// Floats, so that few products are added in NumPy's order: windows of up to 11 are summed in order
// where they lie inside, all else is a product of two vectors.
template <class T>
void slide_floats(const Array& longer, const Array& shorter, Span span, std::byte* to) {
  constexpr std::int64_t kInOrder = 11, kFewProducts = 1 << 14;
  std::int64_t n = longer.size(), m = shorter.size(), item = sizeof(T);
  if (m > kInOrder)
    return n * m > kFewProducts ? slide_numbers<T>(longer, shorter, span, to)
                                : slide(longer, shorter, span, to);
  std::int64_t end = span.first + span.count;
  std::int64_t inner = std::clamp(m - 1, span.first, end), outer = std::clamp(n, inner, end);
  slide(longer, shorter, {span.first, inner - span.first}, to);
  slide_numbers<T>(longer, shorter, {inner, outer - inner}, to + (inner - span.first) * item);
  slide(longer, shorter, {outer, end - outer}, to + (outer - span.first) * item);
}

void slide_any(const Array& longer, const Array& shorter, Span span, const Array& out) {
  std::byte* to = out.mutable_data();
  auto run = [&]<class T>(T) { slide_numbers<T>(longer, shorter, span, to); };
  switch (longer.dtype()) {
    case DType::kFloat64:
      return slide_floats<double>(longer, shorter, span, to);
    case DType::kFloat32:
      return slide_floats<float>(longer, shorter, span, to);
    case DType::kInt64:
    case DType::kUInt64:
      return run(std::uint64_t{});
    case DType::kInt32:
    case DType::kUInt32:
      return run(std::uint32_t{});
    default:
      slide(longer, shorter, span, to);
  }
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

// out = parts[0] - parts[1] + i (parts[2] + parts[3])
template <class T>
void join_parts(const Array* parts, const Array& out) {
  auto to = reinterpret_cast<T*>(out.mutable_data());
  const T *p = parts[0].as<T>(), *q = parts[1].as<T>(), *r = parts[2].as<T>(),
          *s = parts[3].as<T>();
  for (std::int64_t i = 0; i < out.size(); ++i) {
    to[2 * i] = p[i] - q[i];
    to[2 * i + 1] = r[i] + s[i];
  }
}

// Complex sequences by their real and imaginary parts.
Array correlate_parts(const Array& a, const Array& v, CorrelateMode mode) {
  DType real = a.dtype() == DType::kComplex64 ? DType::kFloat32 : DType::kFloat64;
  Array a_parts[] = {a.real().contiguous(real), a.imag().contiguous(real)};
  Array v_parts[] = {v.real().contiguous(real), v.imag().contiguous(real)};
  Array parts[4];
  for (int k = 0; k < 4; ++k)
    parts[k] = correlate_packed(a_parts[k % 2], v_parts[k == 1 || k == 2], mode);
  Array out = Array::empty(parts[0].shape(), a.dtype());
  real == DType::kFloat32 ? join_parts<float>(parts, out) : join_parts<double>(parts, out);
  return out;
}

Array correlate_any(const Array& a, const Array& v, CorrelateMode mode) {
  constexpr std::int64_t kWorthParts = 1000;  // products
  if (is_complex(a.dtype()) && a.size() * v.size() >= kWorthParts)
    return correlate_parts(a, v, mode);
  return correlate_packed(a, v, mode);
}

Array correlate_typed(const Array& a, const Array& v, CorrelateMode mode) {
  DType dtype = promote(a.dtype(), v.dtype());
  DType compute = dtype == DType::kFloat16 ? DType::kFloat32 : dtype;
  return correlate_any(a.contiguous(compute), v.contiguous(compute), mode)
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
