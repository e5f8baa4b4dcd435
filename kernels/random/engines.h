// The bit streams themselves: PCG64, PCG64DXSM, MT19937, Philox 4x64-10 and SFC64 as plain structs
// with inline steps. Knows nothing of seeds given by users, distributions or arrays.
#pragma once

#include <strider/nd/random.h>

#include <array>
#include <cstdint>
#include <span>

namespace strider::nd::random {

__extension__ typedef unsigned __int128 Uint128;

constexpr Uint128 make_uint128(std::uint64_t high, std::uint64_t low) {
  return static_cast<Uint128>(high) << 64 | low;
}
constexpr std::uint64_t low_half(Uint128 value) { return static_cast<std::uint64_t>(value); }
constexpr std::uint64_t high_half(Uint128 value) { return static_cast<std::uint64_t>(value >> 64); }

constexpr std::uint64_t rotate_left(std::uint64_t value, unsigned count) {
  return value << (count & 63) | value >> (-count & 63);
}
constexpr std::uint64_t rotate_right(std::uint64_t value, unsigned count) {
  return value >> (count & 63) | value << (-count & 63);
}

// What generators of 64-bit numbers share: halves kept for 32-bit draws, doubles and floats.
template <class Engine>
struct Words64 {
  bool has_uint32 = false;
  std::uint32_t uinteger = 0;

  std::uint32_t next_uint32() {
    if (has_uint32) {
      has_uint32 = false;
      return uinteger;
    }
    std::uint64_t both = static_cast<Engine*>(this)->next_uint64();
    has_uint32 = true;
    uinteger = static_cast<std::uint32_t>(both >> 32);
    return static_cast<std::uint32_t>(both);
  }
  double next_double() {
    return static_cast<double>(static_cast<Engine*>(this)->next_uint64() >> 11) * 0x1p-53;
  }
  std::uint64_t next_raw() { return static_cast<Engine*>(this)->next_uint64(); }
  float next_float() { return static_cast<float>(next_uint32() >> 8) * 0x1p-24f; }
  void forget_half() {
    has_uint32 = false;
    uinteger = 0;
  }
};

// A linear congruential step of 128 bits, repeated `delta` times at once.
Uint128 lcg_advance(Uint128 state, Uint128 delta, Uint128 multiplier, Uint128 increment);

// O'Neill's PCG XSL RR 128/64 (2014).
struct Pcg64 : Words64<Pcg64> {
  static constexpr BitGeneratorKind kKind = BitGeneratorKind::kPcg64;
  static constexpr Uint128 kMultiplier = make_uint128(0x2360ed051fc65da4u, 0x4385df649fccf645u);
  Uint128 state = 0;
  Uint128 increment = 0;

  void step() { state = state * kMultiplier + increment; }
  std::uint64_t next_uint64() {
    step();
    return rotate_right(high_half(state) ^ low_half(state), static_cast<unsigned>(state >> 122));
  }
};

// PCG64 with the DXSM output function and the cheap multiplier.
struct Pcg64Dxsm : Words64<Pcg64Dxsm> {
  static constexpr BitGeneratorKind kKind = BitGeneratorKind::kPcg64Dxsm;
  static constexpr std::uint64_t kMultiplier = 0xda942042e4dd58b5u;
  Uint128 state = 0;
  Uint128 increment = 0;

  void step() { state = state * kMultiplier + increment; }
  std::uint64_t next_uint64() {
    std::uint64_t high = high_half(state);
    std::uint64_t low = low_half(state) | 1;
    step();
    high ^= high >> 32;
    high *= kMultiplier;
    high ^= high >> 48;
    return high * low;
  }
};

// Matsumoto and Nishimura's Mersenne twister (1998).
struct Mt19937 {
  static constexpr BitGeneratorKind kKind = BitGeneratorKind::kMt19937;
  static constexpr int kLength = 624;
  std::array<std::uint32_t, kLength> key{};
  int position = kLength;

  void seed(std::uint32_t value);
  void seed(std::span<const std::uint32_t> values);
  void generate();  // the next 624 words
  void jump();      // 2^128 steps, as NumPy counts them; slow the first time
  std::uint32_t next_uint32() {
    if (position == kLength) generate();
    std::uint32_t y = key[static_cast<std::size_t>(position++)];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
  }
  std::uint64_t next_uint64() {
    std::uint64_t high = next_uint32();
    return high << 32 | next_uint32();
  }
  double next_double() {
    std::uint32_t high = next_uint32() >> 5;
    std::uint32_t low = next_uint32() >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
  }
  std::uint64_t next_raw() { return next_uint32(); }
  float next_float() { return static_cast<float>(next_uint32() >> 8) * 0x1p-24f; }
};

// Salmon et al.'s counter-based Philox, four words, ten rounds (2011).
struct Philox : Words64<Philox> {
  static constexpr BitGeneratorKind kKind = BitGeneratorKind::kPhilox;
  static constexpr int kWords = 4;
  std::array<std::uint64_t, 4> counter{};
  std::array<std::uint64_t, 2> key{};
  std::array<std::uint64_t, 4> buffer{};
  int position = kWords;

  void add_to_counter(Uint128 amount);
  void refill();
  std::uint64_t next_uint64() {
    if (position == kWords) refill();
    return buffer[static_cast<std::size_t>(position++)];
  }
};

// Doty-Humphrey's small fast chaotic generator.
struct Sfc64 : Words64<Sfc64> {
  static constexpr BitGeneratorKind kKind = BitGeneratorKind::kSfc64;
  std::array<std::uint64_t, 4> state{};

  std::uint64_t next_uint64() {
    std::uint64_t result = state[0] + state[1] + state[3]++;
    state[0] = state[1] ^ state[1] >> 11;
    state[1] = state[2] + (state[2] << 3);
    state[2] = rotate_left(state[2], 24) + result;
    return result;
  }
};

}  // namespace strider::nd::random
