// One integer at a time from the discrete distributions. Knows nothing of arrays or checks.
#pragma once

#include <strider/nd/random.h>

#include <cstdint>

namespace strider::nd::random {

// What the binomial methods compute from n and p, kept while these stay the same.
struct BinomialSetup {
  bool ready = false;
  std::int64_t n = 0;
  double p = 0, r = 0, q = 0, fm = 0;
  std::int64_t m = 0;
  double p1 = 0, xm = 0, xl = 0, xr = 0, c = 0, laml = 0, lamr = 0, p2 = 0, p3 = 0, p4 = 0;
};

std::int64_t poisson(BitGenerator& bits, double lam);
std::int64_t binomial(BitGenerator& bits, std::int64_t n, double p, BinomialSetup& setup);
// As RandomState draws it: a number is taken even where nothing can come.
std::int64_t legacy_binomial(BitGenerator& bits, std::int64_t n, double p, BinomialSetup& setup);
std::int64_t geometric_search(BitGenerator& bits, double p);
std::int64_t hypergeometric(BitGenerator& bits, std::int64_t good, std::int64_t bad,
                            std::int64_t sample);
std::int64_t zipf(BitGenerator& bits, double a);
std::int64_t logseries(BitGenerator& bits, double p);

// The older forms that RandomState keeps.
std::int64_t legacy_hypergeometric(BitGenerator& bits, std::int64_t good, std::int64_t bad,
                                   std::int64_t sample);
std::int64_t legacy_zipf(BitGenerator& bits, double a);
std::int64_t legacy_logseries(BitGenerator& bits, double p);

// log(Gamma(x)) by Stirling's series, as the rejection tests were tuned with.
double log_gamma(double x);
// log(k!).
double log_factorial(std::int64_t k);

// One draw of counts over `categories`.
void multinomial_counts(BitGenerator& bits, std::int64_t n, std::int64_t* counts,
                        const double* pvals, std::int64_t categories, BinomialSetup& setup);

// A number in [0, max] by masked rejection (RandomState, shuffles).
std::uint64_t interval(BitGenerator& bits, std::uint64_t max);
// A number in [0, range] by Lemire's method.
std::uint64_t bounded(BitGenerator& bits, std::uint64_t range);

}  // namespace strider::nd::random
