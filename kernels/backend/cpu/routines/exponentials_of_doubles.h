// Exponentials of doubles whose results are normal numbers.
#pragma once

#include "kernels/backend/cpu/routines/roots_of_two.h"

namespace strider::nd::STRIDER_TARGET::lanes {

inline Doubles power_of_e(Doubles x) {
  // (exp(r) - 1 - r) / r^2
  constexpr double kTerms[] = {
      0x1.0000000000004p-1, 0x1.5555555555559p-3,  0x1.555555547f8aep-5,
      0x1.111111107e635p-7, 0x1.6c18415e0cae7p-10, 0x1.a01b9d8aea4a7p-13,
  };
  Doubles moved = fma(x, all(kSteps), all(kWhole)), steps = moved - all(kWhole);
  Doubles r = less(steps, all(kStepLow), less(steps, all(kStepHigh), x));
  return grow(moved, fma(r * r, polynomial<6>(kTerms, r), r));
}

inline Doubles power_of_2(Doubles x) {
  // (2^r - 1) / r
  constexpr double kTerms[] = {
      0x1.62e42fefa39efp-1,  0x1.ebfbdff82c597p-3,  0x1.c6b08d704a0c8p-5,  0x1.3b2ab6fadf619p-7,
      0x1.5d87fe77ccbffp-10, 0x1.430a67b318e02p-13, 0x1.ffce110e3902bp-17,
  };
  Doubles moved = x + all(kSixteenths), r = x - (moved - all(kSixteenths));
  return grow(moved, r * polynomial<7>(kTerms, r));
}

}  // namespace strider::nd::STRIDER_TARGET::lanes
