// Roots of unity, each within an ulp whatever its index.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace strider::nd {

// The powers of exp(2 pi i / n), from two tables of about sqrt(n) entries.
class Roots {
 public:
  explicit Roots(std::int64_t n);
  // exp(2 pi i k / n) for 0 <= k < n.
  std::complex<double> operator[](std::int64_t k) const;

 private:
  std::int64_t n_;
  int shift_ = 1;
  std::vector<std::complex<double>> fine_, coarse_;
};

}  // namespace strider::nd
