// Message digests. The constants of SHA-2 are computed from the primes that define them.
#include <array>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <vector>

#include "interpreter/builtins/modules/data/block_digest.h"

namespace strider::lang {
namespace {

const std::array<std::uint32_t, 64>& sines() {
  static const std::array<std::uint32_t, 64> table = [] {
    std::array<std::uint32_t, 64> made;
    for (std::size_t i = 0; i < 64; ++i)
      made[i] = static_cast<std::uint32_t>(
          std::floor(std::fabs(std::sin(static_cast<double>(i) + 1.0)) * 0x1p32));
    return made;
  }();
  return table;
}

struct Md5 {
  static constexpr std::size_t kBlock = 64;
  static constexpr bool kBigEndian = false;
  std::array<std::uint32_t, 4> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

  void mix(const unsigned char* block) {
    static constexpr int kShifts[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    auto [a, b, c, d] = state;
    for (std::uint32_t i = 0; i < 64; ++i) {
      std::uint32_t round = i / 16, mixed, source;
      if (round == 0)
        mixed = (b & c) | (~b & d), source = i;
      else if (round == 1)
        mixed = (d & b) | (~d & c), source = (5 * i + 1) % 16;
      else if (round == 2)
        mixed = b ^ c ^ d, source = (3 * i + 5) % 16;
      else
        mixed = c ^ (b | ~d), source = 7 * i % 16;
      const unsigned char* at = block + 4 * source;
      std::uint32_t word =
          at[0] | at[1] << 8 | at[2] << 16 | static_cast<std::uint32_t>(at[3]) << 24;
      std::uint32_t rotated = std::rotl(mixed + a + sines()[i] + word, kShifts[round][i % 4]);
      a = d, d = c, c = b, b += rotated;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  }
  std::string result() const {
    std::string bytes;
    for (std::uint32_t word : state)
      for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i));
    return bytes;
  }
};

struct Sha1 {
  static constexpr std::size_t kBlock = 64;
  static constexpr bool kBigEndian = true;
  std::array<std::uint32_t, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

  void mix(const unsigned char* block) {
    std::array<std::uint32_t, 80> words;
    for (std::size_t i = 0; i < 16; ++i) words[i] = read_big_endian<std::uint32_t>(block + 4 * i);
    for (std::size_t i = 16; i < 80; ++i)
      words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < 80; ++i) {
      std::uint32_t mixed, constant;
      if (i < 20)
        mixed = (b & c) | (~b & d), constant = 0x5a827999;
      else if (i < 40)
        mixed = b ^ c ^ d, constant = 0x6ed9eba1;
      else if (i < 60)
        mixed = (b & c) | (b & d) | (c & d), constant = 0x8f1bbcdc;
      else
        mixed = b ^ c ^ d, constant = 0xca62c1d6;
      std::uint32_t next = std::rotl(a, 5) + mixed + e + constant + words[i];
      e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
  }
  std::string result() const { return write_big_endian(state, 20); }
};

using Wide = boost::multiprecision::cpp_int;

std::vector<int> first_primes(std::size_t count) {
  std::vector<int> primes;
  for (int number = 2; primes.size() < count; ++number) {
    bool prime = true;
    for (int divisor : primes) prime = prime && number % divisor != 0;
    if (prime) primes.push_back(number);
  }
  return primes;
}

// The first 64 bits of the fractional part of a prime's root of degree 2 or 3.
std::uint64_t root_fraction(int prime, int degree) {
  Wide target = Wide(prime) << (64 * degree), low = 0, high = Wide(1) << 70;
  while (high - low > 1) {
    Wide middle = (low + high) / 2;
    Wide power = degree == 2 ? Wide(middle * middle) : Wide(middle * middle * middle);
    (power <= target ? low : high) = middle;
  }
  return static_cast<std::uint64_t>(low & 0xffffffffffffffffu);
}

const std::array<std::uint64_t, 80>& cube_roots() {
  static const std::array<std::uint64_t, 80> fractions = [] {
    std::array<std::uint64_t, 80> made;
    std::vector<int> primes = first_primes(80);
    for (std::size_t i = 0; i < 80; ++i) made[i] = root_fraction(primes[i], 3);
    return made;
  }();
  return fractions;
}

const std::array<std::uint64_t, 16>& square_roots() {
  static const std::array<std::uint64_t, 16> fractions = [] {
    std::array<std::uint64_t, 16> made;
    std::vector<int> primes = first_primes(16);
    for (std::size_t i = 0; i < 16; ++i) made[i] = root_fraction(primes[i], 2);
    return made;
  }();
  return fractions;
}

// SHA-2 on words of 32 or 64 bits.
template <class Word>
struct Sha2 {
  static constexpr bool kLong = sizeof(Word) == 8;
  static constexpr std::size_t kBlock = 16 * sizeof(Word), kRounds = kLong ? 80 : 64;
  static constexpr bool kBigEndian = true;
  std::array<Word, 8> state;
  std::size_t size;  // of the result in bytes

  // Square roots of the primes from number `first` on, the upper or lower part of the fraction.
  Sha2(std::size_t first, bool lower, std::size_t result_size) : size(result_size) {
    for (std::size_t i = 0; i < 8; ++i) {
      std::uint64_t fraction = square_roots()[first + i];
      state[i] = static_cast<Word>(kLong || lower ? fraction : fraction >> 32);
    }
  }

  void mix(const unsigned char* block) {
    constexpr int kSchedule[2][3] = {{kLong ? 1 : 7, kLong ? 8 : 18, kLong ? 7 : 3},
                                     {kLong ? 19 : 17, kLong ? 61 : 19, kLong ? 6 : 10}};
    constexpr int kMix[2][3] = {{kLong ? 28 : 2, kLong ? 34 : 13, kLong ? 39 : 22},
                                {kLong ? 14 : 6, kLong ? 18 : 11, kLong ? 41 : 25}};
    auto spread = [&](Word w, const int* r) {
      return std::rotr(w, r[0]) ^ std::rotr(w, r[1]) ^ (w >> r[2]);
    };
    auto turn = [&](Word w, const int* r) {
      return std::rotr(w, r[0]) ^ std::rotr(w, r[1]) ^ std::rotr(w, r[2]);
    };
    std::array<Word, kRounds> words;
    for (std::size_t i = 0; i < 16; ++i) words[i] = read_big_endian<Word>(block + sizeof(Word) * i);
    for (std::size_t i = 16; i < kRounds; ++i)
      words[i] = words[i - 16] + spread(words[i - 15], kSchedule[0]) + words[i - 7] +
                 spread(words[i - 2], kSchedule[1]);
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < kRounds; ++i) {
      auto constant = static_cast<Word>(kLong ? cube_roots()[i] : cube_roots()[i] >> 32);
      Word first = h + turn(e, kMix[1]) + ((e & f) ^ (~e & g)) + constant + words[i];
      Word second = turn(a, kMix[0]) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const Word mixed[] = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state[i] += mixed[i];
  }
  std::string result() const { return write_big_endian(state, size); }
};

// SHA-512 cut short: it begins with a digest of its own name.
std::unique_ptr<Digest> make_cut_sha512(std::string_view shown, std::size_t size) {
  using Long = Sha2<std::uint64_t>;
  Long begin(0, false, 64);
  for (std::uint64_t& word : begin.state) word ^= 0xa5a5a5a5a5a5a5a5u;
  BlockDigest<Long> name(begin);
  name.update(shown);
  std::string words = name.finish();
  Long made(0, false, size);
  for (std::size_t i = 0; i < 8; ++i)
    made.state[i] =
        read_big_endian<std::uint64_t>(reinterpret_cast<const unsigned char*>(&words[8 * i]));
  return std::make_unique<BlockDigest<Long>>(made);
}

}  // namespace

std::unique_ptr<Digest> make_digest(std::string_view name) {
  using Short = Sha2<std::uint32_t>;
  using Long = Sha2<std::uint64_t>;
  if (name == "md5") return std::make_unique<BlockDigest<Md5>>(Md5());
  if (name == "sha1") return std::make_unique<BlockDigest<Sha1>>(Sha1());
  if (name == "sha256") return std::make_unique<BlockDigest<Short>>(Short(0, false, 32));
  if (name == "sha224") return std::make_unique<BlockDigest<Short>>(Short(8, true, 28));
  if (name == "sha512") return std::make_unique<BlockDigest<Long>>(Long(0, false, 64));
  if (name == "sha384") return std::make_unique<BlockDigest<Long>>(Long(8, false, 48));
  if (name == "sha512_224") return make_cut_sha512("SHA-512/224", 28);
  if (name == "sha512_256") return make_cut_sha512("SHA-512/256", 32);
  return nullptr;
}

}  // namespace strider::lang
