// SipHash-1-3 (Aumasson and Bernstein) and the representation of texts that CPython hashes.
// Knows no objects.
#include "interpreter/types/text/hashing.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "interpreter/types/text/str.h"

namespace strider::lang {

namespace {

struct Key {
  std::uint64_t first = 0, second = 0;
};

// The key that CPython makes of a seed: bytes of a linear congruential generator.
Key key_of_seed(std::uint32_t seed) {
  Key key;
  if (seed == 0) return key;
  unsigned char bytes[16];
  for (unsigned char& byte : bytes) {
    seed = seed * 214013u + 2531011u;
    byte = static_cast<unsigned char>(seed >> 16);
  }
  std::memcpy(&key.first, bytes, 8);
  std::memcpy(&key.second, bytes + 8, 8);
  return key;
}

Key key_of_environment() {
  const char* text = std::getenv("PYTHONHASHSEED");
  if (!text) return {};
  std::uint32_t seed = 0;
  const char* end = text + std::strlen(text);
  auto [stopped, error] = std::from_chars(text, end, seed);
  return error == std::errc() && stopped == end ? key_of_seed(seed) : Key{};
}

class SipHash {
 public:
  explicit SipHash(const Key& key)
      : a_(key.first ^ 0x736f6d6570736575u),
        b_(key.second ^ 0x646f72616e646f6du),
        c_(key.first ^ 0x6c7967656e657261u),
        d_(key.second ^ 0x7465646279746573u) {}

  void take(std::uint64_t word) {
    d_ ^= word;
    round();
    a_ ^= word;
  }

  std::uint64_t finish() {
    c_ ^= 0xff;
    for (int i = 0; i < 3; ++i) round();
    return a_ ^ b_ ^ c_ ^ d_;
  }

 private:
  void round() {
    a_ += b_;
    c_ += d_;
    b_ = std::rotl(b_, 13) ^ a_;
    d_ = std::rotl(d_, 16) ^ c_;
    a_ = std::rotl(a_, 32);
    c_ += b_;
    a_ += d_;
    b_ = std::rotl(b_, 17) ^ c_;
    d_ = std::rotl(d_, 21) ^ a_;
    c_ = std::rotl(c_, 32);
  }

  std::uint64_t a_, b_, c_, d_;
};

template <typename Unit>
std::int64_t hash_units(std::string_view utf8) {
  std::vector<Unit> units;
  units.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();)
    units.push_back(static_cast<Unit>(decode_code_point(utf8, at)));
  return hash_bytes({reinterpret_cast<const char*>(units.data()), units.size() * sizeof(Unit)});
}

}  // namespace

// With the key of PYTHONHASHSEED, which is zeros where no number is given: sets of texts have one
// order in every run.
std::int64_t hash_bytes(std::string_view bytes) {
  if (bytes.empty()) return 0;
  static const Key key = key_of_environment();
  SipHash hash(key);
  std::uint64_t tail = bytes.size() << 56;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    hash.take(word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes.data(), bytes.size());
  hash.take(tail | rest);
  auto result = static_cast<std::int64_t>(hash.finish());
  return result == -1 ? -2 : result;
}

std::int64_t hash_text(std::string_view utf8) {
  // The first byte of a code point tells how many bits it has.
  unsigned char widest = 0;
  for (char byte : utf8) widest = std::max(widest, static_cast<unsigned char>(byte));
  if (widest < 0x80) return hash_bytes(utf8);
  if (widest <= 0xC3) return hash_units<unsigned char>(utf8);
  return widest < 0xF0 ? hash_units<char16_t>(utf8) : hash_units<char32_t>(utf8);
}

}  // namespace strider::lang
