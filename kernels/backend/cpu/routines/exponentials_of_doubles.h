// Exponentials of doubles, of e and of 2, at most 0.6 units in the last place off, for loops and
// for routines. Only operations that IEEE 754 rounds, so that vectors of all lengths give the same
// bits.
#pragma once

#include "kernels/backend/cpu/routines/roots_of_two.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// Where results are normal numbers.
inline DoublesTruth plain_power_of_e(Doubles x) {
  return compare<_CMP_LE_OQ>(magnitude(x), all(708.0));
}
inline DoublesTruth plain_power_of_2(Doubles x) {
  return compare<_CMP_LE_OQ>(magnitude(x), all(1022.0));
}

// SLEEF's results where these are not plain.
Doubles any_power_of_e(Doubles x, Doubles result);
Doubles any_power_of_2(Doubles x, Doubles result);

// These of plain ones.
inline Doubles power_of_e(Doubles x) {
  // (exp(r) - 1 - r) / r^2
  constexpr double kTerms[] = {
      0x1.0000000000004p-1, 0x1.5555555555559p-3,  0x1.555555547f8aep-5,
      0x1.111111107e635p-7, 0x1.6c18415e0cae7p-10, 0x1.a01b9d8aea4a7p-13,
  };
  Doubles moved = fma(x, all(kSteps), all(kWhole)), steps = moved - all(kWhole);
  Doubles r = less(steps, all(kStepLow), less(steps, all(kStepHigh), x));
  const PowerOfTwo power(moved);
  Doubles grown = fma(r * r, polynomial<6>(kTerms, r), r + power.low);
  return fma(power.high, grown, power.high);
}

inline Doubles power_of_2(Doubles x) {
  // (2^r - 1) / r
  constexpr double kTerms[] = {
      0x1.62e42fefa39efp-1,  0x1.ebfbdff82c597p-3,  0x1.c6b08d704a0c8p-5,  0x1.3b2ab6fadf619p-7,
      0x1.5d87fe77ccbffp-10, 0x1.430a67b318e02p-13, 0x1.ffce110e3902bp-17,
  };
  Doubles moved = x + all(kSixteenths), r = x - (moved - all(kSixteenths));
  const PowerOfTwo power(moved);
  return fma(power.high, fma(r, polynomial<7>(kTerms, r), power.low), power.high);
}

inline Doubles exponential(Doubles x) {
  Doubles result = power_of_e(x);
  return everywhere(plain_power_of_e(x)) ? result : any_power_of_e(x, result);
}

inline Doubles exponential2(Doubles x) {
  Doubles result = power_of_2(x);
  return everywhere(plain_power_of_2(x)) ? result : any_power_of_2(x, result);
}

}  // namespace strider::nd::STRIDER_TARGET::lanes
