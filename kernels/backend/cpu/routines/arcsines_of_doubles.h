// Arcsines and arccosines of doubles, at most 0.7 units in the last place off, for loops and for
// routines: beyond a half they are those of the half angle, from a root. Only operations that IEEE
// 754 rounds, so that vectors of all lengths give the same bits.
#pragma once

#include "kernels/backend/cpu/routines/half_turn.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// From which the bits of a number are taken for those of about half its reciprocal.
constexpr std::uint64_t kHalfReciprocal = kAboutReciprocal - (std::uint64_t{1} << 52);
// (asin(t) - t) / t^3 as a polynomial of t^2 up to 1/4
constexpr double kArcsineTerms[] = {
    0x1.5555555555578p-3, 0x1.333333332df7fp-4, 0x1.6db6db722606cp-5, 0x1.f1c71a8dc4dadp-6,
    0x1.6e8bdfa644c5ap-6, 0x1.1c49e2be4c22dp-6, 0x1.ca20cdca78555p-7, 0x1.757b7c47e6716p-7,
    0x1.6173e6ee3c479p-7, 0x1.e2bf52b68941ap-9, 0x1.6492730d779f2p-6, -0x1.59542f4fb2be9p-6,
    0x1.0bb04a279ba56p-5,
};

// What is to be added to a multiple of pi / 2.
struct AngleOfSine {
  // Of the arcsine of a positive number below 1/2, or minus that of a larger one to that of 1.
  explicit AngleOfSine(Doubles size) {
    large = compare<_CMP_GE_OQ>(size, all(0.5));
    // The square of twice the sine of half the angle.
    Doubles square = less(all(2.0), size, all(2.0));
    Doubles twice = root(square);
    // What the root left, divided by about the same.
    Doubles left = less(twice, twice, square) * real(every(kHalfReciprocal) - bits(twice));
    first = choose(large, twice, size);
    square = choose(large, all(0.25) * square, size * size);
    low = choose(large, left, all(0.0));
    low = fma(first * square, polynomial<13>(kArcsineTerms, square), low);
  }
  DoublesTruth large;
  Doubles first, low;
};

inline Doubles angle_of_parts(Doubles whole, Doubles first, Doubles low) {
  Doubles high = whole + first;
  return high + (((whole - high) + first) + low);
}

inline Doubles arcsine(Doubles x) {
  const AngleOfSine angle(magnitude(x));
  Doubles none = all(0.0);
  Doubles whole = choose(angle.large, all(0.5 * kHalfTurnHigh), none);
  Doubles first = choose(angle.large, -angle.first, angle.first);
  Doubles low = choose(angle.large, all(0.5 * kHalfTurnLow) - angle.low, angle.low);
  return real(bits(angle_of_parts(whole, first, low)) | sign(x));
}

inline Doubles arccosine(Doubles x) {
  const AngleOfSine angle(magnitude(x));
  auto behind = compare<_CMP_LT_OQ>(x, all(0.0));
  Doubles whole =
      choose(angle.large, choose(behind, all(kHalfTurnHigh), all(0.0)), all(0.5 * kHalfTurnHigh));
  Doubles rest =
      choose(angle.large, choose(behind, all(kHalfTurnLow), all(0.0)), all(0.5 * kHalfTurnLow));
  DoublesBits turned = sign(x);
  turned = bits(choose(angle.large, real(turned), real(turned ^ every(kSign))));
  return angle_of_parts(whole, real(bits(angle.first) ^ turned),
                        rest + real(bits(angle.low) ^ turned));
}

}  // namespace strider::nd::STRIDER_TARGET::lanes
