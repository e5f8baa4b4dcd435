// Digests that OpenSSL has besides: SM3 (GB/T 32905), RIPEMD-160, MD5 and SHA-1 together.
#include <array>
#include <bit>

#include "interpreter/builtins/modules/data/block_digest.h"

namespace strider::lang {
namespace {

using Word = std::uint32_t;

struct Sm3 {
  static constexpr std::size_t kBlock = 64;
  static constexpr bool kBigEndian = true;
  std::array<Word, 8> state{0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600,
                            0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e};

  static Word spread(Word word, int first, int second) {
    return word ^ std::rotl(word, first) ^ std::rotl(word, second);
  }
  void mix(const unsigned char* block) {
    std::array<Word, 68> words;
    for (std::size_t i = 0; i < 16; ++i) words[i] = read_big_endian<Word>(block + 4 * i);
    for (std::size_t i = 16; i < 68; ++i)
      words[i] = spread(words[i - 16] ^ words[i - 9] ^ std::rotl(words[i - 3], 15), 15, 23) ^
                 std::rotl(words[i - 13], 7) ^ words[i - 6];
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
      Word constant = i < 16 ? 0x79cc4519 : 0x7a879d8a;
      Word turned = std::rotl(a, 12);
      Word sum = std::rotl(turned + e + std::rotl(constant, static_cast<int>(i % 32)), 7);
      Word upper = i < 16 ? a ^ b ^ c : (a & b) | (a & c) | (b & c);
      Word lower = i < 16 ? e ^ f ^ g : (e & f) | (~e & g);
      Word first = upper + d + (sum ^ turned) + (words[i] ^ words[i + 4]);
      Word second = lower + h + sum + words[i];
      d = c, c = std::rotl(b, 9), b = a, a = first;
      h = g, g = std::rotl(f, 19), f = e, e = spread(second, 9, 17);
    }
    const Word mixed[] = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state[i] ^= mixed[i];
  }
  std::string result() const { return write_big_endian(state, 32); }
};

// One of the two lines of RIPEMD-160: which words, turned how far, with which constants.
struct RipemdLine {
  unsigned char words[80], shifts[80];
  Word constants[5];
};

constexpr RipemdLine kRipemdLines[2] = {
    {{0,  1, 2,  3, 4,  5,  6, 7,  8, 9,  10, 11, 12, 13, 14, 15, 7,  4,  13, 1,
      10, 6, 15, 3, 12, 0,  9, 5,  2, 14, 11, 8,  3,  10, 14, 4,  9,  15, 8,  1,
      2,  7, 0,  6, 13, 11, 5, 12, 1, 9,  11, 10, 0,  8,  12, 4,  13, 3,  7,  15,
      14, 5, 6,  2, 4,  0,  5, 9,  7, 12, 2,  10, 14, 1,  3,  8,  11, 6,  15, 13},
     {11, 14, 15, 12, 5, 8,  7,  9,  11, 13, 14, 15, 6,  7,  9,  8,  7,  6,  8,  13,
      11, 9,  7,  15, 7, 12, 15, 9,  11, 7,  13, 12, 11, 13, 6,  7,  14, 9,  13, 15,
      14, 8,  13, 6,  5, 12, 7,  5,  11, 12, 14, 15, 14, 15, 9,  8,  9,  14, 5,  6,
      8,  6,  5,  12, 9, 15, 5,  11, 6,  8,  13, 12, 5,  12, 13, 14, 11, 8,  5,  6},
     {0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e}},
    {{5,  14, 7,  0,  9,  2,  11, 4,  13, 6, 15, 8, 1,  10, 3,  12, 6, 11, 3, 7,
      0,  13, 5,  10, 14, 15, 8,  12, 4,  9, 1,  2, 15, 5,  1,  3,  7, 14, 6, 9,
      11, 8,  12, 2,  10, 0,  4,  13, 8,  6, 4,  1, 3,  11, 15, 0,  5, 12, 2, 13,
      9,  7,  10, 14, 12, 15, 10, 4,  1,  5, 8,  7, 6,  2,  13, 14, 0, 3,  9, 11},
     {8,  9,  9,  11, 13, 15, 15, 5, 7,  7,  8,  11, 14, 14, 12, 6,  9,  13, 15, 7,
      12, 8,  9,  11, 7,  7,  12, 7, 6,  15, 13, 11, 9,  7,  15, 11, 8,  6,  6,  14,
      12, 13, 5,  14, 13, 13, 7,  5, 15, 5,  8,  11, 14, 14, 6,  14, 6,  9,  12, 9,
      12, 5,  15, 8,  8,  5,  12, 9, 12, 5,  14, 6,  8,  13, 6,  5,  15, 13, 11, 11},
     {0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0}}};

struct Ripemd160 {
  static constexpr std::size_t kBlock = 64;
  static constexpr bool kBigEndian = false;
  std::array<Word, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

  static Word chosen(std::size_t kind, Word x, Word y, Word z) {
    switch (kind) {
      case 0:
        return x ^ y ^ z;
      case 1:
        return (x & y) | (~x & z);
      case 2:
        return (x | ~y) ^ z;
      case 3:
        return (x & z) | (y & ~z);
      default:
        return x ^ (y | ~z);
    }
  }
  std::array<Word, 5> follow(std::size_t which, const std::array<Word, 16>& words) const {
    const RipemdLine& line = kRipemdLines[which];
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < 80; ++i) {
      std::size_t round = i / 16;
      Word sum = a + chosen(which == 0 ? round : 4 - round, b, c, d) + words[line.words[i]] +
                 line.constants[round];
      a = e, e = d, d = std::rotl(c, 10), c = b, b = std::rotl(sum, line.shifts[i]) + a;
    }
    return {a, b, c, d, e};
  }
  void mix(const unsigned char* block) {
    std::array<Word, 16> words;
    for (std::size_t i = 0; i < 16; ++i)
      words[i] = block[4 * i] | block[4 * i + 1] << 8 | block[4 * i + 2] << 16 |
                 static_cast<Word>(block[4 * i + 3]) << 24;
    std::array<Word, 5> left = follow(0, words), right = follow(1, words), old = state;
    for (std::size_t i = 0; i < 5; ++i)
      state[i] = old[(i + 1) % 5] + left[(i + 2) % 5] + right[(i + 3) % 5];
  }
  std::string result() const {
    std::string bytes;
    for (Word word : state)
      for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i));
    return bytes;
  }
};

// Two digests of the same bytes, one after the other.
class Pair final : public Digest {
 public:
  Pair(std::unique_ptr<Digest> first, std::unique_ptr<Digest> second)
      : first_(std::move(first)), second_(std::move(second)) {}
  void update(std::string_view bytes) override {
    first_->update(bytes);
    second_->update(bytes);
  }
  std::string finish() const override { return first_->finish() + second_->finish(); }
  std::unique_ptr<Digest> clone() const override {
    return std::make_unique<Pair>(first_->clone(), second_->clone());
  }
  std::size_t block_size() const override { return first_->block_size(); }

 private:
  std::unique_ptr<Digest> first_, second_;
};

}  // namespace

std::unique_ptr<Digest> make_other_digest(std::string_view name) {
  if (name == "sm3") return std::make_unique<BlockDigest<Sm3>>(Sm3());
  if (name == "ripemd160") return std::make_unique<BlockDigest<Ripemd160>>(Ripemd160());
  if (name == "md5-sha1") return std::make_unique<Pair>(make_digest("md5"), make_digest("sha1"));
  return nullptr;
}

}  // namespace strider::lang
