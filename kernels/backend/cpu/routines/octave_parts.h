// Single-precision numbers as octaves and what is left of them, for their logarithms.
#pragma once

#include "kernels/backend/cpu/routines/lanes.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// For 32 parts of an octave from kFirst on: a short number near the reciprocal of what lies in it,
// 1 on both sides of 1.
constexpr std::uint32_t kFirst = 0x3f340000;
alignas(64) constexpr float kInverse[32] = {
    0x1.68p+0f, 0x1.60p+0f, 0x1.58p+0f, 0x1.50p+0f, 0x1.48p+0f, 0x1.48p+0f, 0x1.40p+0f, 0x1.38p+0f,
    0x1.30p+0f, 0x1.30p+0f, 0x1.28p+0f, 0x1.20p+0f, 0x1.20p+0f, 0x1.18p+0f, 0x1.10p+0f, 0x1.10p+0f,
    0x1.08p+0f, 0x1.08p+0f, 0x1.00p+0f, 0x1.00p+0f, 0x1.e8p-1f, 0x1.d8p-1f, 0x1.d0p-1f, 0x1.c0p-1f,
    0x1.b8p-1f, 0x1.a8p-1f, 0x1.a0p-1f, 0x1.98p-1f, 0x1.88p-1f, 0x1.80p-1f, 0x1.78p-1f, 0x1.70p-1f,
};

// A positive normal number is 2^count (1 + r) / kInverse[index].
struct OctaveParts {
  explicit OctaveParts(Floats x) {
    FloatsBits behind = bits(x) - kFirst;
    index = behind >> 18;
    using Wholes __attribute__((vector_size(kBytes))) = std::int32_t;
    using Counts __attribute__((vector_size(kBytes))) = float;
    Wholes whole = reinterpret_cast<Wholes>(behind) >> 23;
    count = reinterpret_cast<Floats>(__builtin_convertvector(whole, Counts));
    Floats part = real(bits(x) - (behind & 0xff800000));
    r = fma(part, find(kInverse, index), all(-1.0f));  // exact
  }
  FloatsBits index;
  Floats count, r;
};

}  // namespace strider::nd::STRIDER_TARGET::lanes
