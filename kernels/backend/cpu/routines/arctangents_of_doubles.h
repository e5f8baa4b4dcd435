// Arctangents of doubles and of quotients of doubles, at most 0.9 units in the last place off, for
// loops and for routines: that of a near number from a table, and what is beyond it from one
// division. Only operations that IEEE 754 rounds, so that vectors of all lengths give the same
// bits.
#pragma once

#include "kernels/backend/cpu/routines/half_turn.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// For ratios of half an octave each, from 1 on and then from 1/16 on: a number between, with few
// digits, and its arctangent in two parts, the first a multiple of 2^-48. The first numbers of all
// are next to 0, the last beyond all others.
alignas(64) constexpr double kNear[16] = {
    0x1.38p+0, 0x1.ap+0,  0x1.34p+1, 0x1.9cp+1, 0x1.34p+2, 0x1.98p+2, 0x1.34p+3, 0x1p+60,
    0x0p+0,    0x1.acp-4, 0x1.4p-3,  0x1.a8p-3, 0x1.4p-2,  0x1.a8p-2, 0x1.3cp-1, 0x1.a4p-1,
};
alignas(64) constexpr double kAngleHigh[16] = {
    0x1.c470abf2d3dp-1,  0x1.04e67277a01dp+0, 0x1.2d4b22823a36p+0,
    0x1.450296ae9f95p+0, 0x1.5dace854dff2p+0, 0x1.6a4aa53aac45p+0,
    0x1.779f1d70e8cp+0,  0x1.921fb54442d2p+0, 0x0p+0,
    0x1.aa73d0b33b7p-4,  0x1.3d6eee8c6628p-3, 0x1.a217e6010818p-3,
    0x1.362773707ebcp-2, 0x1.91fde7cd0c68p-2, 0x1.1b1dc8790428p-1,
    0x1.5fbf0d0d5cc4p-1,
};
alignas(64) constexpr double kAngleLow[16] = {
    0x1.2d4c3b7e3328fp-53,  0x1.c2e22a92d827dp-50,  -0x1.f184276d93018p-51,
    -0x1.dcfd6fc36c697p-50, -0x1.fe8c0a5a5af05p-51, -0x1.ca1b8d0c66e15p-50,
    -0x1.9282f0950761ep-51, -0x1.ee99d9cceba4p-50,  0x0p+0,
    -0x1.97527feaaadebp-51, -0x1.3a79713cc5b6p-51,  0x1.2de420eb3ea19p-50,
    0x1.79a716aed2635p-51,  -0x1.dbbe2f9dfead3p-50, 0x1.3b785cdd441c3p-51,
    0x1.3e4b302fff48fp-50,
};
// (atan(t) - t) / t^3 as a polynomial of t^2
constexpr double kArctangentTerms[] = {
    -0x1.555555555554cp-2, 0x1.9999999990f2p-3,   -0x1.2492490e68267p-3,
    0x1.c71c3d8ea89aep-4,  -0x1.743df43708b1dp-4, 0x1.31eaa29a53a07p-4,
};

// Where to find what is near y / x, of positive numbers, from the upper halves of their bits.
inline DoublesBits place_of_ratio(Doubles y, Doubles x) {
  using Halves __attribute__((vector_size(kBytes))) = std::int32_t;
  constexpr std::int32_t kFourOctaves = 1 << 22;
  Halves ratio = reinterpret_cast<Halves>(y) - reinterpret_cast<Halves>(x);
  ratio = ratio < -kFourOctaves ? Halves{} - kFourOctaves : ratio;
  ratio = ratio > kFourOctaves - 1 ? Halves{} + (kFourOctaves - 1) : ratio;
  return reinterpret_cast<DoublesBits>(ratio) >> 51;
}

// The angle that is over / under, both positive or near 0, beyond one of a table.
inline Doubles angle_of_ratio(Doubles over, Doubles under, Doubles high, Doubles low) {
  Doubles tangent = over / under, square = tangent * tangent;
  // What the division left, divided by about the same.
  Doubles left = less(tangent, under, over);
  low = fma(left, about_reciprocal(under), low);
  low = fma(tangent * square, polynomial<6>(kArctangentTerms, square), low);
  return high + (tangent + low);
}

inline Doubles arctangent(Doubles x) {
  Doubles size = least(all(0x1p60), magnitude(x));  // NaN stays
  DoublesBits index = place_of_ratio(size, all(1.0));
  Doubles near = find(kNear, index);
  Doubles result = angle_of_ratio(size - near, fma(size, near, all(1.0)), find(kAngleHigh, index),
                                  find(kAngleLow, index));
  return real(bits(result) | sign(x));
}

// SLEEF's results where quotients are not plain: of NaN, infinities, zeros over zeros, numbers of
// extreme size.
Doubles any_arctangent(Doubles y, Doubles x, Doubles result);

inline Doubles arctangent(Doubles y, Doubles x) {
  Doubles height = magnitude(y), width = magnitude(x);
  DoublesBits index = place_of_ratio(height, width);
  Doubles near = find(kNear, index);
  auto behind = compare<_CMP_LT_OQ>(x, all(0.0));
  Doubles low = find(kAngleLow, index), high = find(kAngleHigh, index);
  low = choose(behind, low - all(kHalfTurnLow), low);
  high = choose(behind, high - all(kHalfTurnHigh), high);  // exact
  Doubles result = angle_of_ratio(less(near, width, height), fma(near, height, width), high, low);
  result = real(bits(magnitude(result)) | sign(y));
  auto plain = both(compare<_CMP_LE_OQ>(greatest(height, width), all(0x1p500)),
                    compare<_CMP_GE_OQ>(least(height, width), all(0x1p-500)));
  return everywhere(plain) ? result : any_arctangent(y, x, result);
}

}  // namespace strider::nd::STRIDER_TARGET::lanes
