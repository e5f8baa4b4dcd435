// One number at a time from the continuous distributions. Written once over a Source, which
// supplies bits, standard normals and exponentials: the ziggurats, or the legacy methods.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/random/discrete.h"
#include "kernels/random/ziggurat.h"

namespace strider::nd::random {

inline constexpr double kPi = 3.14159265358979323846;

// The source of numpy.random.Generator.
struct ModernSource {
  BitGenerator& bits;
  BinomialSetup binomial{};
  const Ziggurat<double, std::uint64_t>& normals = normal_ziggurat();
  const Ziggurat<double, std::uint64_t>& exponentials = exponential_ziggurat();

  double uniform() { return bits.next_double(); }
  double normal() { return draw_normal(bits, normals); }
  double exponential() { return draw_exponential(bits, exponentials); }
};

// The source of numpy.random.RandomState: Marsaglia's polar method and inversion.
struct LegacySource {
  BitGenerator& bits;
  LegacyState& state;
  BinomialSetup binomial{};

  explicit LegacySource(LegacyState& legacy) : bits(*legacy.bits), state(legacy) {}
  double uniform() { return bits.next_double(); }
  double normal();
  double exponential() { return -std::log(1.0 - bits.next_double()); }
};

inline double LegacySource::normal() {
  if (state.has_gauss) {
    state.has_gauss = false;
    double kept = state.gauss;
    state.gauss = 0.0;
    return kept;
  }
  double x, y, square;
  do {
    x = 2.0 * bits.next_double() - 1.0;
    y = 2.0 * bits.next_double() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  double factor = std::sqrt(-2.0 * std::log(square) / square);
  state.gauss = factor * x;
  state.has_gauss = true;
  return factor * y;
}

// Ahrens and Dieter (1974) below shape 1, Marsaglia and Tsang (2000) above.
template <class Source>
double standard_gamma(Source& source, double shape) {
  if (shape == 1.0) return source.exponential();
  if (shape == 0.0) return 0.0;
  if (shape < 1.0) {
    for (;;) {
      double u = source.uniform();
      double v = source.exponential();
      if (u <= 1.0 - shape) {
        double x = std::pow(u, 1.0 / shape);
        if (x <= v) return x;
      } else {
        double y = -std::log((1.0 - u) / shape);
        double x = std::pow(1.0 - shape + shape * y, 1.0 / shape);
        if (x <= v + y) return x;
      }
    }
  }
  double b = shape - 1.0 / 3.0;
  double c = 1.0 / std::sqrt(9.0 * b);
  for (;;) {
    double x, v;
    do {
      x = source.normal();
      v = 1.0 + c * x;
    } while (v <= 0.0);
    v = v * v * v;
    double u = source.uniform();
    if (u < 1.0 - 0.0331 * (x * x) * (x * x)) return b * v;
    if (std::log(u) < 0.5 * x * x + b * (1.0 - v + std::log(v))) return b * v;
  }
}

template <class Source>
double chisquare(Source& source, double df) {
  return 2.0 * standard_gamma(source, df / 2.0);
}

template <class Source>
double noncentral_chisquare(Source& source, double df, double nonc) {
  if (std::isnan(nonc)) return std::numeric_limits<double>::quiet_NaN();
  if (nonc == 0) return chisquare(source, df);
  if (df > 1) {
    double central = chisquare(source, df - 1);
    double n = source.normal() + std::sqrt(nonc);
    return central + n * n;
  }
  std::int64_t i = poisson(source.bits, nonc / 2.0);
  return chisquare(source, df + 2.0 * static_cast<double>(i));
}

template <class Source>
double f_ratio(Source& source, double dfnum, double dfden) {
  double numerator = chisquare(source, dfnum) * dfden;
  double denominator = chisquare(source, dfden) * dfnum;
  return numerator / denominator;
}

template <class Source>
double noncentral_f(Source& source, double dfnum, double dfden, double nonc) {
  double numerator = noncentral_chisquare(source, dfnum, nonc) * dfden;
  return numerator / (chisquare(source, dfden) * dfnum);
}

template <class Source>
double standard_cauchy(Source& source) {
  double numerator = source.normal();
  return numerator / source.normal();
}

template <class Source>
double standard_t(Source& source, double df) {
  double numerator = source.normal();
  double denominator = standard_gamma(source, df / 2);
  return std::sqrt(df / 2) * numerator / std::sqrt(denominator);
}

// Jöhnk's method when both parameters are small, with a way out of underflow: taken when both
// powers vanish, or already when one does (`careful`).
template <class Source>
double beta_from_powers(Source& source, double a, double b, bool careful) {
  for (;;) {
    double u = source.uniform();
    double v = source.uniform();
    double x = std::pow(u, 1.0 / a);
    double y = std::pow(v, 1.0 / b);
    double sum = x + y;
    if (sum > 1.0 || u + v <= 0.0) continue;
    if (careful ? x > 0 && y > 0 : sum > 0) return x / sum;
    double log_x = std::log(u) / a;
    double log_y = std::log(v) / b;
    double log_max = log_x > log_y ? log_x : log_y;
    log_x -= log_max;
    log_y -= log_max;
    return std::exp(log_x - std::log(std::exp(log_x) + std::exp(log_y)));
  }
}

template <class Source>
double beta_from_gammas(Source& source, double a, double b) {
  double x = standard_gamma(source, a);
  double y = standard_gamma(source, b);
  return x / (x + y);
}

template <class Source>
double laplace(Source& source, double loc, double scale) {
  for (;;) {
    double u = source.uniform();
    if (u >= 0.5) return loc - scale * std::log(2.0 - u - u);
    if (u > 0.0) return loc + scale * std::log(u + u);
  }
}

template <class Source>
double gumbel(Source& source, double loc, double scale) {
  for (;;) {
    double u = 1.0 - source.uniform();
    if (u < 1.0) return loc - scale * std::log(-std::log(u));
  }
}

template <class Source>
double logistic(Source& source, double loc, double scale) {
  for (;;) {
    double u = source.uniform();
    if (u > 0.0) return loc + scale * std::log(u / (1.0 - u));
  }
}

template <class Source>
double triangular(Source& source, double left, double mode, double right) {
  double base = right - left;
  double left_base = mode - left;
  double u = source.uniform();
  if (u <= left_base / base) return left + std::sqrt(u * (left_base * base));
  return right - std::sqrt((1.0 - u) * ((right - mode) * base));
}

// Best and Fisher (1979). `wrap_large`: a wrapped normal for large kappa, as Generator does.
template <class Source>
double vonmises(Source& source, double mu, double kappa, bool wrap_large) {
  if (std::isnan(kappa)) return std::numeric_limits<double>::quiet_NaN();
  if (kappa < 1e-8) return kPi * (2 * source.uniform() - 1);
  double s;
  if (kappa < 1e-5) {
    s = 1.0 / kappa + kappa;
  } else if (kappa <= 1e6 || !wrap_large) {
    double r = 1 + std::sqrt(1 + 4 * kappa * kappa);
    double rho = (r - std::sqrt(2 * r)) / (2 * kappa);
    s = (1 + rho * rho) / (2 * rho);
  } else {
    double result = mu + std::sqrt(1.0 / kappa) * source.normal();
    if (result < -kPi) result += 2 * kPi;
    if (result > kPi) result -= 2 * kPi;
    return result;
  }
  double w;
  for (;;) {
    double z = std::cos(kPi * source.uniform());
    w = (1 + s * z) / (s + z);
    double y = kappa * (s - w);
    double v = source.uniform();
    if (y * (2 - y) - v >= 0 || std::log(y / v) + 1 - y >= 0) break;
  }
  double angle = std::acos(w);
  if (source.uniform() < 0.5) angle = -angle;
  angle += mu;
  double wrapped = std::fmod(std::fabs(angle) + kPi, 2 * kPi) - kPi;
  return angle < 0 ? -wrapped : wrapped;
}

// One beta as Generator draws it.
double draw_beta(ModernSource& source, double a, double b);

// A standard gamma in single precision.
float standard_gamma_float(BitGenerator& bits, float shape);

}  // namespace strider::nd::random
