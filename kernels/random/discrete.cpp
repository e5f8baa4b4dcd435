// Poisson, binomial, zipf, logarithmic series and bounded integers.
#include "kernels/random/discrete.h"

#include <algorithm>
#include <cmath>

namespace strider::nd::random {
namespace {

// Multiplies uniforms until the product falls below exp(-lam).
std::int64_t poisson_by_product(BitGenerator& bits, double lam) {
  double limit = std::exp(-lam);
  double product = bits.next_double();
  std::int64_t count = 0;
  for (; product > limit; ++count) product *= bits.next_double();
  return count;
}

// Hörmann's transformed rejection PTRS (1993).
std::int64_t poisson_by_rejection(BitGenerator& bits, double lam) {
  double root = std::sqrt(lam);
  double log_lam = std::log(lam);
  double b = 0.931 + 2.53 * root;
  double a = -0.059 + 0.02483 * b;
  double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  double accept = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    double u = bits.next_double() - 0.5;
    double v = bits.next_double();
    double us = 0.5 - std::fabs(u);
    auto k = static_cast<std::int64_t>(std::floor((2 * a / us + b) * u + lam + 0.43));
    if (us >= 0.07 && v <= accept) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    double left = std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b);
    double kd = static_cast<double>(k);
    if (left <= -lam + kd * log_lam - log_gamma(kd + 1)) return k;
  }
}

// The logarithm of 1 - p; RandomState keeps to the one that loses small chances.
enum class LogOfRest { kExact, kOfDifference };

std::int64_t binomial_by_inversion(BitGenerator& bits, std::int64_t n, double p,
                                   BinomialSetup& setup, LogOfRest rest) {
  if (!setup.ready || setup.n != n || setup.p != p) {
    setup.n = n;
    setup.p = p;
    setup.ready = true;
    setup.q = 1.0 - p;
    double log_q = rest == LogOfRest::kExact ? std::log1p(-p) : std::log(setup.q);
    setup.r = std::exp(static_cast<double>(n) * log_q);
    double np = static_cast<double>(n) * p;
    setup.c = np;
    setup.m = static_cast<std::int64_t>(
        std::min(static_cast<double>(n), np + 10.0 * std::sqrt(np * setup.q + 1)));
  }
  std::int64_t x = 0;
  double px = setup.r;
  double u = bits.next_double();
  while (u > px) {
    if (++x > setup.m) {
      x = 0;
      px = setup.r;
      u = bits.next_double();
    } else {
      u -= px;
      px = (static_cast<double>(n - x + 1) * p * px) / (static_cast<double>(x) * setup.q);
    }
  }
  return x;
}

// The regions of the BTPE method (Kachitvichyanukul and Schmeiser 1988): triangle,
// parallelograms, left and right exponential tails.
void set_up_btpe(std::int64_t n, double p, BinomialSetup& s) {
  double nd = static_cast<double>(n);
  s.ready = true;
  s.n = n;
  s.p = p;
  s.r = std::min(p, 1.0 - p);
  s.q = 1.0 - s.r;
  s.fm = nd * s.r + s.r;
  s.m = static_cast<std::int64_t>(std::floor(s.fm));
  s.p1 = std::floor(2.195 * std::sqrt(nd * s.r * s.q) - 4.6 * s.q) + 0.5;
  s.xm = static_cast<double>(s.m) + 0.5;
  s.xl = s.xm - s.p1;
  s.xr = s.xm + s.p1;
  s.c = 0.134 + 20.5 / (15.3 + static_cast<double>(s.m));
  double a = (s.fm - s.xl) / (s.fm - s.xl * s.r);
  s.laml = a * (1.0 + a / 2.0);
  a = (s.xr - s.fm) / (s.xr * s.q);
  s.lamr = a * (1.0 + a / 2.0);
  s.p2 = s.p1 * (1.0 + 2.0 * s.c);
  s.p3 = s.p2 + s.c / s.laml;
  s.p4 = s.p3 + s.c / s.lamr;
}

// Proposes y and the height v it must be tested with; returns true when no test is needed.
enum class Proposal { kTaken, kTest, kRejected };
Proposal propose(BitGenerator& bits, const BinomialSetup& s, std::int64_t& y, double& v) {
  double u = bits.next_double() * s.p4;
  v = bits.next_double();
  if (u <= s.p1) {
    y = static_cast<std::int64_t>(std::floor(s.xm - s.p1 * v + u));
    return Proposal::kTaken;
  }
  if (u <= s.p2) {
    double x = s.xl + (u - s.p1) / s.c;
    v = v * s.c + 1.0 - std::fabs(static_cast<double>(s.m) - x + 0.5) / s.p1;
    if (v > 1.0) return Proposal::kRejected;
    y = static_cast<std::int64_t>(std::floor(x));
    return Proposal::kTest;
  }
  bool left = u <= s.p3;
  y = static_cast<std::int64_t>(
      std::floor(left ? s.xl + std::log(v) / s.laml : s.xr - std::log(v) / s.lamr));
  if (y < 0 || y > s.n || v == 0.0) return Proposal::kRejected;
  v = left ? v * (u - s.p2) * s.laml : v * (u - s.p3) * s.lamr;
  return Proposal::kTest;
}

double stirling_tail(double x) {
  double x2 = x * x;
  return (13680. - (462. - (132. - (99. - 140. / x2) / x2) / x2) / x2) / x / 166320.;
}

// Whether v lies below the density's ratio f(y) / f(m).
bool accept_btpe(const BinomialSetup& s, std::int64_t y, double v) {
  double nrq = static_cast<double>(s.n) * s.r * s.q;
  std::int64_t k = std::abs(y - s.m);
  if (k <= 20 || static_cast<double>(k) >= nrq / 2.0 - 1) {
    double ratio = s.r / s.q;
    double a = ratio * static_cast<double>(s.n + 1);
    double f = 1.0;
    for (std::int64_t i = s.m + 1; i <= y; ++i) f *= (a / static_cast<double>(i) - ratio);
    for (std::int64_t i = y + 1; i <= s.m; ++i) f /= (a / static_cast<double>(i) - ratio);
    return v <= f;
  }
  double kd = static_cast<double>(k);
  double rho = (kd / nrq) * ((kd * (kd / 3.0 + 0.625) + 0.16666666666666666) / nrq + 0.5);
  double t = static_cast<double>(-k * k) / (2 * nrq);
  double a = std::log(v);
  if (a < t - rho) return true;
  if (a > t + rho) return false;
  double x1 = static_cast<double>(y + 1);
  double f1 = static_cast<double>(s.m + 1);
  double z = static_cast<double>(s.n + 1 - s.m);
  double w = static_cast<double>(s.n - y + 1);
  double bound = s.xm * std::log(f1 / x1) +
                 (static_cast<double>(s.n - s.m) + 0.5) * std::log(z / w) +
                 static_cast<double>(y - s.m) * std::log(w * s.r / (x1 * s.q)) + stirling_tail(f1) +
                 stirling_tail(z) + stirling_tail(x1) + stirling_tail(w);
  return a <= bound;
}

std::int64_t binomial_by_btpe(BitGenerator& bits, std::int64_t n, double p, BinomialSetup& setup) {
  if (!setup.ready || setup.n != n || setup.p != p) set_up_btpe(n, p, setup);
  for (;;) {
    std::int64_t y = 0;
    double v = 0;
    Proposal proposal = propose(bits, setup, y, v);
    if (proposal == Proposal::kRejected) continue;
    if (proposal == Proposal::kTaken || accept_btpe(setup, y, v)) return p > 0.5 ? n - y : y;
  }
}

std::int64_t binomial_small_p(BitGenerator& bits, std::int64_t n, double p, BinomialSetup& setup,
                              LogOfRest rest) {
  if (p * static_cast<double>(n) <= 30.0) return binomial_by_inversion(bits, n, p, setup, rest);
  return binomial_by_btpe(bits, n, p, setup);
}

constexpr double kMaxInteger = 9223372036854775807.0;

}  // namespace

double log_gamma(double x) {
  static constexpr double kSeries[10] = {
      8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04,
      8.417508417508418e-04, -1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02,
      1.796443723688307e-01, -1.39243221690590e+00};
  constexpr double kLogTwoPi = 1.8378770664093453e+00;
  if (x == 1.0 || x == 2.0) return 0.0;
  std::int64_t n = x < 7.0 ? static_cast<std::int64_t>(7 - x) : 0;
  double x0 = x + static_cast<double>(n);
  double x2 = (1.0 / x0) * (1.0 / x0);
  double sum = kSeries[9];
  for (int k = 8; k >= 0; --k) sum = sum * x2 + kSeries[k];
  double result = sum / x0 + 0.5 * kLogTwoPi + (x0 - 0.5) * std::log(x0) - x0;
  for (std::int64_t k = 1; k <= n; ++k) {
    result -= std::log(x0 - 1.0);
    x0 -= 1.0;
  }
  return result;
}

std::int64_t poisson(BitGenerator& bits, double lam) {
  if (lam >= 10) return poisson_by_rejection(bits, lam);
  return lam == 0 ? 0 : poisson_by_product(bits, lam);
}

std::int64_t binomial(BitGenerator& bits, std::int64_t n, double p, BinomialSetup& setup) {
  if (n == 0 || p == 0.0) return 0;
  if (p <= 0.5) return binomial_small_p(bits, n, p, setup, LogOfRest::kExact);
  return n - binomial_small_p(bits, n, 1.0 - p, setup, LogOfRest::kExact);
}

std::int64_t legacy_binomial(BitGenerator& bits, std::int64_t n, double p, BinomialSetup& setup) {
  if (p <= 0.5) return binomial_small_p(bits, n, p, setup, LogOfRest::kOfDifference);
  return n - binomial_small_p(bits, n, 1.0 - p, setup, LogOfRest::kOfDifference);
}

std::int64_t geometric_search(BitGenerator& bits, double p) {
  std::int64_t x = 1;
  double product = p, sum = p;
  double u = bits.next_double();
  while (u > sum) {
    product *= 1.0 - p;
    sum += product;
    ++x;
  }
  return x;
}

std::int64_t zipf(BitGenerator& bits, double a) {
  if (a >= 1025) return 1;
  double am1 = a - 1.0;
  double b = std::pow(2.0, am1);
  double least = std::pow(kMaxInteger, -am1);
  for (;;) {
    double u01 = bits.next_double();
    double u = u01 * least + (1 - u01);
    double x = std::floor(std::pow(u, -1.0 / am1));
    if (x > kMaxInteger || x < 1.0) continue;
    double v = bits.next_double();
    double t = std::pow(1.0 + 1.0 / x, am1);
    if (v * x * (t - 1.0) / (b - 1.0) <= t / b) return static_cast<std::int64_t>(x);
  }
}

std::int64_t legacy_zipf(BitGenerator& bits, double a) {
  double am1 = a - 1.0;
  double b = std::pow(2.0, am1);
  for (;;) {
    double u = 1.0 - bits.next_double();
    double v = bits.next_double();
    double x = std::floor(std::pow(u, -1.0 / am1));
    if (x > kMaxInteger || x < 1.0) continue;
    double t = std::pow(1.0 + 1.0 / x, am1);
    if (v * x * (t - 1.0) / (b - 1.0) <= t / b) return static_cast<std::int64_t>(x);
  }
}

namespace {

// Kemp's method LK (1981); `shrink` turns u into q.
template <class Shrink>
std::int64_t logseries_by_kemp(BitGenerator& bits, double p, Shrink shrink) {
  for (;;) {
    double v = bits.next_double();
    if (v >= p) return 1;
    double q = shrink(bits.next_double());
    if (v <= q * q) {
      auto result = static_cast<std::int64_t>(std::floor(1 + std::log(v) / std::log(q)));
      if (result < 1 || v == 0.0) continue;
      return result;
    }
    return v >= q ? 1 : 2;
  }
}

}  // namespace

std::int64_t logseries(BitGenerator& bits, double p) {
  double r = std::log1p(-p);
  return logseries_by_kemp(bits, p, [r](double u) { return -std::expm1(r * u); });
}

std::int64_t legacy_logseries(BitGenerator& bits, double p) {
  double r = std::log(1.0 - p);
  return logseries_by_kemp(bits, p, [r](double u) { return 1.0 - std::exp(r * u); });
}

void multinomial_counts(BitGenerator& bits, std::int64_t n, std::int64_t* counts,
                        const double* pvals, std::int64_t categories, BinomialSetup& setup) {
  std::fill_n(counts, categories, 0);
  if (categories == 0) return;
  double remaining = 1.0;
  for (std::int64_t j = 0; j < categories - 1; ++j) {
    counts[j] = binomial(bits, n, pvals[j] / remaining, setup);
    n -= counts[j];
    if (n <= 0) break;
    remaining -= pvals[j];
  }
  if (n > 0) counts[categories - 1] = n;
}

std::uint64_t interval(BitGenerator& bits, std::uint64_t max) {
  if (max == 0) return 0;
  std::uint64_t mask = ~std::uint64_t{0} >> __builtin_clzll(max);
  std::uint64_t value;
  if (max <= 0xffffffffu) {
    do value = bits.next_uint32() & mask;
    while (value > max);
  } else {
    do value = bits.next_uint64() & mask;
    while (value > max);
  }
  return value;
}

}  // namespace strider::nd::random
