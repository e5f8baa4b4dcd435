// BLAKE2b and BLAKE2s (RFC 7693), for one thread.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "interpreter/builtins/modules/data/digests.h"

namespace strider::lang {
namespace {

constexpr std::array<std::uint64_t, 8> kStart = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

constexpr std::size_t kOrders[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                         {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                         {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                         {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                         {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                         {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                         {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                         {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                         {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                         {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

template <class Word>
class Blake2 final : public Digest {
 public:
  static constexpr bool kWide = sizeof(Word) == 8;
  static constexpr std::size_t kBlock = 16 * sizeof(Word), kRounds = kWide ? 12 : 10;
  static constexpr std::size_t kOffset = kWide ? 8 : 6;  // bytes of a node's offset

  explicit Blake2(const Blake2Settings& settings)
      : size_(settings.size), last_node_(settings.last_node) {
    std::string parameters(8 * sizeof(Word), '\0');
    parameters[0] = static_cast<char>(settings.size);
    parameters[1] = static_cast<char>(settings.key.size());
    parameters[2] = static_cast<char>(settings.fanout);
    parameters[3] = static_cast<char>(settings.depth);
    std::memcpy(&parameters[4], &settings.leaf_size, 4);
    std::memcpy(&parameters[8], &settings.node_offset, kOffset);
    parameters[8 + kOffset] = static_cast<char>(settings.node_depth);
    parameters[9 + kOffset] = static_cast<char>(settings.inner_size);
    std::copy(settings.salt.begin(), settings.salt.end(), parameters.begin() + 4 * sizeof(Word));
    std::copy(settings.person.begin(), settings.person.end(),
              parameters.begin() + 6 * sizeof(Word));
    for (std::size_t i = 0; i < 8; ++i) state_[i] = start(i) ^ read(parameters, i);
    if (settings.key.empty()) return;
    pending_ = settings.key;
    pending_.resize(kBlock, '\0');
  }
  void update(std::string_view bytes) override {
    pending_ += bytes;
    std::size_t used = 0;
    for (; pending_.size() - used > kBlock; used += kBlock)
      mix(std::string_view(pending_).substr(used, kBlock), kBlock, false);
    pending_.erase(0, used);
  }
  std::string finish() const override {
    Blake2 last = *this;
    std::string block = pending_;
    block.resize(kBlock, '\0');
    last.mix(block, pending_.size(), true);
    std::string result;
    for (std::size_t i = 0; i < size_; ++i)
      result += static_cast<char>(last.state_[i / sizeof(Word)] >> (8 * (i % sizeof(Word))));
    return result;
  }
  std::unique_ptr<Digest> clone() const override { return std::make_unique<Blake2>(*this); }
  std::size_t block_size() const override { return kBlock; }

 private:
  static Word start(std::size_t i) {
    return static_cast<Word>(kWide ? kStart[i] : kStart[i] >> 32);
  }
  static Word read(std::string_view bytes, std::size_t number) {
    Word word = 0;
    for (std::size_t i = sizeof(Word); i-- > 0;)
      word = static_cast<Word>(word << 8) |
             static_cast<unsigned char>(bytes[number * sizeof(Word) + i]);
    return word;
  }
  static void mix_four(Word& a, Word& b, Word& c, Word& d, Word first, Word second) {
    a += b + first, d = std::rotr(static_cast<Word>(d ^ a), kWide ? 32 : 16);
    c += d, b = std::rotr(static_cast<Word>(b ^ c), kWide ? 24 : 12);
    a += b + second, d = std::rotr(static_cast<Word>(d ^ a), kWide ? 16 : 8);
    c += d, b = std::rotr(static_cast<Word>(b ^ c), kWide ? 63 : 7);
  }
  void mix(std::string_view block, std::size_t size, bool last) {
    length_ += size;
    std::array<Word, 16> v;
    for (std::size_t i = 0; i < 8; ++i) v[i] = state_[i], v[i + 8] = start(i);
    v[12] ^= static_cast<Word>(length_);
    if (!kWide) v[13] ^= static_cast<Word>(length_ >> 32);
    if (last) v[14] = ~v[14];
    if (last && last_node_) v[15] = ~v[15];
    std::array<Word, 16> words;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = read(block, i);
    for (std::size_t round = 0; round < kRounds; ++round) {
      const std::size_t* order = kOrders[round % 10];
      // Columns, then diagonals.
      mix_four(v[0], v[4], v[8], v[12], words[order[0]], words[order[1]]);
      mix_four(v[1], v[5], v[9], v[13], words[order[2]], words[order[3]]);
      mix_four(v[2], v[6], v[10], v[14], words[order[4]], words[order[5]]);
      mix_four(v[3], v[7], v[11], v[15], words[order[6]], words[order[7]]);
      mix_four(v[0], v[5], v[10], v[15], words[order[8]], words[order[9]]);
      mix_four(v[1], v[6], v[11], v[12], words[order[10]], words[order[11]]);
      mix_four(v[2], v[7], v[8], v[13], words[order[12]], words[order[13]]);
      mix_four(v[3], v[4], v[9], v[14], words[order[14]], words[order[15]]);
    }
    for (std::size_t i = 0; i < 8; ++i) state_[i] ^= v[i] ^ v[i + 8];
  }

  std::array<Word, 8> state_;
  std::string pending_;
  std::uint64_t length_ = 0;
  std::size_t size_;
  bool last_node_;
};

}  // namespace

std::unique_ptr<Digest> make_blake2(bool wide, const Blake2Settings& settings) {
  if (wide) return std::make_unique<Blake2<std::uint64_t>>(settings);
  return std::make_unique<Blake2<std::uint32_t>>(settings);
}

}  // namespace strider::lang
