// The tangent of doubles, at most 0.7 units in the last place off, for loops and for routines: from
// that of a thirty-second of a half turn, of what is left, and one division. Only operations that
// IEEE 754 rounds, so that vectors of all lengths give the same bits.
#pragma once

#include "kernels/backend/cpu/routines/lanes.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// The tangents of thirty-seconds of a half turn, from -8 on, in two parts.
alignas(64) constexpr double kTangentOfPart[16] = {
    -0x1p+0,
    -0x1.a43002ae42850p-1,
    -0x1.561b82ab7f99p-1,
    -0x1.11ab7190834ecp-1,
    -0x1.a827999fcef32p-2,
    -0x1.36a08355c63dcp-2,
    -0x1.975f5e0553158p-3,
    -0x1.936bb8c5b2da2p-4,
    0x0p+0,
    0x1.936bb8c5b2da2p-4,
    0x1.975f5e0553158p-3,
    0x1.36a08355c63dcp-2,
    0x1.a827999fcef32p-2,
    0x1.11ab7190834ecp-1,
    0x1.561b82ab7f99p-1,
    0x1.a43002ae42850p-1,
};
alignas(64) constexpr double kTangentOfPartLow[16] = {
    0x0p+0,
    0x1.a6db80fe796fep-56,
    -0x1.7a8c52172b675p-55,
    0x1.e564bcd1e635dp-55,
    -0x1.08b2fb1366ea9p-56,
    0x1.d704d1bfdb6e8p-57,
    -0x1.ef5d367441946p-61,
    -0x1.87d054f689d7ap-58,
    0x0p+0,
    0x1.87d054f689d7ap-58,
    0x1.ef5d367441946p-61,
    -0x1.d704d1bfdb6e8p-57,
    0x1.08b2fb1366ea9p-56,
    -0x1.e564bcd1e635dp-55,
    0x1.7a8c52172b675p-55,
    -0x1.a6db80fe796fep-56,
};
// pi / 32 in three parts, and its inverse.
constexpr double kPart = 0x1.921fb54442d18p-4, kPartLow = 0x1.1a62633145c07p-58,
                 kPartLowest = -0x1.f1976b7ed8fbcp-114, kParts = 0x1.45f306dc9c883p+3;
// Where it is added it leaves a whole number, in its last bits that of parts from -8 on.
constexpr double kWholePart = 0x1.8p52 + 8;
// (tan(r) - r) / r^3 as a polynomial of r^2
constexpr double kTangentTerms[] = {0x1.55555555553ddp-2, 0x1.11111113f66fep-3,
                                    0x1.ba1b690789b25p-5, 0x1.6729f5589e5d0p-6};

inline Doubles plain_tangent(Doubles x) {
  Doubles size = magnitude(x);
  Doubles moved = fma(size, all(kParts), all(kWholePart)), count = moved - all(kWholePart);
  Doubles first = less(count, all(kPart), size);  // exact
  Doubles more = count * all(kPartLow), r = first - more;
  Doubles low = ((first - r) - more) - fma(count, all(kPartLow), -more);
  low = less(count, all(kPartLowest), low);
  Doubles square = r * r;
  low = fma(r * square, polynomial<4>(kTangentTerms, square), low);
  Doubles small = r + low;
  low = (r - small) + low;
  // (near + small) / (1 - near small), or minus its inverse in every other quarter.
  Doubles near = find(kTangentOfPart, bits(moved)), one = all(1.0);
  Doubles over = near + small, under = less(near, small, one);
  Doubles over_low = ((near - over) + small) + (low + find(kTangentOfPartLow, bits(moved)));
  Doubles under_low = less(near, small, one - under);
  auto inverse = has(bits(moved), 16);
  Doubles high = choose(inverse, under, over), high_low = choose(inverse, under_low, over_low);
  Doubles by = choose(inverse, over, under), by_low = choose(inverse, over_low, under_low);
  Doubles result = high / by;
  // What the division left, divided by about the same.
  Doubles left = less(result, by, high) + less(result, by_low, high_low);
  result = fma(left, about_reciprocal(by), result);
  return real(bits(result) ^ sign(real(bits(moved) << 59 ^ bits(x))));
}

// Neither large nor infinite nor NaN.
inline DoublesTruth plain_angle(Doubles x) {
  return compare<_CMP_LE_OQ>(magnitude(x), all(0x1p30));
}
// SLEEF's results where angles are not plain.
Doubles any_tangent(Doubles x, Doubles result);

inline Doubles tangent(Doubles x) {
  Doubles result = plain_tangent(x);
  return everywhere(plain_angle(x)) ? result : any_tangent(x, result);
}

}  // namespace strider::nd::STRIDER_TARGET::lanes
