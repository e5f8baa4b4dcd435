// The elementary functions of complex numbers by those of real ones. Branch cuts are C99's; sums of
// squares and differences are written so that nothing overflows or cancels on the way (Kahan,
// "Branch cuts for complex elementary functions").
#pragma once

namespace std {

template <class T>
inline bool is_endless(T x) {
  return fabs(x) == numeric_limits<T>::infinity();
}

// Whether it is a number.
template <class T>
inline bool is_bounded(T x) {
  return fabs(x) <= numeric_limits<T>::max();
}

// exp(x) × (cos y, sin y) where exp(x) may overflow before the product does.
template <class T>
inline complex<T> turned_exp(T x, T y, T scale) {
  constexpr T kStep = sizeof(T) == 4 ? T(60) : T(600);
  T factor = scale;
  if (x > kStep) {
    factor *= exp(kStep);
    x -= kStep;
  }
  T size = exp(x);
  return {size * cos(y) * factor, size * sin(y) * factor};
}

template <class T>
inline complex<T> exp(complex<T> z) {
  T x = z.real(), y = z.imag();
  if (y == 0) return {exp(x), y};
  if (is_endless(x) && !is_bounded(y)) {
    return x < 0 ? complex<T>(0, copysign(T(0), y)) : complex<T>(x, y - y);
  }
  if (x == -numeric_limits<T>::infinity()) return {T(0) * cos(y), T(0) * sin(y)};
  if (x == numeric_limits<T>::infinity()) return {x * cos(y), x * sin(y)};
  return turned_exp(x, y, T(1));
}

template <class T>
inline T log_size(T x, T y) {
  x = fabs(x);
  y = fabs(y);
  T high = x > y ? x : y, low = x > y ? y : x;
  if (high > T(0.5) && high < T(2) && low < T(2)) {  // near 1 the logarithm is small
    T below = (high - 1) * (high + 1);
    T rest = fma(low, low, below);
    if (rest > T(-0.5)) return log1p(rest) / 2;
  }
  constexpr T kScale = sizeof(T) == 4 ? T(0x1p64) : T(0x1p512);
  constexpr T kBits = sizeof(T) == 4 ? T(64) : T(512);
  constexpr T kLog2 = T(0.693147180559945309417232121458176568);
  if (high > kScale && high <= numeric_limits<T>::max())
    return log(hypot(high / kScale, low / kScale)) + kBits * kLog2;
  if (high < 1 / kScale && high > 0) return log(hypot(high * kScale, low * kScale)) - kBits * kLog2;
  return log(hypot(high, low));
}

template <class T>
inline complex<T> log(complex<T> z) {
  return {log_size(z.real(), z.imag()), atan2(z.imag(), z.real())};
}

template <class T>
inline complex<T> sqrt(complex<T> z) {
  T x = z.real(), y = z.imag();
  if (x == 0 && y == 0) return {T(0), y};
  if (is_endless(y)) return {fabs(y), y};
  if (is_endless(x)) {
    if (x > 0) return {x, y != y ? y : copysign(T(0), y)};
    return {y != y ? y : T(0), copysign(numeric_limits<T>::infinity(), y)};
  }
  if (x != x || y != y) return {x + y, x + y};
  constexpr T kLarge = numeric_limits<T>::max() / 4, kTiny = numeric_limits<T>::min() * 4;
  T back = 1, high = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
  if (high > kLarge) {
    x /= 16;
    y /= 16;
    back = 4;
  } else if (high < kTiny) {
    constexpr T kScale = sizeof(T) == 4 ? T(0x1p48) : T(0x1p108);
    x *= kScale;
    y *= kScale;
    back = sizeof(T) == 4 ? T(0x1p-24) : T(0x1p-54);
  }
  T root = sqrt((fabs(x) + hypot(x, y)) / 2), other = fabs(y) / (2 * root);
  if (x >= 0) return {root * back, copysign(other, y) * back};
  return {other * back, copysign(root, y) * back};
}

template <class T>
inline complex<T> sinh(complex<T> z) {
  T x = z.real(), y = z.imag();
  if (y == 0) return {sinh(x), y};
  if (!is_bounded(y) && (x == 0 || is_endless(x))) return {fabs(x) > 0 ? fabs(x) : x, y - y};
  if (x == 0) return {copysign(T(0), x * cos(y)), sin(y)};
  if (is_endless(x)) return {x * cos(y), fabs(x) * sin(y)};
  if (fabs(x) > T(40)) {
    complex<T> half = turned_exp(fabs(x), y, T(0.5));
    return {copysign(T(1), x) * half.real(), half.imag()};
  }
  return {sinh(x) * cos(y), cosh(x) * sin(y)};
}
template <class T>
inline complex<T> cosh(complex<T> z) {
  T x = z.real(), y = z.imag();
  if (y == 0) return {cosh(x), x != x ? y : copysign(T(1), x) * y};
  if (!is_bounded(y) && is_endless(x)) return {fabs(x), y - y};
  if (x == 0) return {cos(y), is_bounded(y) ? x * sin(y) : T(0)};
  if (is_endless(x)) return {fabs(x) * cos(y), x * sin(y)};
  if (fabs(x) > T(40)) {
    complex<T> half = turned_exp(fabs(x), y, T(0.5));
    return {half.real(), copysign(T(1), x) * half.imag()};
  }
  return {cosh(x) * cos(y), sinh(x) * sin(y)};
}
template <class T>
inline complex<T> tanh(complex<T> z) {
  T x = z.real(), y = z.imag();
  if (y == 0) return {tanh(x), y};
  if (!is_bounded(y) && !is_endless(x)) return {x == 0 ? x : y - y, y - y};
  if (fabs(x) > T(22)) {
    T turn = is_bounded(y) ? sin(y) * cos(y) : copysign(T(1), y);
    return {copysign(T(1), x), copysign(4 * fabs(turn) * exp(-2 * fabs(x)), turn)};
  }
  T tangent = tan(y), beta = 1 + tangent * tangent, sine = sinh(x), rho = sqrt(1 + sine * sine);
  if (is_endless(tangent)) return {rho / sine, 1 / tangent};
  T divisor = 1 + beta * sine * sine;
  return {beta * rho * sine / divisor, tangent / divisor};
}

// Multiplications by i and -i.
template <class T>
inline complex<T> turn_left(complex<T> z) {
  return {-z.imag(), z.real()};
}
template <class T>
inline complex<T> turn_right(complex<T> z) {
  return {z.imag(), -z.real()};
}

template <class T>
inline complex<T> sin(complex<T> z) {
  if (!is_bounded(z.real()) && is_endless(z.imag())) {
    return {z.real() - z.real(), fabs(z.imag())};
  }
  return turn_right(sinh(turn_left(z)));
}
template <class T>
inline complex<T> cos(complex<T> z) {
  return cosh(turn_left(z));
}
template <class T>
inline complex<T> tan(complex<T> z) {
  return turn_right(tanh(turn_left(z)));
}

// The logarithm of 2|z| and the angle, for the inverse functions of numbers so large that nothing
// else matters.
template <class T>
inline constexpr T kHuge = sizeof(T) == 4 ? T(0x1p60) : T(0x1p500);
template <class T>
inline bool is_huge(complex<T> z) {
  return fabs(z.real()) > kHuge<T> || fabs(z.imag()) > kHuge<T>;
}
template <class T>
inline T log_double(complex<T> z) {
  return log_size(z.real(), z.imag()) + T(0.693147180559945309417232121458176568);
}

template <class T>
inline constexpr T kHalfPi = T(1.57079632679489661923132169163975144);

template <class T>
inline complex<T> acos(complex<T> z) {
  if (z.real() == 0 && z.imag() != z.imag()) return {kHalfPi<T>, z.imag()};
  if (is_huge(z)) {
    return {atan2(fabs(z.imag()), z.real()), copysign(log_double(z), -z.imag())};
  }
  complex<T> low = sqrt(complex<T>(1 - z.real(), -z.imag()));
  complex<T> high = sqrt(complex<T>(1 + z.real(), z.imag()));
  return {2 * atan2(low.real(), high.real()),
          asinh(high.real() * low.imag() - high.imag() * low.real())};
}
template <class T>
inline complex<T> asin(complex<T> z) {
  if (z.real() == 0 && z.imag() != z.imag()) return z;
  if (is_huge(z)) {
    return {atan2(z.real(), fabs(z.imag())), copysign(log_double(z), z.imag())};
  }
  complex<T> low = sqrt(complex<T>(1 - z.real(), -z.imag()));
  complex<T> high = sqrt(complex<T>(1 + z.real(), z.imag()));
  return {atan2(z.real(), low.real() * high.real() - low.imag() * high.imag()),
          asinh(low.real() * high.imag() - low.imag() * high.real())};
}
template <class T>
inline complex<T> acosh(complex<T> z) {
  if (z.real() == 0 && z.imag() != z.imag()) return {z.imag(), kHalfPi<T>};
  if (is_huge(z)) return {log_double(z), atan2(z.imag(), z.real())};
  complex<T> low = sqrt(complex<T>(z.real() - 1, z.imag()));
  complex<T> high = sqrt(complex<T>(z.real() + 1, z.imag()));
  return {asinh(low.real() * high.real() + low.imag() * high.imag()),
          2 * atan2(low.imag(), high.real())};
}
template <class T>
inline complex<T> asinh(complex<T> z) {
  return turn_right(asin(turn_left(z)));
}
template <class T>
inline complex<T> atanh(complex<T> z) {
  constexpr T kLog2 = T(0.693147180559945309417232121458176568);
  T x = z.real(), y = z.imag();
  if (x != x && is_endless(y)) return {copysign(T(0), x), copysign(kHalfPi<T>, y)};
  if (y != y) return {x == 0 || is_endless(x) ? copysign(T(0), x) : y, y};
  if (x != x) return {x, x};
  if (is_huge(z)) {
    T size = hypot(x / 2, y / 2);
    return {is_endless(size) ? copysign(T(0), x) : x / 2 / size / size / 2,
            copysign(kHalfPi<T>, y)};
  }
  T near = 1 - fabs(x);
  bool at_pole = fabs(near) < 1 / kHuge<T> && fabs(y) < 1 / kHuge<T>;
  T real = at_pole ? (kLog2 - log_size(near, y)) / 2
                   : log1p(4 * fabs(x) / (near * near + y * y)) / 4;
  return {copysign(real, x), atan2(2 * y, near * (1 + fabs(x)) - y * y) / 2};
}
template <class T>
inline complex<T> atan(complex<T> z) {
  return turn_right(atanh(turn_left(z)));
}

// A product that is infinite where one factor is and the other is not 0 (C99, Annex G).
template <class T>
inline complex<T> whole_product(complex<T> x, complex<T> y) {
  T a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  T real = a * c - b * d, imag = a * d + b * c;
  if (real == real || imag == imag) return {real, imag};
  bool first = is_endless(a) || is_endless(b), second = is_endless(c) || is_endless(d);
  bool overflows = is_endless(a * c) || is_endless(b * d) || is_endless(a * d) || is_endless(b * c);
  if (!first && !second && !overflows) return {real, imag};
  auto unit = [](bool endless, T part) { return copysign(T(endless), part); };
  auto zero = [](T part) { return part != part ? copysign(T(0), part) : part; };
  if (first) {
    a = unit(is_endless(a), a);
    b = unit(is_endless(b), b);
  } else {
    a = zero(a);
    b = zero(b);
  }
  if (second) {
    c = unit(is_endless(c), c);
    d = unit(is_endless(d), d);
  } else {
    c = zero(c);
    d = zero(d);
  }
  constexpr T kEndless = numeric_limits<T>::infinity();
  return {kEndless * (a * c - b * d), kEndless * (a * d + b * c)};
}

template <class T>
inline complex<T> pow(complex<T> x, complex<T> y) {
  return exp(whole_product(y, log(x)));
}

}  // namespace std
