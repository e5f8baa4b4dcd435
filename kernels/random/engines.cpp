// The longer steps of the bit streams: jumps, seeding of the twister, Philox rounds.
#include "kernels/random/engines.h"

#include <algorithm>

namespace strider::nd::random {

Uint128 lcg_advance(Uint128 state, Uint128 delta, Uint128 multiplier, Uint128 increment) {
  Uint128 total_multiplier = 1;
  Uint128 total_increment = 0;
  for (; delta > 0; delta >>= 1) {
    if (delta & 1) {
      total_multiplier *= multiplier;
      total_increment = total_increment * multiplier + increment;
    }
    increment *= multiplier + 1;
    multiplier *= multiplier;
  }
  return total_multiplier * state + total_increment;
}

void Mt19937::seed(std::uint32_t value) {
  for (std::uint32_t i = 0; i < kLength; ++i) {
    key[i] = value;
    value = 1812433253u * (value ^ value >> 30) + i + 1;
  }
  position = kLength;
}

void Mt19937::seed(std::span<const std::uint32_t> values) {
  seed(19650218u);
  std::size_t i = 1, j = 0;
  auto wrap = [&] {
    if (++i >= kLength) {
      key[0] = key[kLength - 1];
      i = 1;
    }
  };
  for (std::size_t k = std::max<std::size_t>(kLength, values.size()); k > 0; --k) {
    std::uint32_t before = key[i - 1] ^ key[i - 1] >> 30;
    key[i] = (key[i] ^ before * 1664525u) + values[j] + static_cast<std::uint32_t>(j);
    if (++j >= values.size()) j = 0;
    wrap();
  }
  for (int k = kLength - 1; k > 0; --k) {
    std::uint32_t before = key[i - 1] ^ key[i - 1] >> 30;
    key[i] = (key[i] ^ before * 1566083941u) - static_cast<std::uint32_t>(i);
    wrap();
  }
  key[0] = 0x80000000u;
}

void Mt19937::generate() {
  constexpr int kShift = 397;
  auto twist = [](std::uint32_t upper, std::uint32_t lower) {
    std::uint32_t y = (upper & 0x80000000u) | (lower & 0x7fffffffu);
    return y >> 1 ^ ((0u - (y & 1u)) & 0x9908b0dfu);
  };
  std::uint32_t* k = key.data();
  for (int i = 0; i < kLength - kShift; ++i) k[i] = k[i + kShift] ^ twist(k[i], k[i + 1]);
  for (int i = kLength - kShift; i < kLength - 1; ++i)
    k[i] = k[i + kShift - kLength] ^ twist(k[i], k[i + 1]);
  k[kLength - 1] = k[kShift - 1] ^ twist(k[kLength - 1], k[0]);
  position = 0;
}

void Philox::add_to_counter(Uint128 amount) {
  std::uint64_t parts[2] = {low_half(amount), high_half(amount)};
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    Uint128 sum = static_cast<Uint128>(counter[i]) + (i < 2 ? parts[i] : 0u) + carry;
    counter[i] = low_half(sum);
    carry = high_half(sum);
  }
}

void Philox::refill() {
  constexpr std::uint64_t kMultiplier0 = 0xd2e7470ee14c6c93u, kMultiplier1 = 0xca5a826395121157u;
  constexpr std::uint64_t kWeyl0 = 0x9e3779b97f4a7c15u, kWeyl1 = 0xbb67ae8584caa73bu;
  add_to_counter(1);
  std::array<std::uint64_t, 4> c = counter;
  std::uint64_t key0 = key[0], key1 = key[1];
  for (int round = 0; round < 10; ++round) {
    Uint128 product0 = static_cast<Uint128>(kMultiplier0) * c[0];
    Uint128 product1 = static_cast<Uint128>(kMultiplier1) * c[2];
    c = {high_half(product1) ^ c[1] ^ key0, low_half(product1), high_half(product0) ^ c[3] ^ key1,
         low_half(product0)};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  buffer = c;
  position = 0;
}

}  // namespace strider::nd::random
