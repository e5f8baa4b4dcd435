// Butterflies: discrete Fourier transforms of 2 to 11 points in registers, of numbers or of vectors
// of them. Know no lengths beyond their own.
#pragma once

#include <cstdint>
#include <type_traits>

namespace strider::nd {

// What a vector's elements are; a number is its own.
template <class T>
struct ElementOf {
  using Type = std::remove_cvref_t<decltype(T{}[0])>;
};
template <>
struct ElementOf<float> {
  using Type = float;
};
template <>
struct ElementOf<double> {
  using Type = double;
};

// A complex number without the special cases of std::complex's product.
template <class T>
struct Cplx {
  using Real = typename ElementOf<T>::Type;
  T re, im;
  friend Cplx operator+(Cplx a, Cplx b) { return {a.re + b.re, a.im + b.im}; }
  friend Cplx operator-(Cplx a, Cplx b) { return {a.re - b.re, a.im - b.im}; }
  friend Cplx operator*(Real s, Cplx a) { return {s * a.re, s * a.im}; }
};

// a times the root w, or its conjugate in forward transforms.
template <bool kForward, class T>
[[gnu::always_inline]] inline Cplx<T> times_root(Cplx<T> a, Cplx<T> w) {
  if constexpr (kForward)
    return {a.re * w.re + a.im * w.im, a.im * w.re - a.re * w.im};
  else
    return {a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
}

// a times -i forwards, i backwards.
template <bool kForward, class T>
[[gnu::always_inline]] inline Cplx<T> turned(Cplx<T> a) {
  if constexpr (kForward)
    return {a.im, -a.re};
  else
    return {-a.im, a.re};
}

template <bool kForward, class T>
[[gnu::always_inline]] inline void butterfly4(Cplx<T>& a, Cplx<T>& b, Cplx<T>& c, Cplx<T>& d) {
  Cplx<T> s = a + c, t = a - c, u = b + d, v = turned<kForward>(b - d);
  a = s + u;
  c = s - u;
  b = t + v;
  d = t - v;
}

template <bool kForward, class T>
[[gnu::always_inline]] inline void butterfly8(Cplx<T>* x) {
  constexpr auto kHalfRoot =
      static_cast<typename Cplx<T>::Real>(0.707106781186547524400844362104849L);
  Cplx<T> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  butterfly4<kForward>(even[0], even[1], even[2], even[3]);
  butterfly4<kForward>(odd[0], odd[1], odd[2], odd[3]);
  Cplx<T> p = odd[1], q = odd[3];
  if constexpr (kForward) {
    odd[1] = {kHalfRoot * (p.re + p.im), kHalfRoot * (p.im - p.re)};
    odd[3] = {kHalfRoot * (q.im - q.re), kHalfRoot * (-q.re - q.im)};
  } else {
    odd[1] = {kHalfRoot * (p.re - p.im), kHalfRoot * (p.im + p.re)};
    odd[3] = {kHalfRoot * (-q.re - q.im), kHalfRoot * (q.re - q.im)};
  }
  odd[2] = turned<kForward>(odd[2]);
  for (int k = 0; k < 4; ++k) {
    x[k] = even[k] + odd[k];
    x[k + 4] = even[k] - odd[k];
  }
}

// Odd radices: outputs u and p-u share sums of pairs. `cosines` and `sines` hold the parts of the
// p-th roots of unity.
template <int kRadix, bool kForward, class T, class Real>
[[gnu::always_inline]] inline void butterfly_odd(Cplx<T>* x, const Real* cosines,
                                                 const Real* sines) {
  constexpr int kHalf = (kRadix - 1) / 2;
  Cplx<T> sums[kHalf + 1], differences[kHalf + 1], first = x[0], total = first;
  for (int j = 1; j <= kHalf; ++j) {
    sums[j] = x[j] + x[kRadix - j];
    differences[j] = x[j] - x[kRadix - j];
    total = total + sums[j];
  }
  x[0] = total;
  for (int u = 1; u <= kHalf; ++u) {
    Cplx<T> along = first, across{};
    for (int j = 1; j <= kHalf; ++j) {
      int k = u * j % kRadix;
      along = along + cosines[k] * sums[j];
      across = j == 1 ? sines[k] * differences[j] : across + sines[k] * differences[j];
    }
    across = turned<kForward>(across);
    x[u] = along + across;
    x[kRadix - u] = along - across;
  }
}

template <int kRadix, bool kForward, class T, class Real>
[[gnu::always_inline]] inline void butterfly(Cplx<T>* x, const Real* cosines, const Real* sines) {
  if constexpr (kRadix == 2) {
    Cplx<T> a = x[0], b = x[1];
    x[0] = a + b;
    x[1] = a - b;
  } else if constexpr (kRadix == 4) {
    butterfly4<kForward>(x[0], x[1], x[2], x[3]);
  } else if constexpr (kRadix == 8) {
    butterfly8<kForward>(x);
  } else {
    butterfly_odd<kRadix, kForward>(x, cosines, sines);
  }
}

}  // namespace strider::nd
