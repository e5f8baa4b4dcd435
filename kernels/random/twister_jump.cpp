// Jumps the Mersenne twister 2^128 steps ahead: the jump is a polynomial in the step, applied by
// Horner's rule (Haramoto, Matsumoto, Nishimura, Panneton and L'Ecuyer 2008).
#include <vector>

#include "kernels/random/engines.h"

namespace strider::nd::random {
namespace {

constexpr int kDegree = 19937;

// A polynomial over GF(2), lowest coefficient first.
class Polynomial {
 public:
  explicit Polynomial(int bits) : words_(static_cast<std::size_t>(bits) / 64 + 1) {}
  bool get(int i) const { return words_[word(i)] >> (i & 63) & 1u; }
  void set(int i) { words_[word(i)] |= std::uint64_t{1} << (i & 63); }

  // Adds `other` times x^shift.
  void add_shifted(const Polynomial& other, int shift) {
    std::size_t offset = word(shift);
    int bits = shift & 63;
    for (std::size_t i = 0; i < other.words_.size(); ++i) {
      if (i + offset < words_.size()) words_[i + offset] ^= other.words_[i] << bits;
      if (bits != 0 && i + offset + 1 < words_.size())
        words_[i + offset + 1] ^= other.words_[i] >> (64 - bits);
    }
  }

  // The parity of the coefficients that two polynomials share.
  bool dot(const Polynomial& other) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) sum ^= words_[i] & other.words_[i];
    return __builtin_parityll(sum);
  }

  void shift_up_once() {
    for (std::size_t i = words_.size() - 1; i > 0; --i)
      words_[i] = words_[i] << 1 | words_[i - 1] >> 63;
    words_[0] <<= 1;
  }

 private:
  static std::size_t word(int i) { return static_cast<std::size_t>(i) >> 6; }
  std::vector<std::uint64_t> words_;
};

// The shortest recurrence of the twister's low bits, by Berlekamp and Massey, as the polynomial
// that the step satisfies.
Polynomial step_polynomial() {
  Mt19937 engine;
  engine.seed(5489u);
  Polynomial current(kDegree + 1), previous(kDegree + 1), recent(kDegree + 1);
  current.set(0);
  previous.set(0);
  int length = 0, since = 1;
  for (int n = 0; n < 2 * kDegree; ++n) {
    recent.shift_up_once();
    if (engine.next_uint32() & 1u) recent.set(0);
    if (!current.dot(recent)) {
      ++since;
      continue;
    }
    Polynomial before = current;
    current.add_shifted(previous, since);
    if (2 * length <= n) {
      length = n + 1 - length;
      previous = before;
      since = 0;
    }
    ++since;
  }
  Polynomial reversed(kDegree + 1);
  for (int i = 0; i <= kDegree; ++i)
    if (current.get(i)) reversed.set(kDegree - i);
  return reversed;
}

Polynomial square_modulo(const Polynomial& value, const Polynomial& modulus) {
  Polynomial square(2 * kDegree);
  for (int i = 0; i < kDegree; ++i)
    if (value.get(i)) square.set(2 * i);
  for (int i = 2 * kDegree - 2; i >= kDegree; --i)
    if (square.get(i)) square.add_shifted(modulus, i - kDegree);
  Polynomial result(kDegree + 1);
  for (int i = 0; i < kDegree; ++i)
    if (square.get(i)) result.set(i);
  return result;
}

Polynomial jump_polynomial() {
  Polynomial modulus = step_polynomial();
  Polynomial power(kDegree + 1);
  power.set(1);
  for (int i = 0; i < 128; ++i) power = square_modulo(power, modulus);
  return power;
}

// One word of the recurrence, in place.
void step(Mt19937& engine) {
  constexpr std::size_t kLength = Mt19937::kLength;
  auto at = static_cast<std::size_t>(engine.position);
  std::uint32_t next = engine.key[(at + 1) % kLength];
  std::uint32_t joined = (engine.key[at] & 0x80000000u) | (next & 0x7fffffffu);
  std::uint32_t twist = (next & 1u) ? 0x9908b0dfu : 0u;
  engine.key[at] = engine.key[(at + 397) % kLength] ^ joined >> 1 ^ twist;
  engine.position = static_cast<int>((at + 1) % kLength);
}

void add(Mt19937& sum, const Mt19937& other) {
  for (int i = 0; i < Mt19937::kLength; ++i)
    sum.key[static_cast<std::size_t>((sum.position + i) % Mt19937::kLength)] ^=
        other.key[static_cast<std::size_t>((other.position + i) % Mt19937::kLength)];
}

}  // namespace

void Mt19937::jump() {
  static const Polynomial polynomial = jump_polynomial();
  if (position >= kLength) position = 0;
  int i = kDegree - 1;
  while (!polynomial.get(i)) --i;
  Mt19937 result = *this;
  for (step(result), --i; i > 0; --i) {
    if (polynomial.get(i)) add(result, *this);
    step(result);
  }
  if (polynomial.get(0)) add(result, *this);
  *this = result;
}

}  // namespace strider::nd::random
