// Roots of two, for exponentials: sixteenth ones of doubles, thirty-second ones of singles.
#pragma once

#include <bit>

#include "kernels/backend/cpu/routines/lanes.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// 2^(j/16) in two parts.
alignas(64) constexpr double kRootHigh[16] = {
    0x1p+0,
    0x1.0b5586cf9890fp+0,
    0x1.172b83c7d517bp+0,
    0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0,
    0x1.3dea64c123422p+0,
    0x1.4bfdad5362a27p+0,
    0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0,
    0x1.7a11473eb0187p+0,
    0x1.8ace5422aa0dbp+0,
    0x1.9c49182a3f09p+0,
    0x1.ae89f995ad3adp+0,
    0x1.c199bdd85529cp+0,
    0x1.d5818dcfba487p+0,
    0x1.ea4afa2a490dap+0,
};
alignas(64) constexpr double kRootLow[16] = {
    0x0p+0,
    0x1.8a62e4adc610bp-54,
    -0x1.19041b9d78a76p-55,
    0x1.9b07eb6c70573p-54,
    0x1.6f46ad23182e4p-55,
    0x1.ada0911f09ebcp-55,
    0x1.d4397afec42e2p-56,
    0x1.6324c054647adp-54,
    -0x1.bdd3413b26456p-54,
    -0x1.41577ee04992fp-55,
    0x1.6e9f156864b27p-54,
    0x1.c7c46b071f2bep-56,
    0x1.7a1cd345dcc81p-54,
    0x1.11065895048ddp-55,
    0x1.2ed02d75b3707p-55,
    -0x1.e9c23179c2893p-54,
};
// ln 2 / 16 in two parts, its inverse, and what leaves a whole number where it is added.
constexpr double kStepHigh = 0x1.62e42fefa39efp-5, kStepLow = 0x1.abc9e3b39803fp-60,
                 kSteps = 0x1.71547652b82fep+4, kWhole = 0x1.8p52;

// A double to which it is added keeps no more than sixteenths of a small one, and their count in
// its last bits.
constexpr double kSixteenths = 0x1.8p48;

// From 2^(j/16) without what j adds to the bits of the power of two, and the second part over the
// first.
struct RootTables {
  constexpr RootTables() {
    for (std::uint64_t j = 0; j < 16; ++j) {
      high[j] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(kRootHigh[j]) - (j << 48));
      low[j] = kRootLow[j] / kRootHigh[j];
    }
  }
  alignas(64) double high[16] = {};
  alignas(64) double low[16] = {};
};
inline constexpr RootTables kRoots;

// 2^(steps / 16) as high (1 + low) where that is a normal number; `steps` are the last bits of
// `moved`.
struct PowerOfTwo {
  explicit PowerOfTwo(Doubles moved)
      : high(real(bits(find(kRoots.high, bits(moved))) + (bits(moved) << 48))),
        low(find(kRoots.low, bits(moved))) {}
  Doubles high, low;
};

// 2^(j/32) in two parts.
alignas(64) constexpr float kSingleRootHigh[32] = {
    0x1.0p+0f,      0x1.059b0ep+0f, 0x1.0b5586p+0f, 0x1.11301ep+0f, 0x1.172b84p+0f, 0x1.1d4874p+0f,
    0x1.2387a6p+0f, 0x1.29e9ep+0f,  0x1.306fep+0f,  0x1.371a74p+0f, 0x1.3dea64p+0f, 0x1.44e086p+0f,
    0x1.4bfdaep+0f, 0x1.5342b6p+0f, 0x1.5ab07ep+0f, 0x1.6247ecp+0f, 0x1.6a09e6p+0f, 0x1.71f75ep+0f,
    0x1.7a1148p+0f, 0x1.82589ap+0f, 0x1.8ace54p+0f, 0x1.93737cp+0f, 0x1.9c4918p+0f, 0x1.a5503cp+0f,
    0x1.ae89fap+0f, 0x1.b7f77p+0f,  0x1.c199bep+0f, 0x1.cb720ep+0f, 0x1.d5818ep+0f, 0x1.dfc974p+0f,
    0x1.ea4afap+0f, 0x1.f50766p+0f,
};
alignas(64) constexpr float kSingleRootLow[32] = {
    0x0.0p+0f,        -0x1.9d4f52p-25f, 0x1.9f3122p-25f,  -0x1.fdb496p-25f, -0x1.c15742p-27f,
    -0x1.d2e8cap-25f, 0x1.ceac48p-25f,  -0x1.5c0424p-25f, 0x1.4636e2p-25f,  -0x1.18aac6p-25f,
    0x1.824684p-25f,  0x1.8624b4p-30f,  -0x1.593abcp-25f, -0x1.2c561p-25f,  -0x1.5bd5ecp-27f,
    -0x1.f8b55p-25f,  0x1.9fcef4p-26f,  0x1.1d8beep-25f,  -0x1.829fdp-25f,  -0x1.accc7cp-26f,
    0x1.15506ep-27f,  -0x1.e64744p-25f, 0x1.51f848p-27f,  -0x1.b83b54p-25f, -0x1.a94b14p-26f,
    -0x1.a09438p-25f, -0x1.3d56b2p-27f, -0x1.8837ccp-27f, -0x1.822dbcp-27f, -0x1.908c94p-25f,
    0x1.52486cp-27f,  -0x1.246ebp-26f,
};
// Where it is added to a float, as kSixteenths to a double.
constexpr float kThirtySeconds = 0x1.8p18f;

// 2^(steps / 32) (1 + grown) where that is a normal number.
inline Floats grow(Floats moved, Floats grown) {
  Floats high = find(kSingleRootHigh, bits(moved));
  Floats result = high + fma(high, grown, find(kSingleRootLow, bits(moved)));
  return real(bits(result) + ((bits(moved) & ~std::uint32_t{31}) << 18));
}

}  // namespace strider::nd::STRIDER_TARGET::lanes
