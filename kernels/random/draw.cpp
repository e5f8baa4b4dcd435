// numpy.random.Generator's distributions: their rules, and the plain fills.
#include <strider/nd/error.h>
#include <strider/nd/ufunc.h>

#include <cmath>

#include "kernels/random/shared_rules.h"
#include "kernels/random/there.h"

namespace strider::nd::random {
namespace {

using S = ModernSource;
using C = Constraint;

constexpr DistributionFacts kFacts[] = {
#define DISTRIBUTION(id, name, parameters, count, integral) {name, parameters, count, integral},
#include "kernels/table/distributions.def"
};

double wald(S& s, const Cell* p) {
  double mean = p[0].real, scale = p[1].real;
  double y = s.normal();
  y = mean * y * y;
  double d = 1 + std::sqrt(1 + 4 * scale / y);
  double x = mean * (1 - 2 / d);
  double u = s.uniform();
  return u <= mean / (mean + x) ? x : mean * mean / x;
}

double beta(S& s, const Cell* p) { return draw_beta(s, p[0].real, p[1].real); }

std::int64_t geometric(S& s, const Cell* p) {
  double chance = p[0].real;
  if (chance >= 0.333333333333333333333333) return geometric_search(s.bits, chance);
  double z = std::ceil(-s.exponential() / std::log1p(-chance));
  if (z >= 9.2233720368547758e+18) return INT64_MAX;
  return static_cast<std::int64_t>(z);
}

void check_uniform(const Parameters& p) {
  require_same_shapes(p[1], p[0]);
  if (!every_combination(p, 2, [](const double* x) { return std::isfinite(x[1] - x[0]); }))
    throw Error(ErrorKind::kOverflow, "high - low range exceeds valid bounds");
  if (!every_combination(p, 2, [](const double* x) { return !std::signbit(x[1] - x[0]); }))
    throw Error(ErrorKind::kValue, "high - low < 0");
}

void check_hypergeometric_modern(const Parameters& p) {
  constexpr std::int64_t kLimit = 1000000000;
  for (int k = 0; k < 2; ++k)
    for (std::int64_t i = 0; i < p[k].size(); ++i)
      if (p[k].as<std::int64_t>()[i] >= kLimit)
        throw Error(ErrorKind::kValue, "both ngood and nbad must be less than 1000000000");
  check_hypergeometric(p);
}

void check_negative_binomial(const Parameters& p) {
  bool fits = every_combination(p, 2, [](const double* x) {
    return !((1 - x[1]) / x[1] * (x[0] + 10 * std::sqrt(x[0])) > poisson_limit());
  });
  if (!fits)
    throw Error(ErrorKind::kValue,
                "n too large or p too small, see Generator.negative_binomial Notes");
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
          DRAW { return binomial(s.bits, p[0].whole, p[1].real, s.binomial); });
    case D::kGeometric:
      return integer_rule<S>(0, C::kProbabilityAbove0, none, none, geometric);
    case D::kHypergeometric:
      return integer_rule<S>(
          7, non_negative, non_negative, non_negative,
          DRAW { return hypergeometric(s.bits, p[0].whole, p[1].whole, p[2].whole); },
          check_hypergeometric_modern);
    case D::kLogseries:
      return integer_rule<S>(
          0, C::kProbabilityBelow1, none, none, DRAW { return logseries(s.bits, p[0].real); });
    case D::kNegativeBinomial:
      return integer_rule<S>(0, C::kPositiveNotNan, C::kProbabilityAbove0, none, negative_binomial,
                             check_negative_binomial);
    case D::kPareto:
      return real_rule<S>(
          positive, none, none, DRAW { return std::expm1(s.exponential() / p[0].real); });
    case D::kPower:
      return real_rule<S>(
          positive, none, none,
          DRAW { return std::pow(-std::expm1(-s.exponential()), 1.0 / p[0].real); });
    case D::kRayleigh:
      return real_rule<S>(
          non_negative, none, none, DRAW { return p[0].real * std::sqrt(2.0 * s.exponential()); });
    case D::kUniform:
      return real_rule<S>(
          none, none, none, DRAW { return p[0].real + (p[1].real - p[0].real) * s.uniform(); },
          check_uniform);
    case D::kVonmises:
      return real_rule<S>(
          none, non_negative, none, DRAW { return vonmises(s, p[0].real, p[1].real, true); });
    case D::kWald:
      return real_rule<S>(positive, positive, none, wald);
    case D::kZipf:
      return integer_rule<S>(
          0, C::kAboveOne, none, none, DRAW { return zipf(s.bits, p[0].real); });
    default:
      return shared_rule<S>(distribution);
  }
}
#undef DRAW

// Whole arrays with the same parameters go through the engine's own fills.
bool fill_at_once(BitGenerator& bits, Distribution distribution, const Parameters& p,
                  const Array& result) {
  if (!p.all_scalar()) return false;
  double* out = result.mutable_as<double>();
  std::int64_t count = result.size();
  double a = p[0] ? p[0].as<double>()[0] : 0, b = p[1] ? p[1].as<double>()[0] : 0;
  switch (distribution) {
    case Distribution::kNormal:
      bits.fill_standard_normal(out, count);
      for (std::int64_t i = 0; i < count; ++i) out[i] = a + b * out[i];
      return true;
    case Distribution::kExponential:
      bits.fill_standard_exponential(out, count);
      for (std::int64_t i = 0; i < count; ++i) out[i] = a * out[i];
      return true;
    case Distribution::kUniform:
      bits.fill_double(out, count);
      for (std::int64_t i = 0; i < count; ++i) out[i] = a + (b - a) * out[i];
      return true;
    default:
      return false;
  }
}

// Whether an offset and a factor bring numbers into no range where operations would warn.
bool is_harmless(double offset, double factor) {
  constexpr double kLarge = 1e200;
  double size = std::fabs(factor);
  return std::fabs(offset) < kLarge && (size == 0 || (size > 1 / kLarge && size < kLarge));
}

// The same on a device, by the same operations; null where the host should draw. Of functions only
// the square root is the CPU's to the bit everywhere.
Array draw_at_once_there(BitGenerator& bits, Distribution distribution, const Parameters& p,
                         const Dims& shape) {
  double a = p[0] ? p[0].as<double>()[0] : 0, b = p[1] ? p[1].as<double>()[0] : 0;
  bool two = distribution == Distribution::kNormal || distribution == Distribution::kUniform;
  bool root = distribution == Distribution::kRayleigh;
  if (!two && !root && distribution != Distribution::kExponential) return Array();
  bool uniform = distribution == Distribution::kUniform;
  double offset = two ? a : 0, factor = uniform ? b - a : two ? b : a;
  if (!is_harmless(offset, factor)) return Array();
  Drawn kind = uniform ? Drawn::kUniform : two ? Drawn::kNormal : Drawn::kExponential;
  Array drawn = draw_real_there(bits, kind, DType::kFloat64, shape);
  if (!drawn) return drawn;
  if (root) drawn = apply(Op::kSqrt, apply(Op::kMultiply, drawn, Operand::weak_float(2.0)));
  Array scaled = apply(Op::kMultiply, drawn, Operand::weak_float(factor));
  return two ? apply(Op::kAdd, scaled, Operand::weak_float(offset)) : scaled;
}

[[noreturn]] void unsupported(DType dtype, const char* what) {
  throw Error(ErrorKind::kType,
              "Unsupported dtype dtype('" + std::string(name(dtype)) + "') for " + what);
}

// Turns uniforms into exponentials.
template <class T, class Log1p>
void invert(T* values, std::int64_t count, Log1p log1p) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = -log1p(-values[i]);
}

void require_float(DType dtype, const char* what) {
  if (dtype != DType::kFloat64 && dtype != DType::kFloat32) unsupported(dtype, what);
}

}  // namespace

const DistributionFacts& facts(Distribution distribution) {
  return kFacts[static_cast<int>(distribution)];
}

double draw_beta(ModernSource& source, double a, double b) {
  if (a > 1.0 || b > 1.0) return beta_from_gammas(source, a, b);
  constexpr double kTiny = 3e-103;
  if (a < kTiny && b < kTiny) return (a + b) * source.uniform() < a ? 1.0 : 0.0;
  return beta_from_powers(source, a, b, true);
}

bool every_combination(const Parameters& parameters, int count, bool (*test)(const double*)) {
  Dims shapes[kMaxParameters];
  for (int k = 0; k < count; ++k) shapes[k] = parameters[k].shape();
  Dims shape = broadcast_arguments({shapes, static_cast<std::size_t>(count)});
  Array spread[kMaxParameters];
  for (int k = 0; k < count; ++k) spread[k] = parameters[k].broadcast_to(shape).contiguous();
  for (std::int64_t i = 0; i < element_count(shape); ++i) {
    double cells[kMaxParameters];
    for (int k = 0; k < count; ++k) cells[k] = spread[k].as<double>()[i];
    if (!test(cells)) return false;
  }
  return true;
}

void check_triangular(const Parameters& p) {
  auto require = [&](bool (*test)(const double*), const char* message) {
    if (!every_combination(p, 3, test)) throw Error(ErrorKind::kValue, message);
  };
  require([](const double* x) { return !(x[0] > x[1]); }, "left > mode");
  require([](const double* x) { return !(x[1] > x[2]); }, "mode > right");
  require([](const double* x) { return x[0] != x[2]; }, "left == right");
}

void check_hypergeometric(const Parameters& p) {
  Dims shapes[3] = {p[0].shape(), p[1].shape(), p[2].shape()};
  Dims shape = broadcast_arguments(shapes);
  Array spread[3];
  for (int k = 0; k < 3; ++k) spread[k] = p[k].broadcast_to(shape).contiguous();
  for (std::int64_t i = 0; i < element_count(shape); ++i) {
    std::int64_t total = 0;
    bool overflow = __builtin_add_overflow(spread[0].as<std::int64_t>()[i],
                                           spread[1].as<std::int64_t>()[i], &total);
    if (overflow || total < spread[2].as<std::int64_t>()[i])
      throw Error(ErrorKind::kValue, "ngood + nbad < nsample");
  }
}

Array draw(BitGenerator& bits, Distribution distribution, std::span<const Array> values,
           const Size& size) {
  Rule<ModernSource> rule = rule_of(distribution);
  Parameters parameters(distribution, values, rule.whole);
  bool relation_first = distribution == Distribution::kHypergeometric;
  if (relation_first) rule.check(parameters);
  parameters.check(rule.constraints);
  if (rule.check && !relation_first) rule.check(parameters);
  ModernSource source{bits};
  if (parameters.all_scalar() && size) {
    if (Array there = draw_at_once_there(bits, distribution, parameters, *size)) return there;
  }
  if (rule.real && parameters.all_scalar()) {
    Array result = empty_result(size, DType::kFloat64);
    if (fill_at_once(bits, distribution, parameters, result)) return result;
  }
  return draw_by_rule(source, rule, parameters, size);
}

Array random(BitGenerator& bits, const Size& size, DType dtype) {
  require_float(dtype, "random");
  if (size) {
    if (Array there = draw_real_there(bits, Drawn::kUniform, dtype, *size)) return there;
  }
  Array result = empty_result(size, dtype);
  if (dtype == DType::kFloat64)
    bits.fill_double(result.mutable_as<double>(), result.size());
  else
    bits.fill_float(result.mutable_as<float>(), result.size());
  return result;
}

Array standard_normal(BitGenerator& bits, const Size& size, DType dtype) {
  require_float(dtype, "standard_normal");
  if (size) {
    if (Array there = draw_real_there(bits, Drawn::kNormal, dtype, *size)) return there;
  }
  Array result = empty_result(size, dtype);
  if (dtype == DType::kFloat64)
    bits.fill_standard_normal(result.mutable_as<double>(), result.size());
  else
    bits.fill_standard_normal(result.mutable_as<float>(), result.size());
  return result;
}

Array standard_exponential(BitGenerator& bits, const Size& size, DType dtype,
                           bool inverse_transform) {
  require_float(dtype, "standard_exponential");
  if (inverse_transform) {
    Array result = random(bits, size, dtype);
    if (dtype == DType::kFloat64)
      invert(result.mutable_as<double>(), result.size(), [](double u) { return std::log1p(u); });
    else
      invert(result.mutable_as<float>(), result.size(),
             [](float u) { return static_cast<float>(std::log1p(static_cast<double>(u))); });
    return result;
  }
  if (size) {
    if (Array there = draw_real_there(bits, Drawn::kExponential, dtype, *size)) return there;
  }
  Array result = empty_result(size, dtype);
  if (dtype == DType::kFloat64)
    bits.fill_standard_exponential(result.mutable_as<double>(), result.size());
  else
    bits.fill_standard_exponential(result.mutable_as<float>(), result.size());
  return result;
}

float standard_gamma_float(BitGenerator& bits, float shape) {
  auto normal = [&] { return draw_normal(bits, normal_ziggurat_float()); };
  auto exponential = [&] { return draw_exponential(bits, exponential_ziggurat_float()); };
  if (shape == 1.0f) return exponential();
  if (shape == 0.0f) return 0.0f;
  if (shape < 1.0f) {
    for (;;) {
      float u = bits.next_float();
      float v = exponential();
      if (u <= 1.0f - shape) {
        float x = powf(u, 1.0f / shape);
        if (x <= v) return x;
      } else {
        float y = -logf((1.0f - u) / shape);
        float x = powf(1.0f - shape + shape * y, 1.0f / shape);
        if (x <= v + y) return x;
      }
    }
  }
  float b = shape - 1.0f / 3.0f;
  float c = 1.0f / sqrtf(9.0f * b);
  for (;;) {
    float x, v;
    do {
      x = normal();
      v = 1.0f + c * x;
    } while (v <= 0.0f);
    v = v * v * v;
    float u = bits.next_float();
    if (u < 1.0f - 0.0331f * (x * x) * (x * x)) return b * v;
    if (logf(u) < 0.5f * x * x + b * (1.0f - v + logf(v))) return b * v;
  }
}

Array standard_gamma(BitGenerator& bits, const Array& shape, const Size& size, DType dtype) {
  require_float(dtype, "standard_gamma");
  const Array values[2] = {shape, Array::scalar(1.0)};
  Parameters parameters(Distribution::kGamma, values, 0);
  check_constraint(parameters[0], "shape", Constraint::kNonNegative);
  Dims result_shape = parameters.broadcast(size);
  Array result = Array::empty(result_shape, dtype);
  ModernSource source{bits};
  if (dtype == DType::kFloat64)
    parameters.each(result.mutable_as<double>(), result.size(),
                    [&](const Cell* p) { return standard_gamma(source, p[0].real); });
  else
    parameters.each(result.mutable_as<float>(), result.size(), [&](const Cell* p) {
      return standard_gamma_float(bits, static_cast<float>(p[0].real));
    });
  return result;
}

void check_output(const Array& out, const Size& size, DType dtype) {
  if (out.dtype() != dtype)
    throw Error(ErrorKind::kType, "Supplied output array has the wrong type. Expected " +
                                      std::string(name(dtype)) + ", got " +
                                      std::string(name(out.dtype())));
  if (!out.writeable() || !(out.is_c_contiguous() || out.is_f_contiguous()))
    throw Error(ErrorKind::kValue,
                "Supplied output array must be contiguous, writable, aligned, and in machine "
                "byte-order.");
  if (size && !(*size == out.shape()))
    throw Error(ErrorKind::kValue, "size must match out.shape when used together");
}

}  // namespace strider::nd::random
