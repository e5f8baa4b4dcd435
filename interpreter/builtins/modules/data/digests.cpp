// Message digests. The constants of SHA-2 are computed from the primes that define them.
#include <strider/nd/sha1.h>
#include <strider/nd/sha256.h>

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

std::uint32_t read_little_endian(const unsigned char* at) {
  return at[0] | at[1] << 8 | at[2] << 16 | static_cast<std::uint32_t>(at[3]) << 24;
}

struct Md5 {
  static constexpr std::size_t kBlock = 64;
  static constexpr bool kBigEndian = false;
  std::array<std::uint32_t, 4> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

  void mix(const unsigned char* block) {
    static constexpr int kShifts[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    const std::array<std::uint32_t, 64>& table = sines();
    auto [a, b, c, d] = state;
#pragma GCC unroll 64
    for (std::uint32_t i = 0; i < 64; ++i) {
      std::uint32_t round = i / 16, mixed, source;
      if (round == 0)
        mixed = d ^ (b & (c ^ d)), source = i;
      else if (round == 1)
        mixed = c ^ (d & (b ^ c)), source = (5 * i + 1) % 16;
      else if (round == 2)
        mixed = b ^ c ^ d, source = (3 * i + 5) % 16;
      else
        mixed = c ^ (b | ~d), source = 7 * i % 16;
      std::uint32_t word = read_little_endian(block + 4 * source);
      std::uint32_t rotated = std::rotl(mixed + a + table[i] + word, kShifts[round][i % 4]);
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
  nd::sha1::Words state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

  void mix(const unsigned char* block) { mix_all(block, 1); }
  void mix_all(const unsigned char* blocks, std::size_t count) {
    nd::sha1::add_blocks(state, blocks, count);
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

// SHA-2 on words of 32 bits.
struct Sha256 {
  static constexpr std::size_t kBlock = 64;
  static constexpr bool kBigEndian = true;
  nd::sha256::Words state;
  std::size_t size;  // of the result in bytes

  // SHA-256 begins with the square roots of the first eight primes, SHA-224 with the lower halves
  // of those of the next eight.
  explicit Sha256(std::size_t result_size) : size(result_size) {
    bool whole = result_size == 32;
    for (std::size_t i = 0; i < 8; ++i)
      state[i] =
          static_cast<std::uint32_t>(whole ? square_roots()[i] >> 32 : square_roots()[8 + i]);
  }
  void mix(const unsigned char* block) { mix_all(block, 1); }
  void mix_all(const unsigned char* blocks, std::size_t count) {
    nd::sha256::add_blocks(state, blocks, count);
  }
  std::string result() const { return write_big_endian(state, size); }
};

// SHA-2 on words of 64 bits.
struct Sha512 {
  using Word = std::uint64_t;
  static constexpr std::size_t kBlock = 128, kRounds = 80;
  static constexpr bool kBigEndian = true;
  std::array<Word, 8> state;
  std::size_t size;  // of the result in bytes

  // Square roots of the primes from number `first` on.
  Sha512(std::size_t first, std::size_t result_size) : size(result_size) {
    for (std::size_t i = 0; i < 8; ++i) state[i] = square_roots()[first + i];
  }

  void mix(const unsigned char* block) {
    auto turn = [](Word w, int first, int second, int third) {
      return std::rotr(w, first) ^ std::rotr(w, second) ^ std::rotr(w, third);
    };
    std::array<Word, kRounds> words;
    for (std::size_t i = 0; i < 16; ++i) words[i] = read_big_endian<Word>(block + sizeof(Word) * i);
    for (std::size_t i = 16; i < kRounds; ++i) {
      Word far = words[i - 15], near = words[i - 2];
      words[i] = words[i - 16] + (std::rotr(far, 1) ^ std::rotr(far, 8) ^ (far >> 7)) +
                 words[i - 7] + (std::rotr(near, 19) ^ std::rotr(near, 61) ^ (near >> 6));
    }
    const std::array<Word, 80>& constants = cube_roots();
    auto [a, b, c, d, e, f, g, h] = state;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRounds; ++i) {
      Word first = h + turn(e, 14, 18, 41) + ((e & f) ^ (~e & g)) + constants[i] + words[i];
      Word second = turn(a, 28, 34, 39) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const Word mixed[] = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state[i] += mixed[i];
  }
  std::string result() const { return write_big_endian(state, size); }
};

// SHA-512 cut short: it begins with a digest of its own name.
std::unique_ptr<Digest> make_cut_sha512(std::string_view shown, std::size_t size) {
  Sha512 begin(0, 64);
  for (std::uint64_t& word : begin.state) word ^= 0xa5a5a5a5a5a5a5a5u;
  BlockDigest<Sha512> name(begin);
  name.update(shown);
  std::string words = name.finish();
  Sha512 made(0, size);
  for (std::size_t i = 0; i < 8; ++i)
    made.state[i] =
        read_big_endian<std::uint64_t>(reinterpret_cast<const unsigned char*>(&words[8 * i]));
  return std::make_unique<BlockDigest<Sha512>>(made);
}

}  // namespace

std::unique_ptr<Digest> make_digest(std::string_view name) {
  if (name == "md5") return std::make_unique<BlockDigest<Md5>>(Md5());
  if (name == "sha1") return std::make_unique<BlockDigest<Sha1>>(Sha1());
  if (name == "sha256") return std::make_unique<BlockDigest<Sha256>>(Sha256(32));
  if (name == "sha224") return std::make_unique<BlockDigest<Sha256>>(Sha256(28));
  if (name == "sha512") return std::make_unique<BlockDigest<Sha512>>(Sha512(0, 64));
  if (name == "sha384") return std::make_unique<BlockDigest<Sha512>>(Sha512(8, 48));
  if (name == "sha512_224") return make_cut_sha512("SHA-512/224", 28);
  if (name == "sha512_256") return make_cut_sha512("SHA-512/256", 32);
  return nullptr;
}

}  // namespace strider::lang
