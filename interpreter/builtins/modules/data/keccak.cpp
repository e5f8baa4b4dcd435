// SHA-3 and SHAKE (FIPS 202).
#include <array>
#include <bit>

#include "interpreter/builtins/modules/data/digests.h"

namespace strider::lang {
namespace {

using State = std::array<std::uint64_t, 25>;

void mix_columns(State& state) {
  std::array<std::uint64_t, 5> parity;
  for (std::size_t x = 0; x < 5; ++x)
    parity[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
  for (std::size_t i = 0; i < 25; ++i)
    state[i] ^= parity[(i + 4) % 5] ^ std::rotl(parity[(i + 1) % 5], 1);
}

// Rotates every word and moves it to another place.
void move_words(State& state) {
  std::size_t x = 1, y = 0;
  std::uint64_t carried = state[1];
  for (int step = 1; step <= 24; ++step) {
    std::size_t next = (2 * x + 3 * y) % 5;
    x = y, y = next;
    std::uint64_t rotated = std::rotl(carried, step * (step + 1) / 2 % 64);
    carried = state[x + 5 * y];
    state[x + 5 * y] = rotated;
  }
}

void mix_rows(State& state) {
  for (std::size_t row = 0; row < 25; row += 5) {
    const std::uint64_t first = state[row], second = state[row + 1];
    for (std::size_t x = 0; x < 3; ++x) state[row + x] ^= ~state[row + x + 1] & state[row + x + 2];
    state[row + 3] ^= ~state[row + 4] & first;
    state[row + 4] ^= ~first & second;
  }
}

void permute(State& state) {
  unsigned feedback = 1;  // a shift register, whose bits are those of the rounds' constants
  for (int round = 0; round < 24; ++round) {
    mix_columns(state);
    move_words(state);
    mix_rows(state);
    for (int j = 0; j < 7; ++j) {
      if (feedback & 1) state[0] ^= std::uint64_t{1} << ((1 << j) - 1);
      feedback = feedback << 1 ^ (feedback & 0x80 ? 0x171 : 0);
    }
  }
}

class Keccak final : public Digest {
 public:
  // `size`: bytes of the result, 0 if any number may be wanted; `end`: the bits behind the data.
  Keccak(std::size_t block, std::size_t size, unsigned char end)
      : block_(block), size_(size), end_(end) {}
  void update(std::string_view bytes) override {
    for (char byte : bytes) {
      absorb(static_cast<unsigned char>(byte), at_);
      if (++at_ == block_) permute(state_), at_ = 0;
    }
  }
  std::string finish() const override { return squeeze(size_); }
  std::string squeeze(std::size_t size) const override {
    Keccak last = *this;
    last.absorb(end_, at_);
    last.absorb(0x80, block_ - 1);
    permute(last.state_);
    std::string result;
    for (std::size_t i = 0; result.size() < size; ++i) {
      if (i == block_) permute(last.state_), i = 0;
      result += static_cast<char>(last.state_[i / 8] >> (8 * (i % 8)));
    }
    return result;
  }
  std::unique_ptr<Digest> clone() const override { return std::make_unique<Keccak>(*this); }
  std::size_t block_size() const override { return block_; }

 private:
  void absorb(unsigned char byte, std::size_t at) {
    state_[at / 8] ^= std::uint64_t{byte} << (8 * (at % 8));
  }
  State state_{};
  std::size_t block_, size_, at_ = 0;
  unsigned char end_;
};

}  // namespace

std::unique_ptr<Digest> make_sha3(std::string_view name) {
  for (std::size_t bits : {224, 256, 384, 512})
    if (name == "sha3_" + std::to_string(bits))
      return std::make_unique<Keccak>(200 - bits / 4, bits / 8, 0x06);
  if (name == "shake_128") return std::make_unique<Keccak>(168, 0, 0x1f);
  if (name == "shake_256") return std::make_unique<Keccak>(136, 0, 0x1f);
  return nullptr;
}

}  // namespace strider::lang
