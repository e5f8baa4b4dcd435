// numpy.random.RandomState's distributions, by the older algorithms that it promises to keep.
#include <strider/nd/error.h>

#include <algorithm>
#include <cmath>

#include "kernels/random/shared_rules.h"

namespace strider::nd::random {

namespace {

using S = LegacySource;
using C = Constraint;

double wald(S& s, const Cell* p) {
  double mean = p[0].real, scale = p[1].real;
  double half = mean / (2 * scale);
  double y = s.normal();
  y = mean * y * y;
  double x = mean + half * (y - std::sqrt(4 * scale * y + y * y));
  double u = s.uniform();
  return u <= mean / (mean + x) ? x : mean * mean / x;
}

double beta(S& s, const Cell* p) {
  double a = p[0].real, b = p[1].real;
  return a <= 1.0 && b <= 1.0 ? beta_from_powers(s, a, b, false) : beta_from_gammas(s, a, b);
}

std::int64_t geometric(S& s, const Cell* p) {
  double chance = p[0].real;
  if (chance >= 0.333333333333333333333333) return geometric_search(s.bits, chance);
  double z = std::ceil(std::log1p(-s.uniform()) / std::log(1 - chance));
  return z >= 9.2233720368547758e+18 ? INT64_MAX : static_cast<std::int64_t>(z);
}

void check_uniform(const Parameters& p) {
  require_same_shapes(p[1], p[0]);
  if (!every_combination(p, 2, [](const double* x) { return std::isfinite(x[1] - x[0]); }))
    throw Error(ErrorKind::kOverflow, "Range exceeds valid bounds");
}

#define DRAW [](S & s, const Cell* p)
Rule<S> rule_of(Distribution distribution) {
  using D = Distribution;
  constexpr C none = C::kNone, positive = C::kPositive, non_negative = C::kNonNegative;
  switch (distribution) {
    case D::kBeta:
      return real_rule<S>(positive, positive, none, beta);
    case D::kBinomial:
      return integer_rule<S>(
          1, non_negative, C::kProbability, none,
          DRAW { return legacy_binomial(s.bits, p[0].whole, p[1].real, s.binomial); });
    case D::kGeometric:
      return integer_rule<S>(0, C::kProbabilityAbove0, none, none, geometric);
    case D::kHypergeometric:
      return integer_rule<S>(
          7, non_negative, non_negative, C::kAtLeastOne,
          DRAW { return legacy_hypergeometric(s.bits, p[0].whole, p[1].whole, p[2].whole); },
          check_hypergeometric);
    case D::kLogseries:
      return integer_rule<S>(
          0, C::kProbabilityBelow1, none, none,
          DRAW { return legacy_logseries(s.bits, p[0].real); });
    case D::kNegativeBinomial:
      return integer_rule<S>(0, positive, C::kProbability, none, negative_binomial);
    case D::kPareto:
      return real_rule<S>(
          positive, none, none, DRAW { return std::exp(s.exponential() / p[0].real) - 1; });
    case D::kPower:
      return real_rule<S>(
          positive, none, none,
          DRAW { return std::pow(1 - std::exp(-s.exponential()), 1.0 / p[0].real); });
    case D::kRayleigh:
      return real_rule<S>(
          non_negative, none, none,
          DRAW { return p[0].real * std::sqrt(-2.0 * std::log1p(-s.uniform())); });
    case D::kUniform:
      return real_rule<S>(
          none, none, none, DRAW { return p[0].real + (p[1].real - p[0].real) * s.uniform(); },
          check_uniform);
    case D::kVonmises:
      return real_rule<S>(
          none, non_negative, none, DRAW { return vonmises(s, p[0].real, p[1].real, false); });
    case D::kWald:
      return real_rule<S>(positive, positive, none, wald);
    case D::kZipf:
      return integer_rule<S>(
          0, C::kAboveOne, none, none, DRAW { return legacy_zipf(s.bits, p[0].real); });
    default:
      return shared_rule<S>(distribution);
  }
}
#undef DRAW

// Many polar normals: uniforms in blocks, never more pairs than can still be wanted.
void fill_normals(LegacyState& state, double* out, std::int64_t count) {
  constexpr std::int64_t kPairs = 256;
  double uniforms[2 * kPairs];
  std::int64_t done = 0;
  if (count > 0 && state.has_gauss) out[done++] = LegacySource(state).normal();
  while (done < count) {
    std::int64_t pairs = std::min((count - done + 1) / 2, kPairs);
    state.bits->fill_double(uniforms, 2 * pairs);
    for (std::int64_t i = 0; i < pairs; ++i) {
      double x = 2.0 * uniforms[2 * i] - 1.0;
      double y = 2.0 * uniforms[2 * i + 1] - 1.0;
      double square = x * x + y * y;
      if (square >= 1.0 || square == 0.0) continue;
      double factor = std::sqrt(-2.0 * std::log(square) / square);
      out[done++] = factor * y;
      if (done < count) {
        out[done++] = factor * x;
      } else {
        state.gauss = factor * x;
        state.has_gauss = true;
      }
    }
  }
}

void fill_exponentials(LegacyState& state, double* out, std::int64_t count) {
  state.bits->fill_double(out, count);
  for (std::int64_t i = 0; i < count; ++i) out[i] = -std::log(1.0 - out[i]);
}

// Whole arrays with the same parameters go through bulk draws.
bool fill_at_once(LegacyState& state, Distribution distribution, const Parameters& p,
                  const Array& result) {
  double* out = result.mutable_as<double>();
  std::int64_t count = result.size();
  double a = p[0] ? p[0].as<double>()[0] : 0, b = p[1] ? p[1].as<double>()[0] : 0;
  switch (distribution) {
    case Distribution::kNormal:
      fill_normals(state, out, count);
      for (std::int64_t i = 0; i < count; ++i) out[i] = a + b * out[i];
      return true;
    case Distribution::kExponential:
      fill_exponentials(state, out, count);
      for (std::int64_t i = 0; i < count; ++i) out[i] = a * out[i];
      return true;
    case Distribution::kUniform:
      state.bits->fill_double(out, count);
      for (std::int64_t i = 0; i < count; ++i) out[i] = a + (b - a) * out[i];
      return true;
    default:
      return false;
  }
}

}  // namespace

Array draw_legacy(LegacyState& state, Distribution distribution, std::span<const Array> values,
                  const Size& size) {
  Rule<LegacySource> rule = rule_of(distribution);
  Parameters parameters(distribution, values, rule.whole);
  bool relation_first = distribution == Distribution::kHypergeometric;
  if (relation_first) rule.check(parameters);
  parameters.check(rule.constraints);
  if (rule.check && !relation_first) rule.check(parameters);
  if (rule.real && parameters.all_scalar()) {
    Array result = empty_result(size, DType::kFloat64);
    if (fill_at_once(state, distribution, parameters, result)) return result;
  }
  LegacySource source(state);
  return draw_by_rule(source, rule, parameters, size);
}

Array random_sample(LegacyState& state, const Size& size) { return random(*state.bits, size); }

Array legacy_standard_normal(LegacyState& state, const Size& size) {
  Array result = empty_result(size, DType::kFloat64);
  fill_normals(state, result.mutable_as<double>(), result.size());
  return result;
}

Array legacy_standard_exponential(LegacyState& state, const Size& size) {
  Array result = empty_result(size, DType::kFloat64);
  fill_exponentials(state, result.mutable_as<double>(), result.size());
  return result;
}

Array legacy_standard_gamma(LegacyState& state, const Array& shape, const Size& size) {
  const Array values[2] = {shape, Array::scalar(1.0)};
  return draw_legacy(state, Distribution::kGamma, values, size);
}

Array tomaxint(LegacyState& state, const Size& size) {
  Array result = empty_result(size, DType::kInt64);
  std::int64_t* out = result.mutable_as<std::int64_t>();
  for (std::int64_t i = 0; i < result.size(); ++i)
    out[i] = static_cast<std::int64_t>(state.bits->next_uint64() >> 1);
  return result;
}

}  // namespace strider::nd::random
