// Division multiplies by reciprocals of the leading limb (Möller and Granlund, "Improved division
// by invariant integers", 2011), in Knuth's algorithm D for longer divisors; digits are taken off
// and put on nineteen at a time.
#include "interpreter/types/numbers/integer_limbs.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace strider::lang {
namespace {

using Limb = std::uint64_t;
__extension__ using Twice = unsigned __int128;
static_assert(sizeof(boost::multiprecision::limb_type) == sizeof(Limb));

constexpr Limb kChunk = 10'000'000'000'000'000'000u;  // the largest power of ten in a limb
constexpr std::size_t kChunkDigits = 19;

Limb high(Twice value) { return static_cast<Limb>(value >> 64); }
Limb low(Twice value) { return static_cast<Limb>(value); }
Twice joined(Limb upper, Limb lower) { return static_cast<Twice>(upper) << 64 | lower; }

// Divides two limbs by one whose highest bit is set, while the quotient fits a limb.
class Divisor {
 public:
  explicit Divisor(Limb divisor)
      : divisor_(divisor), reciprocal_(low(joined(~divisor, ~Limb{0}) / divisor)) {}
  Limb divide(Limb upper, Limb lower, Limb& remainder) const {
    Twice estimate = static_cast<Twice>(reciprocal_) * upper + joined(upper, lower);
    Limb quotient = high(estimate) + 1;
    remainder = lower - quotient * divisor_;
    if (remainder > low(estimate)) {
      --quotient;
      remainder += divisor_;
    }
    if (remainder >= divisor_) [[unlikely]] {
      ++quotient;
      remainder -= divisor_;
    }
    return quotient;
  }

 private:
  Limb divisor_, reciprocal_;
};

// Divides limbs in place by one limb; returns the remainder.
Limb divide_by_limb(Limb* limbs, std::size_t size, Limb divisor) {
  int shift = std::countl_zero(divisor);
  Divisor by(divisor << shift);
  if (shift == 0) {
    Limb remainder = 0;
    for (std::size_t i = size; i-- > 0;) limbs[i] = by.divide(remainder, limbs[i], remainder);
    return remainder;
  }
  Limb remainder = size ? limbs[size - 1] >> (64 - shift) : 0;
  for (std::size_t i = size; i-- > 0;) {
    Limb next = i > 0 ? limbs[i - 1] >> (64 - shift) : 0;
    limbs[i] = by.divide(remainder, limbs[i] << shift | next, remainder);
  }
  return remainder >> shift;
}

// result = limbs << shift (0..63), at least one; returns what leaves at the top.
Limb shift_left(const Limb* limbs, std::size_t size, int shift, Limb* __restrict result) {
  if (shift == 0) {
    std::copy_n(limbs, size, result);
    return 0;
  }
  result[0] = limbs[0] << shift;
  for (std::size_t i = 1; i < size; ++i)
    result[i] = limbs[i] << shift | limbs[i - 1] >> (64 - shift);
  return limbs[size - 1] >> (64 - shift);
}

void shift_right(Limb* limbs, std::size_t size, int shift) {
  if (shift == 0) return;
  for (std::size_t i = 0; i + 1 < size; ++i)
    limbs[i] = limbs[i] >> shift | limbs[i + 1] << (64 - shift);
  limbs[size - 1] >>= shift;
}

// Takes factor * divisor from the limbs; what is missing at the top is returned.
Limb subtract_product(Limb* limbs, const Limb* divisor, std::size_t size, Limb factor) {
  Limb borrow = 0;
  for (std::size_t i = 0; i < size; ++i) {
    Twice product = static_cast<Twice>(factor) * divisor[i] + borrow;
    borrow = high(product) + (limbs[i] < low(product));
    limbs[i] -= low(product);
  }
  return borrow;
}

Limb add_back(Limb* limbs, const Limb* divisor, std::size_t size) {
  Limb carry = 0;
  for (std::size_t i = 0; i < size; ++i) {
    Twice sum = static_cast<Twice>(limbs[i]) + divisor[i] + carry;
    limbs[i] = low(sum);
    carry = high(sum);
  }
  return carry;
}

// One limb of a quotient: divides the top of `limbs` (size + 1 of them) and leaves the rest.
Limb divide_step(Limb* limbs, const Limb* divisor, std::size_t size, const Divisor& by) {
  Limb top = divisor[size - 1], second = divisor[size - 2];
  Limb estimate = ~Limb{0}, rest;
  bool over = false;  // the rest is beyond a limb: the estimate is good enough
  if (limbs[size] >= top) {
    rest = limbs[size - 1] + top;
    over = rest < top;
  } else {
    estimate = by.divide(limbs[size], limbs[size - 1], rest);
  }
  while (!over && static_cast<Twice>(estimate) * second > joined(rest, limbs[size - 2])) {
    --estimate;
    rest += top;
    over = rest < top;
  }
  Limb borrow = subtract_product(limbs, divisor, size, estimate);
  bool too_much = limbs[size] < borrow;
  limbs[size] -= borrow;
  if (!too_much) return estimate;
  limbs[size] += add_back(limbs, divisor, size);
  return estimate - 1;
}

// Limbs of an Integer that are about to be written.
Limb* make_room(Integer& integer, std::size_t size) {
  auto& backend = integer.backend();
  auto count = static_cast<unsigned>(size);
  backend.resize(count, count);
  backend.sign(false);
  return reinterpret_cast<Limb*>(backend.limbs());
}

const Limb* limbs_of(const Integer& integer) {
  return reinterpret_cast<const Limb*>(integer.backend().limbs());
}

// left - right of limbs, where left is not less.
void subtract_limbs(const Limb* left, std::size_t left_size, const Limb* right, std::size_t size,
                    Limb* result) {
  Limb borrow = 0;
  std::size_t i = 0;
  for (; i < size; ++i) {
    Limb limb = left[i] - right[i], missing = left[i] < right[i];
    result[i] = limb - borrow;
    borrow = missing | (limb < borrow);
  }
  for (; borrow && i < left_size; ++i) {
    borrow = left[i] == 0;
    result[i] = left[i] - 1;
  }
  std::copy(left + i, left + left_size, result + i);
}

void divide_long(const Integer& left, const Integer& right, Integer& quotient, Integer& remainder) {
  std::size_t left_size = left.backend().size(), size = right.backend().size();
  int shift = std::countl_zero(limbs_of(right)[size - 1]);
  constexpr std::size_t kOnStack = 64;
  Limb place[kOnStack];
  std::vector<Limb> block(size > kOnStack ? size : 0);
  Limb* divisor = block.empty() ? place : block.data();
  shift_left(limbs_of(right), size, shift, divisor);
  Limb* rest = make_room(remainder, left_size + 1);
  rest[left_size] = shift_left(limbs_of(left), left_size, shift, rest);
  std::size_t steps = left_size - size + 1;
  Limb* result = make_room(quotient, steps);
  Divisor by(divisor[size - 1]);
  for (std::size_t i = steps; i-- > 0;) result[i] = divide_step(rest + i, divisor, size, by);
  shift_right(rest, size, shift);
  remainder.backend().resize(static_cast<unsigned>(size), static_cast<unsigned>(size));
}

}  // namespace

// Limbs at the top that both have are left out: what is near each other often differs at the end.
Integer subtract_integers(const Integer& left, const Integer& right) {
  if ((left.sign() < 0) != (right.sign() < 0)) return left - right;
  const Limb *a = limbs_of(left), *b = limbs_of(right);
  std::size_t a_size = left.backend().size(), b_size = right.backend().size();
  while (a_size == b_size && a_size > 0 && a[a_size - 1] == b[b_size - 1]) --a_size, --b_size;
  Integer result;
  if (a_size == 0) return result;
  bool less = a_size != b_size ? a_size < b_size : a[a_size - 1] < b[b_size - 1];
  Limb* limbs = make_room(result, std::max(a_size, b_size));
  if (less)
    subtract_limbs(b, b_size, a, a_size, limbs);
  else
    subtract_limbs(a, a_size, b, b_size, limbs);
  result.backend().normalize();
  if (less != (left.sign() < 0)) result.backend().negate();
  return result;
}

Integer shifted_left(const Integer& integer, std::size_t bits) {
  std::size_t size = integer.backend().size(), whole = bits / 64;
  int shift = static_cast<int>(bits % 64);
  Integer result;
  Limb* limbs = make_room(result, size + whole + 1);
  std::fill_n(limbs, whole, 0);
  limbs[whole + size] = shift_left(limbs_of(integer), size, shift, limbs + whole);
  result.backend().normalize();
  if (integer.sign() < 0) result.backend().negate();
  return result;
}

void divide_magnitudes(const Integer& left, const Integer& right, Integer& quotient,
                       Integer& remainder) {
  std::size_t left_size = left.backend().size(), size = right.backend().size();
  if (left_size < size) {
    quotient = 0;
    remainder = left;
    remainder.backend().sign(false);
    return;
  }
  if (size == 1) {
    Limb* limbs = make_room(quotient, left_size);
    std::copy_n(limbs_of(left), left_size, limbs);
    remainder = divide_by_limb(limbs, left_size, limbs_of(right)[0]);
  } else {
    divide_long(left, right, quotient, remainder);
  }
  quotient.backend().normalize();
  remainder.backend().normalize();
}

std::int64_t bits_from(const Integer& integer, std::size_t first, int count) {
  const Limb* limbs = limbs_of(integer);
  std::size_t size = integer.backend().size(), at = first / 64, shift = first % 64;
  if (at >= size) return 0;
  Limb bits = limbs[at] >> shift;
  if (shift > 0 && at + 1 < size) bits |= limbs[at + 1] << (64 - shift);
  return static_cast<std::int64_t>(bits & ((Limb{1} << count) - 1));
}

void combine(Integer& a, Integer& b, std::int64_t a1, std::int64_t b1, std::int64_t a2,
             std::int64_t b2) {
  __extension__ using Signed = __int128;
  std::size_t size = a.backend().size(), kept = b.backend().size();
  b.backend().resize(static_cast<unsigned>(size), static_cast<unsigned>(size));
  auto* first = reinterpret_cast<Limb*>(a.backend().limbs());
  auto* second = reinterpret_cast<Limb*>(b.backend().limbs());
  std::fill(second + kept, second + size, 0);
  Signed first_carry = 0, second_carry = 0;
  for (std::size_t i = 0; i < size; ++i) {
    auto x = static_cast<Signed>(first[i]), y = static_cast<Signed>(second[i]);
    first_carry += a1 * x + b1 * y;
    second_carry += a2 * x + b2 * y;
    first[i] = static_cast<Limb>(first_carry);
    second[i] = static_cast<Limb>(second_carry);
    first_carry >>= 64;
    second_carry >>= 64;
  }
  a.backend().normalize();
  b.backend().normalize();
}

std::string decimal_digits(const Integer& integer) {
  std::size_t size = integer.backend().size();
  std::vector<Limb> limbs(limbs_of(integer), limbs_of(integer) + size);
  std::vector<Limb> chunks;
  while (size > 0) {
    chunks.push_back(divide_by_limb(limbs.data(), size, kChunk));
    while (size > 0 && limbs[size - 1] == 0) --size;
  }
  std::string text = std::to_string(chunks.empty() ? 0 : chunks.back());
  std::size_t written = text.size();
  text.resize(written + (chunks.empty() ? 0 : chunks.size() - 1) * kChunkDigits);
  for (std::size_t i = chunks.size(); i-- > 1; written += kChunkDigits) {
    Limb chunk = chunks[i - 1];
    for (std::size_t digit = kChunkDigits; digit-- > 0; chunk /= 10)
      text[written + digit] = static_cast<char>('0' + chunk % 10);
  }
  return text;
}

Integer integer_of_digits(std::string_view digits) {
  Integer result;
  std::size_t room = digits.size() / kChunkDigits + 1, size = 0;
  Limb* limbs = make_room(result, room);
  std::size_t head = digits.size() % kChunkDigits;
  for (std::size_t start = 0; start < digits.size();) {
    std::size_t count = start == 0 && head ? head : kChunkDigits;
    Limb carry = 0, scale = 1;
    for (char digit : digits.substr(start, count)) {
      carry = carry * 10 + static_cast<Limb>(digit - '0');
      scale *= 10;
    }
    for (std::size_t i = 0; i < size; ++i) {
      Twice product = static_cast<Twice>(limbs[i]) * scale + carry;
      limbs[i] = low(product);
      carry = high(product);
    }
    if (carry || size == 0) limbs[size++] = carry;
    start += count;
  }
  if (size == 0) limbs[size++] = 0;
  result.backend().resize(static_cast<unsigned>(size), static_cast<unsigned>(size));
  result.backend().normalize();
  return result;
}

static_assert(std::endian::native == std::endian::little);

std::string bytes_of_magnitude(const Integer& integer) {
  std::string bytes(integer.backend().size() * sizeof(Limb), '\0');
  std::memcpy(bytes.data(), limbs_of(integer), bytes.size());
  bytes.resize(bytes.find_last_not_of('\0') + 1);
  return bytes;
}

Integer integer_of_bytes(std::string_view bytes) {
  Integer result;
  std::size_t size = bytes.size() / sizeof(Limb) + 1;
  Limb* limbs = make_room(result, size);
  limbs[size - 1] = 0;
  std::memcpy(limbs, bytes.data(), bytes.size());
  result.backend().normalize();
  return result;
}

std::int64_t count_set_bits(const Integer& integer) {
  const Limb* limbs = limbs_of(integer);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < integer.backend().size(); ++i) count += std::popcount(limbs[i]);
  return count;
}

}  // namespace strider::lang
