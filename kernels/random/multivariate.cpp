// Multinomial, Dirichlet and multivariate hypergeometric vectors.
#include <strider/nd/error.h>

#include <algorithm>
#include <vector>

#include "kernels/random/continuous.h"
#include "kernels/random/distribution_rules.h"

namespace strider::nd::random {
namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorKind::kValue, message); }

Dims with_last(const Dims& shape, std::int64_t extent) {
  Dims result = shape;
  result.push_back(extent);
  return result;
}

double compensated_sum(const double* values, std::int64_t count) {
  double sum = count > 0 ? values[0] : 0.0, carry = 0.0;
  for (std::int64_t i = 1; i < count; ++i) {
    double y = values[i] - carry;
    double t = sum + y;
    carry = (t - sum) - y;
    sum = t;
  }
  return sum;
}

// Each row's probabilities but the last must leave room for it.
void check_rows(const Array& pvals, const Array& given) {
  std::int64_t width = pvals.shape().back();
  const double* p = pvals.as<double>();
  for (std::int64_t row = 0; row < pvals.size() / width; ++row, p += width) {
    if (compensated_sum(p, width - 1) <= 1.0 + 1e-12) continue;
    bool narrow = given.dtype() == DType::kFloat16 || given.dtype() == DType::kFloat32;
    if (narrow && compensated_sum(p, width) < 1.0001)
      reject(
          "The sum of pvals[:-1].astype(np.float64) > 1.0. The pvals array is cast to 64-bit "
          "floating point prior to checking the sum. Precision changes when casting may cause "
          "problems even if the sum of the original pvals is valid.");
    reject("sum(pvals[:-1]) > 1.0");
  }
}

Array checked_pvals(const Array& given) {
  Array pvals = given.contiguous(DType::kFloat64);
  check_constraint(pvals, "pvals", Constraint::kProbability);
  check_rows(pvals, given);
  return pvals;
}

// The shape of the results, one vector each.
Dims outer_shape(const Array& n, const Dims& rows, const Size& size) {
  Dims shapes[3] = {n.shape(), rows, size ? *size : Dims{}};
  if (n.rank() == 0 && rows.empty()) return size ? *size : Dims{};
  Dims shape = broadcast_arguments({shapes, size ? 3u : 2u});
  if (size && !(shape == *size))
    reject("Output size " + shape_tuple(*size) +
           " is not compatible with broadcast dimensions of inputs " + shape_tuple(shape) + ".");
  return shape;
}

template <class Source>
Array normalised_gammas(Source& source, const Array& alpha, const Size& size) {
  std::int64_t width = alpha.size();
  Array result = Array::empty(with_last(size ? *size : Dims{}, width), DType::kFloat64);
  double* out = result.mutable_as<double>();
  const double* a = alpha.as<double>();
  for (std::int64_t i = 0; width > 0 && i < result.size(); i += width, out += width) {
    double sum = 0;
    for (std::int64_t j = 0; j < width; ++j) sum += out[j] = standard_gamma(source, a[j]);
    double inverse = 1 / sum;
    for (std::int64_t j = 0; j < width; ++j) out[j] *= inverse;
  }
  return result;
}

// Breaks a stick piece by piece: exact where gammas of tiny shapes would all underflow.
Array broken_sticks(BitGenerator& bits, const Array& alpha, const Size& size) {
  std::int64_t width = alpha.size();
  const double* a = alpha.as<double>();
  std::vector<double> tail(static_cast<std::size_t>(width));
  double sum = 0;
  for (std::int64_t j = width - 1; j >= 0; --j) tail[static_cast<std::size_t>(j)] = sum += a[j];
  Array result = Array::zeros(with_last(size ? *size : Dims{}, width), DType::kFloat64);
  if (sum <= 0) return result;
  ModernSource source{bits};
  double* out = result.mutable_as<double>();
  for (std::int64_t i = 0; i < result.size(); i += width, out += width) {
    double left = 1;
    for (std::int64_t j = 0; j < width - 1; ++j) {
      double rest = tail[static_cast<std::size_t>(j + 1)];
      double share = draw_beta(source, a[j], rest);
      out[j] = left * share;
      left *= 1 - share;
      if (rest == 0) break;
    }
    out[width - 1] = left;
  }
  return result;
}

Array one_dimensional(const Array& given, const char* name) {
  if (given.rank() != 1) reject(std::string(name) + " must be a 1-d sequence");
  return given.contiguous(DType::kFloat64);
}

// Multivariate hypergeometric draws of one call.
struct Urn {
  std::vector<std::int64_t> colors;
  std::int64_t total;
  std::int64_t sample;
  bool complemented;  // what stays is drawn instead
};

void draw_by_count(BitGenerator& bits, const Urn& urn, std::int64_t* out, std::int64_t draws) {
  std::vector<std::size_t> balls;
  for (std::size_t color = 0; color < urn.colors.size(); ++color)
    balls.insert(balls.end(), static_cast<std::size_t>(urn.colors[color]), color);
  for (std::int64_t i = 0; i < draws; ++i, out += urn.colors.size()) {
    for (std::int64_t j = 0; j < urn.sample; ++j) {
      std::int64_t k = j + static_cast<std::int64_t>(
                               interval(bits, static_cast<std::uint64_t>(urn.total - j - 1)));
      std::swap(balls[static_cast<std::size_t>(k)], balls[static_cast<std::size_t>(j)]);
    }
    for (std::int64_t j = 0; j < urn.sample; ++j) ++out[balls[static_cast<std::size_t>(j)]];
  }
}

void draw_by_marginals(BitGenerator& bits, const Urn& urn, std::int64_t* out, std::int64_t draws) {
  for (std::int64_t i = 0; i < draws; ++i, out += urn.colors.size()) {
    std::int64_t left = urn.sample, remaining = urn.total;
    for (std::size_t j = 0; left > 0 && j + 1 < urn.colors.size(); ++j) {
      remaining -= urn.colors[j];
      out[j] = hypergeometric(bits, urn.colors[j], remaining, left);
      left -= out[j];
    }
    if (left > 0) out[urn.colors.size() - 1] = left;
  }
}

std::vector<std::int64_t> checked_colors(const Array& colors) {
  constexpr const char* kMessage =
      "colors must be a one-dimensional sequence of nonnegative integers not exceeding "
      "9223372036854775807.";
  bool fits = colors.rank() == 1 && (is_integer(colors.dtype()) || colors.size() == 0);
  if (!fits) reject(kMessage);
  Array values = colors.contiguous(DType::kInt64);
  const std::int64_t* data = values.as<std::int64_t>();
  if (std::any_of(data, data + values.size(), [](std::int64_t x) { return x < 0; }))
    reject(kMessage);
  return {data, data + values.size()};
}

}  // namespace

Array multinomial(BitGenerator& bits, const Array& n, const Array& pvals, const Size& size) {
  if (pvals.rank() < 1 || pvals.shape().back() == 0)
    reject(
        "pvals must have at least 1 dimension and the last dimension of pvals must be greater "
        "than 0.");
  Array p = checked_pvals(pvals);
  Array counts = n.contiguous(DType::kInt64);
  check_constraint(counts, "n", Constraint::kNonNegative);
  std::int64_t width = p.shape().back();
  Dims rows = p.shape();
  rows.erase(rows.size() - 1);
  Dims shape = outer_shape(counts, rows, size);
  counts = counts.broadcast_to(shape).contiguous();
  p = p.broadcast_to(with_last(shape, width)).contiguous();
  Array result = Array::empty(with_last(shape, width), DType::kInt64);
  BinomialSetup setup;
  for (std::int64_t i = 0; i < counts.size(); ++i)
    multinomial_counts(bits, counts.as<std::int64_t>()[i],
                       result.mutable_as<std::int64_t>() + i * width, p.as<double>() + i * width,
                       width, setup);
  return result;
}

Array legacy_multinomial(LegacyState& state, std::int64_t n, const Array& pvals, const Size& size) {
  if (pvals.rank() == 0) throw Error(ErrorKind::kType, "pvals must be a 1-d sequence");
  if (n < 0) reject("n < 0");
  if (pvals.size() > 0) return multinomial(*state.bits, Array::scalar(n), pvals, size);
  return Array::zeros(with_last(size ? *size : Dims{}, 0), DType::kInt64);
}

Array dirichlet(BitGenerator& bits, const Array& alpha, const Size& size) {
  Array a = one_dimensional(alpha, "alpha");
  const double* data = a.as<double>();
  if (std::any_of(data, data + a.size(), [](double x) { return x < 0; })) reject("alpha < 0");
  if (a.size() > 0 && *std::max_element(data, data + a.size()) < 0.1)
    return broken_sticks(bits, a, size);
  ModernSource source{bits};
  return normalised_gammas(source, a, size);
}

Array legacy_dirichlet(LegacyState& state, const Array& alpha, const Size& size) {
  Array a = one_dimensional(alpha, "alpha");
  const double* data = a.as<double>();
  if (std::any_of(data, data + a.size(), [](double x) { return x <= 0; })) reject("alpha <= 0");
  LegacySource source(state);
  return normalised_gammas(source, a, size);
}

Array multivariate_hypergeometric(BitGenerator& bits, const Array& colors, std::int64_t nsample,
                                  const Size& size, HypergeometricMethod method) {
  if (nsample < 0) reject("nsample must be nonnegative.");
  Urn urn{checked_colors(colors), 0, nsample, false};
  for (std::int64_t color : urn.colors)
    if (__builtin_add_overflow(urn.total, color, &urn.total))
      reject(
          "sum(colors) must not exceed the maximum value of a 64 bit signed integer "
          "(9223372036854775807)");
  if (method == HypergeometricMethod::kMarginals && urn.total >= 1000000000)
    reject("When method is \"marginals\", sum(colors) must be less than 1000000000.");
  if (nsample > urn.total) reject("nsample > sum(colors)");
  auto width = static_cast<std::int64_t>(urn.colors.size());
  Array result = Array::zeros(with_last(size ? *size : Dims{}, width), DType::kInt64);
  if (urn.total == 0 || nsample == 0 || result.size() == 0) return result;
  urn.complemented = nsample > urn.total / 2;
  if (urn.complemented) urn.sample = urn.total - nsample;
  std::int64_t* out = result.mutable_as<std::int64_t>();
  if (method == HypergeometricMethod::kCount)
    draw_by_count(bits, urn, out, result.size() / width);
  else
    draw_by_marginals(bits, urn, out, result.size() / width);
  for (std::int64_t i = 0; urn.complemented && i < result.size(); ++i)
    out[i] = urn.colors[static_cast<std::size_t>(i % width)] - out[i];
  return result;
}

}  // namespace strider::nd::random
