// The hypergeometric distribution: direct sampling and Stadlober's ratio of uniforms (HRUA, 1989).
#include <algorithm>
#include <cmath>

#include "kernels/random/discrete.h"

namespace strider::nd::random {
namespace {

constexpr double kHat1 = 1.7155277699214135;  // 2 sqrt(2/e)
constexpr double kHat2 = 0.8989161620588988;  // 3 - 2 sqrt(3/e)

std::int64_t draw_one_by_one(BitGenerator& bits, std::int64_t good, std::int64_t bad,
                             std::int64_t sample) {
  std::int64_t total = good + bad;
  bool flipped = sample > total / 2;
  std::int64_t to_draw = flipped ? total - sample : sample;
  std::int64_t left = total, left_good = good;
  while (to_draw > 0 && left_good > 0 && left > left_good) {
    --left;
    if (static_cast<std::int64_t>(interval(bits, static_cast<std::uint64_t>(left))) < left_good)
      --left_good;
    --to_draw;
  }
  if (left == left_good) left_good -= to_draw;
  return flipped ? left_good : good - left_good;
}

struct LogFactorialTable {
  double values[126];
  LogFactorialTable() {
    for (int k = 0; k < 126; ++k)
      values[k] = static_cast<double>(lgammal(static_cast<long double>(k) + 1.0L));
  }
};

std::int64_t draw_by_ratio(BitGenerator& bits, std::int64_t good, std::int64_t bad,
                           std::int64_t sample) {
  std::int64_t population = good + bad;
  std::int64_t drawn = std::min(sample, population - sample);
  std::int64_t few = std::min(good, bad), many = std::max(good, bad);
  double size = static_cast<double>(population), count = static_cast<double>(drawn);
  double p = static_cast<double>(few) / size;
  double q = static_cast<double>(many) / size;
  double a = count * p + 0.5;
  double variance =
      static_cast<double>(population - drawn) * count * p * q / static_cast<double>(population - 1);
  double c = std::sqrt(variance + 0.5);
  double h = kHat1 * c + kHat2;
  auto mode = static_cast<std::int64_t>(
      std::floor(static_cast<double>(drawn + 1) * static_cast<double>(few + 1) / (size + 2)));
  auto log_weight = [&](std::int64_t k) {
    return log_factorial(k) + log_factorial(few - k) + log_factorial(drawn - k) +
           log_factorial(many - drawn + k);
  };
  double g = log_weight(mode);
  double bound = std::min(static_cast<double>(std::min(drawn, few) + 1), std::floor(a + 16 * c));
  std::int64_t k;
  for (;;) {
    double u = bits.next_double();
    double v = bits.next_double();
    double x = a + h * (v - 0.5) / u;
    if (x < 0.0 || x >= bound) continue;
    k = static_cast<std::int64_t>(std::floor(x));
    double t = g - log_weight(k);
    if (u * (4.0 - u) - 3.0 <= t) break;
    if (u * (u - t) >= 1) continue;
    if (2.0 * std::log(u) <= t) break;
  }
  if (good > bad) k = drawn - k;
  return drawn < sample ? good - k : k;
}

std::int64_t legacy_one_by_one(BitGenerator& bits, std::int64_t good, std::int64_t bad,
                               std::int64_t sample) {
  std::int64_t rest = bad + good - sample;
  double few = static_cast<double>(std::min(bad, good));
  double y = few;
  std::int64_t k = sample;
  while (y > 0.0) {
    double u = bits.next_double();
    y -= static_cast<double>(
        static_cast<std::int64_t>(std::floor(u + y / static_cast<double>(rest + k))));
    if (--k == 0) break;
  }
  auto z = static_cast<std::int64_t>(few - y);
  return good > bad ? sample - z : z;
}

std::int64_t legacy_by_ratio(BitGenerator& bits, std::int64_t good, std::int64_t bad,
                             std::int64_t sample) {
  std::int64_t few = std::min(good, bad), many = std::max(good, bad);
  std::int64_t population = good + bad;
  std::int64_t m = std::min(sample, population - sample);
  double size = static_cast<double>(population), md = static_cast<double>(m);
  double p = static_cast<double>(few) / size;
  double q = 1.0 - p;
  double a = md * p + 0.5;
  double c = std::sqrt(static_cast<double>(population - m) * static_cast<double>(sample) * p * q /
                           static_cast<double>(population - 1) +
                       0.5);
  double h = kHat1 * c + kHat2;
  double fewd = static_cast<double>(few), shift = static_cast<double>(many - m);
  auto log_weight = [&](double k) {
    return log_gamma(k + 1) + log_gamma(fewd - k + 1) + log_gamma(md - k + 1) +
           log_gamma(shift + k + 1);
  };
  double mode = std::floor(static_cast<double>(m + 1) * static_cast<double>(few + 1) / (size + 2));
  double g = log_weight(mode);
  double bound = std::min(static_cast<double>(std::min(m, few)) + 1.0, std::floor(a + 16 * c));
  std::int64_t z;
  for (;;) {
    double x = bits.next_double();
    double y = bits.next_double();
    double w = a + h * (y - 0.5) / x;
    if (w < 0.0 || w >= bound) continue;
    z = static_cast<std::int64_t>(std::floor(w));
    double t = g - log_weight(static_cast<double>(z));
    if (x * (4.0 - x) - 3.0 <= t) break;
    if (x * (x - t) >= 1) continue;
    if (2.0 * std::log(x) <= t) break;
  }
  if (good > bad) z = m - z;
  return m < sample ? good - z : z;
}

}  // namespace

double log_factorial(std::int64_t k) {
  static const LogFactorialTable table;
  constexpr double kHalfLogTwoPi = 0.9189385332046728;
  if (k < 126) return table.values[k];
  double x = static_cast<double>(k);
  return (x + 0.5) * std::log(x) - x +
         (kHalfLogTwoPi + (1.0 / x) * (1 / 12.0 - 1 / (360.0 * x * x)));
}

std::int64_t hypergeometric(BitGenerator& bits, std::int64_t good, std::int64_t bad,
                            std::int64_t sample) {
  if (sample >= 10 && sample <= good + bad - 10) return draw_by_ratio(bits, good, bad, sample);
  return draw_one_by_one(bits, good, bad, sample);
}

std::int64_t legacy_hypergeometric(BitGenerator& bits, std::int64_t good, std::int64_t bad,
                                   std::int64_t sample) {
  if (sample > 10) return legacy_by_ratio(bits, good, bad, sample);
  return sample > 0 ? legacy_one_by_one(bits, good, bad, sample) : 0;
}

}  // namespace strider::nd::random
