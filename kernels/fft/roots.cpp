// Roots of unity: angles are folded into the first octant before sine and cosine are taken.
#include "kernels/fft/roots.h"

#include <cmath>
#include <numbers>

namespace strider::nd {
namespace {

// exp(2 pi i k / n), the angle folded into [0, pi/4].
std::complex<double> exact_root(std::int64_t k, std::int64_t n) {
  std::int64_t eighths = 8 * k;
  bool below = eighths >= 4 * n;  // the lower half plane mirrors the upper one
  if (below) eighths = 8 * n - eighths;
  bool left = eighths >= 2 * n;
  if (left) eighths = 4 * n - eighths;
  bool steep = left ? eighths > n : eighths >= n;
  if (steep) eighths = 2 * n - eighths;
  auto unit =
      static_cast<double>(0.25L * std::numbers::pi_v<long double> / static_cast<long double>(n));
  double angle = static_cast<double>(eighths) * unit;
  double x = std::cos(angle), y = std::sin(angle);
  if (steep) std::swap(x, y);
  return {left ? -x : x, below ? -y : y};
}

}  // namespace

Roots::Roots(std::int64_t n) : n_(n) {
  std::int64_t half = n / 2 + 1;
  while ((std::int64_t{1} << (2 * shift_)) < half) ++shift_;
  std::int64_t block = std::int64_t{1} << shift_;
  for (std::int64_t k = 0; k < block; ++k) fine_.push_back(exact_root(k % n, n));
  for (std::int64_t k = 0; k * block < half; ++k) coarse_.push_back(exact_root(k * block % n, n));
}

std::complex<double> Roots::operator[](std::int64_t k) const {
  bool below = 2 * k > n_;
  if (below) k = n_ - k;
  std::complex<double> a = fine_[static_cast<std::size_t>(k & ((std::int64_t{1} << shift_) - 1))];
  std::complex<double> b = coarse_[static_cast<std::size_t>(k >> shift_)];
  double x = a.real() * b.real() - a.imag() * b.imag();
  double y = a.real() * b.imag() + a.imag() * b.real();
  return {x, below ? -y : y};
}

}  // namespace strider::nd
