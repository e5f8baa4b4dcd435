// The rules that numpy.random.Generator and RandomState share; each has others for itself.
#pragma once

#include "kernels/random/continuous.h"
#include "kernels/random/distribution_rules.h"

namespace strider::nd::random {

// Poisson's numbers at a rate that a gamma distribution gives.
template <class S>
std::int64_t negative_binomial(S& s, const Cell* p) {
  double rate = (1 - p[1].real) / p[1].real * standard_gamma(s, p[0].real);
  return poisson(s.bits, rate);
}

// The rule of a distribution whose numbers are made in the same way from any source.
template <class S>
Rule<S> shared_rule(Distribution distribution) {
  using D = Distribution;
  using C = Constraint;
  constexpr C none = C::kNone, positive = C::kPositive, non_negative = C::kNonNegative;
#define DRAW [](S & s, const Cell* p)
#define DRAW_PLAIN [](S & s, const Cell*)
  switch (distribution) {
    case D::kChisquare:
      return real_rule<S>(
          positive, none, none, DRAW { return chisquare(s, p[0].real); });
    case D::kExponential:
      return real_rule<S>(
          non_negative, none, none, DRAW { return p[0].real * s.exponential(); });
    case D::kF:
      return real_rule<S>(
          positive, positive, none, DRAW { return f_ratio(s, p[0].real, p[1].real); });
    case D::kGamma:
      return real_rule<S>(
          non_negative, non_negative, none,
          DRAW { return p[1].real * standard_gamma(s, p[0].real); });
    case D::kGumbel:
      return real_rule<S>(
          none, non_negative, none, DRAW { return gumbel(s, p[0].real, p[1].real); });
    case D::kLaplace:
      return real_rule<S>(
          none, non_negative, none, DRAW { return laplace(s, p[0].real, p[1].real); });
    case D::kLogistic:
      return real_rule<S>(
          none, non_negative, none, DRAW { return logistic(s, p[0].real, p[1].real); });
    case D::kLognormal:
      return real_rule<S>(
          none, non_negative, none, DRAW { return std::exp(p[0].real + p[1].real * s.normal()); });
    case D::kNoncentralChisquare:
      return real_rule<S>(
          positive, non_negative, none,
          DRAW { return noncentral_chisquare(s, p[0].real, p[1].real); });
    case D::kNoncentralF:
      return real_rule<S>(
          positive, positive, non_negative,
          DRAW { return noncentral_f(s, p[0].real, p[1].real, p[2].real); });
    case D::kNormal:
      return real_rule<S>(
          none, non_negative, none, DRAW { return p[0].real + p[1].real * s.normal(); });
    case D::kPoisson:
      return integer_rule<S>(
          0, C::kPoisson, none, none, DRAW { return poisson(s.bits, p[0].real); });
    case D::kStandardCauchy:
      return real_rule<S>(
          none, none, none, DRAW_PLAIN { return standard_cauchy(s); });
    case D::kStandardT:
      return real_rule<S>(
          positive, none, none, DRAW { return standard_t(s, p[0].real); });
    case D::kTriangular:
      return real_rule<S>(
          none, none, none, DRAW { return triangular(s, p[0].real, p[1].real, p[2].real); },
          check_triangular);
    case D::kWeibull:
      return real_rule<S>(
          non_negative, none, none,
          DRAW { return p[0].real == 0.0 ? 0.0 : std::pow(s.exponential(), 1.0 / p[0].real); });
    default:
      return {};
  }
#undef DRAW
#undef DRAW_PLAIN
}

}  // namespace strider::nd::random
