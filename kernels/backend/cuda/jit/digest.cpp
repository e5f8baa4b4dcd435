// SHA-256 as FIPS 180-4 has it; the constants are computed from its definition.
#include "kernels/backend/cuda/jit/digest.h"

#include <array>
#include <bit>
#include <cstdint>

namespace strider::nd::cuda {
namespace {

using Words = std::array<std::uint32_t, 8>;

struct Constants {
  std::array<std::uint32_t, 64> rounds{};
  Words start{};
};

// The first 32 bits behind the point of a prime's root: the largest r with (whole + r/2^32)^n <=
// prime.
constexpr std::uint32_t root_bits(unsigned prime, int power) {
  unsigned whole = 1;
  auto raised = [&](unsigned value) { return power == 2 ? value * value : value * value * value; };
  while (raised(whole + 1) <= prime) ++whole;
  std::uint32_t bits = 0;
  for (int bit = 31; bit >= 0; --bit) {
    std::uint32_t tried = bits | (std::uint32_t{1} << bit);
    using Wide = unsigned __int128;
    Wide root = (Wide{whole} << 32) | tried;
    bool fits =
        power == 2 ? root * root <= Wide{prime} << 64 : root * root * root <= Wide{prime} << 96;
    if (fits) bits = tried;
  }
  return bits;
}

constexpr Constants make_constants() {
  Constants constants;
  std::size_t found = 0;
  for (unsigned candidate = 2; found < constants.rounds.size(); ++candidate) {
    bool prime = true;
    for (unsigned factor = 2; factor * factor <= candidate; ++factor)
      prime &= candidate % factor != 0;
    if (!prime) continue;
    if (found < constants.start.size()) constants.start[found] = root_bits(candidate, 2);
    constants.rounds[found++] = root_bits(candidate, 3);
  }
  return constants;
}

constexpr Constants kConstants = make_constants();
static_assert(kConstants.start[0] == 0x6a09e667 && kConstants.rounds[63] == 0xc67178f2);

void add_block(Words& state, const unsigned char* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    const unsigned char* at = block + 4 * i;
    w[i] =
        std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
  }
  for (std::size_t i = 16; i < 64; ++i) {
    std::uint32_t far = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    std::uint32_t near = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + far + w[i - 7] + near;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice +
                          kConstants.rounds[i] + w[i];
    std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  std::uint32_t last[] = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += last[i];
}

}  // namespace

std::string digest(std::string_view text) {
  std::string tail(text.substr(text.size() / 64 * 64));
  tail += '\x80';
  while (tail.size() % 64 != 56) tail += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) {
    tail += static_cast<char>(std::uint64_t{text.size()} * 8 >> shift & 0xff);
  }
  Words state = kConstants.start;
  auto add = [&](std::string_view blocks) {
    for (std::size_t at = 0; at + 64 <= blocks.size(); at += 64)
      add_block(state, reinterpret_cast<const unsigned char*>(blocks.data()) + at);
  };
  add(text);
  add(tail);
  std::string digits;
  for (std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 15];
  }
  return digits;
}

}  // namespace strider::nd::cuda
