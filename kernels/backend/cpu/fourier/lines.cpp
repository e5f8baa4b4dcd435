// Products of lines of complex numbers, and spectra of real lines taken apart and put together, for
// one instruction set.
#include <algorithm>

#include "kernels/backend/cpu/fourier/fourier.h"
#include "kernels/backend/cpu/fourier/vectors.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

template <class T>
using Wide = Cplx<Vector<T>>;

template <class T, class S>
inline Wide<T> widened(const Vector<T, S>& low, const Vector<T, S>& high) {
  auto re = parted(low, high, false), im = parted(low, high, true);
  if constexpr (sizeof(T) == sizeof(S))
    return {re, im};
  else
    return {__builtin_convertvector(re, Vector<T>), __builtin_convertvector(im, Vector<T>)};
}

// A vector of complex numbers, of which `count` are there.
template <class T, class S>
inline Wide<T> load_line(const Cplx<S>* from, std::int64_t count) {
  auto numbers = reinterpret_cast<const S*>(from);
  using Given = Vector<T, S>;
  return widened<T, S>(load_some<Given>(numbers, 2 * count),
                       load_some<Given>(numbers + kLanes<T>, 2 * count - kLanes<T>));
}

// The same of line[at], line[at - 1], ...; the line has `given` numbers.
template <class T, class S>
inline Wide<T> load_backwards(const Cplx<S>* line, std::int64_t at, std::int64_t given,
                              std::int64_t count) {
  if (count >= kLanes<T> && at < given) {
    Wide<T> value = load_line<T>(line + at - kLanes<T> + 1, kLanes<T>);
    return {reversed(value.re), reversed(value.im)};
  }
  Wide<T> value{};
  for (std::int64_t j = std::max<std::int64_t>(0, at - given + 1);
       j < std::min<std::int64_t>(count, kLanes<T>); ++j) {
    value.re[j] = line[at - j].re;
    value.im[j] = line[at - j].im;
  }
  return value;
}

template <class T, class S>
inline void store_line(const Wide<T>& value, std::int64_t count, Cplx<S>* to) {
  auto numbers = reinterpret_cast<S*>(to);
  Vector<T> low = interleaved(value.re, value.im, false);
  Vector<T> high = interleaved(value.re, value.im, true);
  if constexpr (sizeof(T) == sizeof(S)) {
    store_some(numbers, low, 2 * count);
    store_some(numbers + kLanes<T>, high, 2 * count - kLanes<T>);
  } else {
    store_some(numbers, __builtin_convertvector(low, Vector<T, S>), 2 * count);
    store_some(numbers + kLanes<T>, __builtin_convertvector(high, Vector<T, S>),
               2 * count - kLanes<T>);
  }
}

// to[at], to[at - 1], ... = value.
template <class T, class S>
inline void store_backwards(const Wide<T>& value, std::int64_t count, Cplx<S>* to,
                            std::int64_t at) {
  if (count >= kLanes<T>)
    return store_line<T>(Wide<T>{reversed(value.re), reversed(value.im)}, kLanes<T>,
                         to + at - kLanes<T> + 1);
  for (std::int64_t j = 0; j < count; ++j) {
    to[at - j].re = static_cast<S>(value.re[j]);
    to[at - j].im = static_cast<S>(value.im[j]);
  }
}

template <bool kConjugate, class T>
void multiply_as(const Cplx<T>* from, const Cplx<T>* by, T factor, std::int64_t count,
                 Cplx<T>* to) {
  for (std::int64_t k = 0; k < count; k += kLanes<T>) {
    Wide<T> product =
        times_root<kConjugate>(load_line<T>(from + k, count - k), load_line<T>(by + k, count - k));
    store_line<T>(factor * product, count - k, to + k);
  }
}

template <class T>
void multiply(const Cplx<T>* from, const Cplx<T>* by, bool conjugate, T factor, std::int64_t count,
              Cplx<T>* to) {
  auto run = conjugate ? multiply_as<true, T> : multiply_as<false, T>;
  run(from, by, factor, count, to);
}

// Points [k, k + count) and the opposite ones of a spectrum.
template <class T, class S>
inline void part_some(const Cplx<T>* from, const Cplx<T>* roots, std::int64_t half, std::int64_t k,
                      std::int64_t count, Cplx<S>* to) {
  constexpr T kHalf = T(0.5);
  Wide<T> a = load_line<T>(from + k, count), b = load_backwards<T>(from, half - k, half, count);
  b.im = -b.im;
  Wide<T> even = kHalf * (a + b), odd = turned<true>(kHalf * (a - b));
  Wide<T> twisted = times_root<true>(odd, load_line<T>(roots + k, count));
  Wide<T> low = even + twisted, high = even - twisted;
  high.im = -high.im;
  store_backwards<T>(high, count, to, half - k);
  store_line<T>(low, count, to + k);
}

template <class T, class S>
void part_halves(const Cplx<T>* from, const Cplx<T>* roots, std::int64_t half, Cplx<S>* to) {
  T re = from[0].re, im = from[0].im;
  std::int64_t k = 1;
  for (; 2 * (k + kLanes<T>) <= half + 1; k += kLanes<T>)
    part_some(from, roots, half, k, kLanes<T>, to);
  for (std::int64_t end = half / 2 + 1; k < end; k += kLanes<T>)
    part_some(from, roots, half, k, end - k, to);
  to[0].re = static_cast<S>(re + im);
  to[0].im = 0;
  to[half].re = static_cast<S>(re - im);
  to[half].im = 0;
}

// Point k of the pairs' transform, of points k and half - k of the spectrum.
template <class T>
inline Wide<T> joined(Wide<T> a, Wide<T> b, const Wide<T>& root, bool conjugated) {
  if (conjugated)
    a.im = -a.im;
  else
    b.im = -b.im;
  return a + b + turned<false>(times_root<false>(a - b, root));
}

template <class T, class S>
void join_halves(const FourierSpectrum<S>& from, const Cplx<T>* roots, std::int64_t half,
                 Cplx<T>* to) {
  for (std::int64_t k = 0; k < half; k += kLanes<T>) {
    Wide<T> a = load_line<T>(from.points + k, std::min(from.given, half) - k);
    Wide<T> b = load_backwards<T>(from.points, half - k, from.given, half - k);
    if (k == 0) a.im[0] = b.im[0] = 0;
    Wide<T> root = load_line<T>(roots + k, half - k);
    store_line<T>(joined<T>(a, b, root, from.conjugated), half - k, to + k);
  }
}

template <class T>
inline Wide<T> load_wide(const T* block) {
  return {load<Vector<T>>(block), load<Vector<T>>(block + kLanes<T>)};
}

template <class T>
inline void store_wide(const Wide<T>& value, T* block) {
  store(block, value.re);
  store(block + kLanes<T>, value.im);
}

template <class T>
inline Wide<T> in_all_columns(const Cplx<T>& root) {
  return {Vector<T>{} + root.re, Vector<T>{} + root.im};
}

template <class T>
inline Wide<T> exchanged_if(bool wanted, const Wide<T>& value) {
  return wanted ? Wide<T>{value.im, value.re} : value;
}

template <class T>
void multiply_rows(const FourierProduct<T>& product) {
  T* at = product.block;
  for (std::int64_t k = 0; k < product.rows; ++k) {
    Wide<T> by = in_all_columns(product.by[k]);
    for (std::int64_t v = 0; v < product.vectors; ++v, at += 2 * kLanes<T>) {
      Wide<T> value = exchanged_if<T>(product.exchange_before, load_wide(at));
      value = product.conjugate ? times_root<true>(value, by) : times_root<false>(value, by);
      store_wide(exchanged_if<T>(product.exchange_after, value), at);
    }
  }
}

template <class T>
void part_columns(const FourierHalves<T>& halves) {
  constexpr T kHalf = T(0.5);
  std::int64_t row = 2 * kLanes<T> * halves.vectors, half = halves.half;
  for (std::int64_t k = 1; k <= half / 2; ++k) {
    T *low = halves.block + k * row, *high = halves.block + (half - k) * row;
    Wide<T> root = in_all_columns(halves.roots[k]);
    for (T* end = low + row; low < end; low += 2 * kLanes<T>, high += 2 * kLanes<T>) {
      Wide<T> a = halves.factor * load_wide(low), b = halves.factor * load_wide(high);
      b.im = -b.im;
      Wide<T> even = kHalf * (a + b), odd = turned<true>(kHalf * (a - b));
      Wide<T> twisted = times_root<true>(odd, root), opposite = even - twisted;
      store_wide<T>({opposite.re, -opposite.im}, high);
      store_wide<T>(even + twisted, low);
    }
  }
  T *first = halves.block, *last = first + half * row;
  for (T* end = first + row; first < end; first += 2 * kLanes<T>, last += 2 * kLanes<T>) {
    Wide<T> a = halves.factor * load_wide(first);
    store_wide<T>({a.re + a.im, Vector<T>{}}, first);
    store_wide<T>({a.re - a.im, Vector<T>{}}, last);
  }
}

template <class T>
void join_columns(const FourierHalves<T>& halves) {
  std::int64_t row = 2 * kLanes<T> * halves.vectors, half = halves.half;
  for (std::int64_t k = 0; k <= half / 2; ++k) {
    T *low = halves.block + k * row, *high = halves.block + (half - k) * row;
    Wide<T> root = in_all_columns(halves.roots[k]),
            opposite = in_all_columns(halves.roots[half - k]);
    for (T* end = low + row; low < end; low += 2 * kLanes<T>, high += 2 * kLanes<T>) {
      Wide<T> a = load_wide(low), b = load_wide(high);
      if (k == 0) a.im = b.im = Vector<T>{};
      Wide<T> before = joined<T>(a, b, root, halves.conjugated);
      Wide<T> after = joined<T>(b, a, opposite, halves.conjugated);
      store_wide<T>({after.im, after.re}, high);
      store_wide<T>({before.im, before.re}, low);
    }
  }
}

template <class T, class S>
void fill(FourierMoves<T, S>& moves) {
  moves.part_halves = part_halves<T, S>;
  moves.join_halves = join_halves<T, S>;
}

template <class T>
void fill_all(FourierKernels<T>& kernels) {
  kernels.multiply = multiply<T>;
  kernels.multiply_rows = multiply_rows<T>;
  kernels.part_columns = part_columns<T>;
  kernels.join_columns = join_columns<T>;
  fill(kernels.moves);
  fill(kernels.narrow);
}

}  // namespace

void fill_fourier_lines(FourierKernels<float>& kernels) { fill_all(kernels); }
void fill_fourier_lines(FourierKernels<double>& kernels) { fill_all(kernels); }

}  // namespace strider::nd::STRIDER_TARGET
