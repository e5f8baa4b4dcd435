// The rounds of SHA-256 as FIPS 180-4 has them, for whoever names compiled kernels and for
// programs' digests; the constants are computed from their definition. Processors with instructions
// for them take a tenth of the time. Knows no texts and no lengths: blocks come whole.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace strider::nd::sha256 {

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
    __extension__ typedef unsigned __int128 Wide;
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

inline constexpr Constants kConstants = make_constants();
static_assert(kConstants.start[0] == 0x6a09e667 && kConstants.rounds[63] == 0xc67178f2);

using Add = void (*)(Words& state, const unsigned char* blocks, std::size_t count);

inline void add_block(Words& state, const unsigned char* block) {
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

inline void add_plainly(Words& state, const unsigned char* blocks, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) add_block(state, blocks + 64 * i);
}

#if defined(__x86_64__)
// Four rounds at a time. The instructions keep the state as (a, b, e, f) and (c, d, g, h), the last
// named in the lowest place.
__attribute__((target("sha,sse4.1"))) inline void add_by_instructions(Words& state,
                                                                      const unsigned char* blocks,
                                                                      std::size_t count) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  auto word = [&](std::size_t i) { return static_cast<int>(state[i]); };
  __m128i abef = _mm_set_epi32(word(0), word(1), word(4), word(5));
  __m128i cdgh = _mm_set_epi32(word(2), word(3), word(6), word(7));
  for (; count > 0; --count, blocks += 64) {
    __m128i w[4], abef_before = abef, cdgh_before = cdgh;
    for (int i = 0; i < 16; ++i) {
      __m128i& now = w[i % 4];
      if (i < 4) {
        now = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks + 16 * i)),
                               swap);
      } else {
        const __m128i &next = w[(i + 1) % 4], &third = w[(i + 2) % 4], &last = w[(i + 3) % 4];
        __m128i sum =
            _mm_add_epi32(_mm_sha256msg1_epu32(now, next), _mm_alignr_epi8(last, third, 4));
        now = _mm_sha256msg2_epu32(sum, last);
      }
      const std::uint32_t* constants = kConstants.rounds.data() + 4 * i;
      __m128i added =
          _mm_add_epi32(now, _mm_loadu_si128(reinterpret_cast<const __m128i*>(constants)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  alignas(16) std::array<std::uint32_t, 4> first, second;
  _mm_store_si128(reinterpret_cast<__m128i*>(first.data()), abef);
  _mm_store_si128(reinterpret_cast<__m128i*>(second.data()), cdgh);
  state = {first[3], first[2], second[3], second[2], first[1], first[0], second[1], second[0]};
}

// Whether the processor has instructions for SHA-1 and SHA-256.
inline bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kHasInstructions = 1u << 29;  // of leaf 7's EBX
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kHasInstructions);
}

inline Add choose() { return has_instructions() ? add_by_instructions : add_plainly; }
#else
inline Add choose() { return add_plainly; }
#endif

// Adds so many blocks of 64 bytes to a state, by instructions where the processor has them.
inline void add_blocks(Words& state, const unsigned char* blocks, std::size_t count) {
  static const Add chosen = choose();
  chosen(state, blocks, count);
}

}  // namespace strider::nd::sha256
