// The rounds of SHA-1 as FIPS 180-4 has them, for programs' digests. Processors with instructions
// for them take a tenth of the time. Knows no texts and no lengths: blocks come whole.
#pragma once

#include <strider/nd/sha256.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace strider::nd::sha1 {

using Words = std::array<std::uint32_t, 5>;

inline std::uint32_t first_word(const unsigned char* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 |
         at[3];
}

inline void add_block(Words& state, const unsigned char* block) {
  std::array<std::uint32_t, 80> words;
  for (std::size_t i = 0; i < 16; ++i) words[i] = first_word(block + 4 * i);
  for (std::size_t i = 16; i < 80; ++i)
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  auto [a, b, c, d, e] = state;
#pragma GCC unroll 80
  for (std::size_t i = 0; i < 80; ++i) {
    std::uint32_t mixed, constant;
    if (i < 20)
      mixed = d ^ (b & (c ^ d)), constant = 0x5a827999;
    else if (i < 40)
      mixed = b ^ c ^ d, constant = 0x6ed9eba1;
    else if (i < 60)
      mixed = (b & c) | (d & (b | c)), constant = 0x8f1bbcdc;
    else
      mixed = b ^ c ^ d, constant = 0xca62c1d6;
    std::uint32_t next = std::rotl(a, 5) + mixed + e + constant + words[i];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  std::uint32_t last[] = {a, b, c, d, e};
  for (std::size_t i = 0; i < 5; ++i) state[i] += last[i];
}

#if defined(__x86_64__)
#define STRIDER_BY_INSTRUCTIONS __attribute__((target("sha,sse4.1")))

// The state: a to d, a in the highest place; e in the highest place of a register of its own, whose
// others are 0.
struct Registers {
  __m128i abcd, e;
};

// Four rounds of group `g`, whose function and constant change every fifth group, and the words of
// the group four later. What is rotated into e are the a of four rounds before.
template <int g>
STRIDER_BY_INSTRUCTIONS inline void add_group(Registers& now, __m128i (&w)[4]) {
  __m128i& words = w[g % 4];
  __m128i added = g == 0 ? _mm_add_epi32(now.e, words) : _mm_sha1nexte_epu32(now.e, words);
  now.e = now.abcd;
  now.abcd = _mm_sha1rnds4_epu32(now.abcd, added, g / 5);
  if constexpr (g < 16) {
    __m128i sum = _mm_xor_si128(_mm_sha1msg1_epu32(words, w[(g + 1) % 4]), w[(g + 2) % 4]);
    words = _mm_sha1msg2_epu32(sum, w[(g + 3) % 4]);
  }
}

template <int... groups>
STRIDER_BY_INSTRUCTIONS inline void add_groups(Registers& now, __m128i (&w)[4],
                                               std::integer_sequence<int, groups...>) {
  (add_group<groups>(now, w), ...);
}

STRIDER_BY_INSTRUCTIONS inline void add_by_instructions(Words& state,
                                                        const unsigned char* blocks,
                                                        std::size_t count) {
  const __m128i turned = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  auto word = [&](std::size_t i) { return static_cast<int>(state[i]); };
  Registers now{_mm_set_epi32(word(0), word(1), word(2), word(3)), _mm_set_epi32(word(4), 0, 0, 0)};
  for (; count > 0; --count, blocks += 64) {
    const Registers before = now;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) {
      const auto* at = reinterpret_cast<const __m128i*>(blocks + 16 * i);
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(at), turned);
    }
    add_groups(now, w, std::make_integer_sequence<int, 20>());
    now.e = _mm_sha1nexte_epu32(now.e, before.e);
    now.abcd = _mm_add_epi32(now.abcd, before.abcd);
  }
  alignas(16) std::array<std::uint32_t, 4> dcba;
  _mm_store_si128(reinterpret_cast<__m128i*>(dcba.data()), now.abcd);
  state = {dcba[3], dcba[2], dcba[1], dcba[0],
           static_cast<std::uint32_t>(_mm_extract_epi32(now.e, 3))};
}

#undef STRIDER_BY_INSTRUCTIONS
#endif

// Adds so many blocks of 64 bytes to a state, by instructions where the processor has them.
inline void add_blocks(Words& state, const unsigned char* blocks, std::size_t count) {
#if defined(__x86_64__)
  static const bool has_instructions = sha256::has_instructions();
  if (has_instructions) return add_by_instructions(state, blocks, count);
#endif
  for (std::size_t i = 0; i < count; ++i) add_block(state, blocks + 64 * i);
}

}  // namespace strider::nd::sha1
