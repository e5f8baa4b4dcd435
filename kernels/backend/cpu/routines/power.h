// Powers as the exponentials of multiplied logarithms, for vectors of any type of number.
#pragma once

#include "kernels/backend/cpu/routines/lanes.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// A number as a sum of two.
template <class Of>
struct Parts {
  typename Of::Real high, low;
};

template <class Of>
inline Parts<Of> product(typename Of::Real x, Parts<Of> log) {
  auto high = x * log.high;
  return {high, fma(x, log.low, fma(x, log.high, -high))};
}

// Of numbers of which some may be negative or not plain. Of has Number, and Real, vectors of it;
// kLeast and kMost, the smallest and the largest normal number; kWhole, which leaves a whole number
// where it is added; kMostExponent, up to which that tells odd ones; logarithm(x) and
// exponential(log) in one base, where logarithms stay below kMostLog, and large_exponential(log)
// from there to kInfiniteLog, whose power is infinite; usual(x, y) for the rest.
template <class Of, class Real = typename Of::Real>
__attribute__((noinline)) Real any_power(Real x, Real y) {
  using Bits = decltype(bits(x)[0] + bits(x)[0]);
  constexpr int kSign = 8 * sizeof(Bits) - 1;
  Real size = magnitude(x);
  auto plain = both(compare<_CMP_GE_OQ>(size, all(Of::kLeast)),
                    both(compare<_CMP_LE_OQ>(size, all(Of::kMost)),
                         compare<_CMP_LE_OQ>(magnitude(y), all(Of::kMostExponent))));
  Real one = all(typename Of::Number{1}), none = all(typename Of::Number{0});
  Real times = choose(plain, y, one);
  Real moved = times + all(Of::kWhole);
  auto whole = compare<_CMP_EQ_OQ>(moved - all(Of::kWhole), times);
  plain = both(plain, either(compare<_CMP_GT_OQ>(x, none), whole));
  Parts<Of> log = product(times, Of::logarithm(choose(plain, size, one)));
  auto inside = compare<_CMP_LT_OQ>(magnitude(log.high), all(Of::kMostLog));
  Real result = Of::exponential({choose(inside, log.high, none), choose(inside, log.low, none)});
  auto large = both(compare<_CMP_GE_OQ>(log.high, all(Of::kMostLog)),
                    compare<_CMP_LE_OQ>(log.high, all(Of::kInfiniteLog)));
  result = choose(large, Of::large_exponential(log), result);
  auto sign = bits(x) >> kSign & bits(moved) & 1;
  result = real(bits(result) | sign << kSign);
  auto done = both(plain, either(inside, large));
  return everywhere(done) ? result : choose(done, result, Of::usual(x, y));
}

template <class Of, class Real = typename Of::Real>
inline Real power(Real x, Real y) {
  Parts<Of> log = product(y, Of::logarithm(x));
  auto plain = both(compare<_CMP_GE_OQ>(x, all(Of::kLeast)),
                    both(compare<_CMP_LE_OQ>(x, all(Of::kMost)),
                         compare<_CMP_LT_OQ>(magnitude(log.high), all(Of::kMostLog))));
  return everywhere(plain) ? Of::exponential(log) : any_power<Of>(x, y);
}

}  // namespace strider::nd::STRIDER_TARGET::lanes
