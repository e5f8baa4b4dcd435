// SeedSequence: O'Neill's seed_seq_fe hash over a pool of 32-bit words, as NumPy parametrises it.
#include <strider/nd/error.h>
#include <strider/nd/random.h>

#include <algorithm>
#include <random>

namespace strider::nd::random {
namespace {

constexpr std::uint32_t kInitA = 0x43b0d7e5u;
constexpr std::uint32_t kMultA = 0x931e8875u;
constexpr std::uint32_t kInitB = 0x8b51f9ddu;
constexpr std::uint32_t kMultB = 0x58f38dedu;
constexpr std::uint32_t kMixLeft = 0xca01f9ddu;
constexpr std::uint32_t kMixRight = 0x4973f715u;
constexpr int kShift = 16;

// Hashes words one after another; every word meets a new multiplier.
class Hasher {
 public:
  Hasher(std::uint32_t initial, std::uint32_t multiplier)
      : constant_(initial), multiplier_(multiplier) {}
  std::uint32_t operator()(std::uint32_t word) {
    word ^= constant_;
    constant_ *= multiplier_;
    word *= constant_;
    return word ^ (word >> kShift);
  }

 private:
  std::uint32_t constant_;
  std::uint32_t multiplier_;
};

std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
  std::uint32_t result = kMixLeft * x - kMixRight * y;
  return result ^ (result >> kShift);
}

void fill_pool(std::vector<std::uint32_t>& pool, const std::vector<std::uint32_t>& words) {
  Hasher hash(kInitA, kMultA);
  for (std::size_t i = 0; i < pool.size(); ++i) pool[i] = hash(i < words.size() ? words[i] : 0u);
  for (std::size_t from = 0; from < pool.size(); ++from)
    for (std::size_t to = 0; to < pool.size(); ++to)
      if (from != to) pool[to] = mix(pool[to], hash(pool[from]));
  for (std::size_t from = pool.size(); from < words.size(); ++from)
    for (std::uint32_t& word : pool) word = mix(word, hash(words[from]));
}

}  // namespace

SeedSequence::SeedSequence(std::vector<std::uint32_t> entropy, std::vector<std::uint32_t> spawn_key,
                           int pool_size, std::uint32_t children_spawned)
    : entropy_(std::move(entropy)),
      spawn_key_(std::move(spawn_key)),
      children_spawned_(children_spawned) {
  if (pool_size < 4)
    throw Error(ErrorKind::kValue, "The size of the entropy pool should be at least 4, got " +
                                       std::to_string(pool_size));
  pool_.resize(static_cast<std::size_t>(pool_size));
  std::vector<std::uint32_t> words = entropy_;
  // Zeros keep short entropy with a spawn key apart from longer entropy without one.
  if (!spawn_key_.empty() && words.size() < pool_.size()) words.resize(pool_.size());
  words.insert(words.end(), spawn_key_.begin(), spawn_key_.end());
  fill_pool(pool_, words);
}

std::vector<std::uint32_t> SeedSequence::system_entropy() {
  std::random_device device;
  return {device(), device(), device(), device()};
}

std::vector<std::uint32_t> SeedSequence::generate_state32(std::size_t words) const {
  Hasher hash(kInitB, kMultB);
  std::vector<std::uint32_t> state(words);
  for (std::size_t i = 0; i < words; ++i) state[i] = hash(pool_[i % pool_.size()]);
  return state;
}

std::vector<std::uint64_t> SeedSequence::generate_state64(std::size_t words) const {
  std::vector<std::uint32_t> halves = generate_state32(2 * words);
  std::vector<std::uint64_t> state(words);
  for (std::size_t i = 0; i < words; ++i)
    state[i] = halves[2 * i] | static_cast<std::uint64_t>(halves[2 * i + 1]) << 32;
  return state;
}

std::vector<SeedSequence> SeedSequence::spawn(std::uint32_t children) {
  std::vector<SeedSequence> result;
  for (std::uint32_t i = 0; i < children; ++i) {
    std::vector<std::uint32_t> key = spawn_key_;
    key.push_back(children_spawned_ + i);
    result.emplace_back(entropy_, std::move(key), static_cast<int>(pool_.size()));
  }
  children_spawned_ += children;
  return result;
}

std::vector<std::uint32_t> seed_words(std::uint64_t value) {
  std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(value)};
  if (value >> 32) words.push_back(static_cast<std::uint32_t>(value >> 32));
  return words;
}

}  // namespace strider::nd::random
