// What digests share that take their bytes block by block. Private to the digests.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/builtins/modules/data/digests.h"

namespace strider::lang {

// Splits the bytes into blocks, and pads the last one with the length in bits.
template <class Algorithm>
class BlockDigest final : public Digest {
 public:
  explicit BlockDigest(Algorithm algorithm) : algorithm_(std::move(algorithm)) {}
  void update(std::string_view bytes) override {
    length_ += bytes.size();
    if (!pending_.empty()) {
      std::size_t missing = std::min(Algorithm::kBlock - pending_.size(), bytes.size());
      pending_ += bytes.substr(0, missing);
      bytes.remove_prefix(missing);
      if (pending_.size() < Algorithm::kBlock) return;
      mix_blocks(pending_);
      pending_.clear();
    }
    std::size_t whole = bytes.size() / Algorithm::kBlock * Algorithm::kBlock;
    mix_blocks(bytes.substr(0, whole));
    pending_ = bytes.substr(whole);
  }
  std::string finish() const override {
    Algorithm last = algorithm_;
    constexpr std::size_t kBlock = Algorithm::kBlock;
    constexpr std::size_t kLength = kBlock / 8;  // bytes of the length, of which eight are used
    std::array<unsigned char, 2 * kBlock> tail{};
    std::copy(pending_.begin(), pending_.end(), tail.begin());
    tail[pending_.size()] = 0x80;
    std::size_t size = pending_.size() + 1 + kLength <= kBlock ? kBlock : 2 * kBlock;
    for (std::size_t i = 0; i < 8; ++i)
      tail[size - 8 + i] = static_cast<unsigned char>(
          length_ * 8 >> (Algorithm::kBigEndian ? 56 - 8 * i : 8 * i));
    for (std::size_t at = 0; at < size; at += kBlock) last.mix(tail.data() + at);
    return last.result();
  }
  std::unique_ptr<Digest> clone() const override { return std::make_unique<BlockDigest>(*this); }
  std::size_t block_size() const override { return Algorithm::kBlock; }

 private:
  void mix_blocks(std::string_view blocks) {
    auto* first = reinterpret_cast<const unsigned char*>(blocks.data());
    std::size_t count = blocks.size() / Algorithm::kBlock;
    if constexpr (requires { algorithm_.mix_all(first, count); })
      algorithm_.mix_all(first, count);
    else
      for (std::size_t i = 0; i < count; ++i) algorithm_.mix(first + i * Algorithm::kBlock);
  }

  Algorithm algorithm_;
  std::string pending_;
  std::uint64_t length_ = 0;
};

template <class Word>
Word read_big_endian(const unsigned char* bytes) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) word = static_cast<Word>(word << 8) | bytes[i];
  return word;
}

template <class Words>
std::string write_big_endian(const Words& words, std::size_t size) {
  std::string bytes(words.size() * sizeof(words[0]), '\0');
  char* place = bytes.data();
  for (auto word : words)
    for (std::size_t i = sizeof(word); i-- > 0;) *place++ = static_cast<char>(word >> (8 * i));
  bytes.resize(size);
  return bytes;
}

}  // namespace strider::lang
