// Double-precision numbers as octaves and what is left of them, for their logarithms.
#pragma once

#include "kernels/backend/cpu/routines/lanes.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// For sixteenths of [root of 1/2, root of 2): a short number near the reciprocal of the middle, and
// minus its logarithm in two parts, the first a multiple of 2^-42.
alignas(64) constexpr double kInverseOfDouble[16] = {
    0x1.6p+0, 0x1.5p+0, 0x1.4p+0, 0x1.4p+0, 0x1.3p+0, 0x1.2p+0, 0x1.2p+0, 0x1.1p+0,
    0x1p+0,   0x1p+0,   0x1.ep-1, 0x1.cp-1, 0x1.bp-1, 0x1.9p-1, 0x1.8p-1, 0x1.7p-1,
};
alignas(64) constexpr double kLogOfDoubleHigh[16] = {
    -0x1.4618bc21c6p-2,
    -0x1.1675cababap-2,
    -0x1.c8ff7c79aap-3,
    -0x1.c8ff7c79aap-3,
    -0x1.5ff3070a7ap-3,
    -0x1.e27076e2bp-4,
    -0x1.e27076e2bp-4,
    -0x1.f0a30c0118p-5,
    0x0p+0,
    0x0p+0,
    0x1.08598b59e4p-4,
    0x1.1178e8227ep-3,
    0x1.5bf406b544p-3,
    0x1.f991c6cb3cp-3,
    0x1.269621134ep-2,
    0x1.522ae0738ap-2,
};
alignas(64) constexpr double kLogOfDoubleLow[16] = {
    0x1.3d82f484c84ccp-46,
    -0x1.8380e731f55c4p-44,
    0x1.7794f689f8434p-45,
    0x1.7794f689f8434p-45,
    0x1.8586f183bebf2p-44,
    0x1.a342c2af0003cp-45,
    0x1.a342c2af0003cp-45,
    0x1.d599e83368e91p-45,
    0x0p+0,
    0x0p+0,
    -0x1.7e5dd7009902cp-46,
    0x1.1ef78ce2d07f2p-45,
    -0x1.27023eb68981cp-46,
    -0x1.90d04cd7cc834p-44,
    -0x1.1b61f10522625p-44,
    0x1.ebe708164c759p-45,
};
constexpr double kLn2OfDoubleHigh = 0x1.62e42fefa38p-1, kLn2OfDoubleLow = 0x1.ef35793c7673p-45;

constexpr std::uint64_t kRootOfHalf = 0x3fe6a09000000000, kExponent = 0xfff0000000000000;

// A positive normal number is 2^count (1 + r) / kInverseOfDouble[index]; `octave` is count among
// its bits.
struct OctavesOfDoubles {
  explicit OctavesOfDoubles(Doubles x) {
    DoublesBits behind = bits(x) - every(kRootOfHalf);
    index = behind >> 48;
    octave = behind & every(kExponent);
#if defined(__AVX512F__)
    using Wholes __attribute__((vector_size(kBytes))) = std::int64_t;
    using Counts __attribute__((vector_size(kBytes))) = double;
    Wholes whole = reinterpret_cast<Wholes>(behind) >> 52;
    count = reinterpret_cast<Doubles>(__builtin_convertvector(whole, Counts));
#else
    constexpr std::uint64_t kBias = std::uint64_t{1024} << 52;
    count = real((behind + kBias) >> 52 | 0x4330000000000000) - all(0x1p52 + 1024);
#endif
    r = fma(real(bits(x) - octave), find(kInverseOfDouble, index), all(-1.0));  // exact
  }
  DoublesBits index, octave;
  Doubles count, r;
};

}  // namespace strider::nd::STRIDER_TARGET::lanes
