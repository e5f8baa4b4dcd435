// Streams of random words that can be entered anywhere: cursors over PCG64, PCG64DXSM and Philox,
// for hosts and devices. Knows nothing of what is made of the words.
#pragma once

#include "kernels/backend/draws/request.h"

#ifdef __CUDACC__
#define STRIDER_ANYWHERE __host__ __device__
#else
#define STRIDER_ANYWHERE
#endif

namespace strider::nd::drawing {

__extension__ typedef unsigned __int128 Uint128;

constexpr Uint128 make_wide(std::uint64_t high, std::uint64_t low) {
  return static_cast<Uint128>(high) << 64 | low;
}

// Some steps of a linear congruential generator at once.
struct Leap {
  Uint128 multiplier, increment;
  STRIDER_ANYWHERE Uint128 from(Uint128 state) const { return state * multiplier + increment; }
};

template <bool kDxsm>
struct PcgWords {
  static constexpr std::uint64_t kCheap = 0xda942042e4dd58b5u;
  static constexpr Uint128 kMultiplier =
      kDxsm ? Uint128{kCheap} : make_wide(0x2360ed051fc65da4u, 0x4385df649fccf645u);
  static constexpr int kBits = 40;

  using Unit = std::uint64_t;
  struct Source {
    Leap of_power[kBits];  // 1, 2, 4, … steps
    Uint128 state;         // of which the first word is made
  };

  static Source source(const RandomStream& stream) {
    Source result;
    Leap leap{kMultiplier, make_wide(stream.words[3], stream.words[2])};
    result.state = make_wide(stream.words[1], stream.words[0]);
    if (!kDxsm) result.state = leap.from(result.state);  // its words are made after the step
    for (Leap& each : result.of_power) {
      each = leap;
      leap = {leap.multiplier * leap.multiplier, leap.from(leap.increment)};
    }
    return result;
  }

  static STRIDER_ANYWHERE PcgWords at(const Source& source, std::int64_t index) {
    Uint128 state = source.state;
    for (int bit = 0; index >> bit != 0; ++bit) {
      if (index >> bit & 1) state = source.of_power[bit].from(state);
    }
    return {state, source.of_power[0].increment};
  }

  STRIDER_ANYWHERE std::uint64_t next() {
    auto high = static_cast<std::uint64_t>(state >> 64), low = static_cast<std::uint64_t>(state);
    state = state * kMultiplier + increment;
    if constexpr (kDxsm) {
      high ^= high >> 32;
      high *= kCheap;
      high ^= high >> 48;
      return high * (low | 1);
    } else {
      auto count = static_cast<unsigned>(high >> 58);
      std::uint64_t word = high ^ low;
      return word >> count | word << (-count & 63);
    }
  }

  Uint128 state, increment;
};

struct PhiloxWords {
  using Unit = std::uint64_t;
  struct Source {
    std::uint64_t counter[4], key[2], made[4];
    int used;
  };

  static Source source(const RandomStream& stream) {
    Source result;
    for (int i = 0; i < 4; ++i) result.counter[i] = stream.words[i];
    for (int i = 0; i < 2; ++i) result.key[i] = stream.words[4 + i];
    for (int i = 0; i < 4; ++i) result.made[i] = stream.words[6 + i];
    result.used = static_cast<int>(stream.words[10]);
    return result;
  }

  static STRIDER_ANYWHERE PhiloxWords at(const Source& source, std::int64_t index) {
    PhiloxWords result;
    result.from = &source;
    result.block = (index + source.used) / 4;
    result.place = static_cast<int>((index + source.used) % 4);
    if (result.block == 0) {
      for (int i = 0; i < 4; ++i) result.words[i] = source.made[i];
    } else {
      result.make();
    }
    return result;
  }

  STRIDER_ANYWHERE std::uint64_t next() {
    if (place == 4) {
      ++block;
      make();
      place = 0;
    }
    int now = place++;
    std::uint64_t low = now & 1 ? words[1] : words[0], high = now & 1 ? words[3] : words[2];
    return now & 2 ? high : low;
  }

  // Four words of the counter, `block` further.
  STRIDER_ANYWHERE void make() {
    constexpr std::uint64_t kMultiplier0 = 0xd2e7470ee14c6c93u, kMultiplier1 = 0xca5a826395121157u;
    constexpr std::uint64_t kWeyl0 = 0x9e3779b97f4a7c15u, kWeyl1 = 0xbb67ae8584caa73bu;
    std::uint64_t c[4], carry = static_cast<std::uint64_t>(block);
    for (int i = 0; i < 4; ++i) {
      c[i] = from->counter[i] + carry;
      carry = c[i] < carry;
    }
    std::uint64_t key0 = from->key[0], key1 = from->key[1];
    for (int round = 0; round < 10; ++round) {
      Uint128 product0 = static_cast<Uint128>(kMultiplier0) * c[0];
      Uint128 product1 = static_cast<Uint128>(kMultiplier1) * c[2];
      c[0] = static_cast<std::uint64_t>(product1 >> 64) ^ c[1] ^ key0;
      c[1] = static_cast<std::uint64_t>(product1);
      c[2] = static_cast<std::uint64_t>(product0 >> 64) ^ c[3] ^ key1;
      c[3] = static_cast<std::uint64_t>(product0);
      key0 += kWeyl0;
      key1 += kWeyl1;
    }
    for (int i = 0; i < 4; ++i) words[i] = c[i];
  }

  const Source* from;
  std::int64_t block;
  int place;
  std::uint64_t words[4];
};

// The halves of the words, after one that is left over from before.
template <class Words>
struct Halves {
  using Unit = std::uint32_t;
  struct Source {
    typename Words::Source words;
    bool has_half;
    std::uint32_t half;
  };

  static Source source(const RandomStream& stream) {
    return {Words::source(stream), stream.has_half, stream.half};
  }

  static STRIDER_ANYWHERE Halves at(const Source& source, std::int64_t index) {
    std::int64_t behind = index - source.has_half;
    if (behind < 0) return {Words::at(source.words, 0), true, source.half};
    Halves result{Words::at(source.words, behind / 2), false, 0};
    if (behind & 1) result.next();
    return result;
  }

  STRIDER_ANYWHERE std::uint32_t next() {
    if (has_half) {
      has_half = false;
      return half;
    }
    std::uint64_t both = words.next();
    has_half = true;
    half = static_cast<std::uint32_t>(both >> 32);
    return static_cast<std::uint32_t>(both);
  }

  Words words;
  bool has_half;
  std::uint32_t half;
};

}  // namespace strider::nd::drawing
