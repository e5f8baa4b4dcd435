// The module _random: the Mersenne Twister behind random.Random.
#include <strider/nd/random.h>

#include <algorithm>
#include <bit>
#include <climits>
#include <cstring>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/numbers/math_support.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/types/numbers/integer_limbs.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

namespace random = nd::random;
constexpr std::size_t kStateWords = 625;  // the key and the position in it

class Twister : public Object {
 public:
  explicit Twister(Type* type)
      : Object(Layout::kOther, type),
        bits(random::BitGenerator::legacy_mt19937(std::uint32_t{0})) {}
  std::unique_ptr<random::BitGenerator> bits;
};

random::BitGenerator& bits_of(const Parameters& p) { return *p[0].as<Twister>()->bits; }

// Starts the stream from the 32-bit words of abs(value).
Value random_seed(const Parameters& p) {
  Value number = is_integer(p[1]) ? exact_int(p[1]) : Value::integer(hash(p[1]));
  std::string bytes = bytes_of_magnitude(to_integer(number));
  std::vector<std::uint32_t> words(std::max<std::size_t>((bytes.size() + 3) / 4, 1));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  p[0].as<Twister>()->bits = random::BitGenerator::legacy_mt19937(words);
  return Value::none();
}

Value random_random(const Parameters& p) { return Value::real(bits_of(p).next_double()); }

// An integer of that many bits, which come from whole words, the first one lowest.
Integer draw_bits(random::BitGenerator& bits, std::int64_t count) {
  std::vector<std::uint32_t> words;
  for (std::int64_t place = 0; place < count; place += 32) {
    words.push_back(bits.next_uint32());
    if (count - place < 32) words.back() >>= 32 - (count - place);
  }
  return integer_of_bytes({reinterpret_cast<const char*>(words.data()), words.size() * 4});
}

Value random_getrandbits(const Parameters& p) {
  std::int64_t count = to_int64(p[1]);
  if (count < 0) raise(errors::ValueError, "number of bits must be non-negative");
  if (count > INT_MAX) raise(errors::OverflowError, "Python int too large to convert to C int");
  if (count == 0) return Value::integer(0);
  random::BitGenerator& bits = bits_of(p);
  if (count <= 32) return Value::integer(bits.next_uint32() >> (32 - count));
  if (count <= 64) {
    std::uint64_t low = bits.next_uint32(), high = bits.next_uint32() >> (64 - count);
    return from_uint64(high << 32 | low);
  }
  return from_integer(draw_bits(bits, count));
}

// _randbelow(n): draws until a number of n's bits is below n; 0 where n is 0.
Value random_below(const Parameters& p) {
  Value limit = exact_int(p[1]);
  random::BitGenerator& bits = bits_of(p);
  if (!limit.is_int() || limit.as_int() >> 32) {
    Integer bound = to_integer(limit), drawn;
    if (bound <= 0) raise(errors::ValueError, "a limit must not be negative");
    auto count = static_cast<std::int64_t>(msb(bound)) + 1;
    do drawn = draw_bits(bits, count);
    while (drawn >= bound);
    return from_integer(std::move(drawn));
  }
  auto bound = static_cast<std::uint32_t>(limit.as_int());
  if (bound == 0) return Value::integer(0);
  int unused = std::countl_zero(bound);
  std::uint32_t drawn;
  do drawn = bits.next_uint32() >> unused;
  while (drawn >= bound);
  return Value::integer(drawn);
}

Value random_getstate(const Parameters& p) {
  Values words;
  for (std::uint64_t word : bits_of(p).state().words)
    words.push_back(Value::integer(static_cast<std::int64_t>(word)));
  return make_tuple(std::move(words));
}

Value random_setstate(const Parameters& p) {
  if (!is_tuple(p[1])) raise(errors::TypeError, "state vector must be a tuple");
  const Tuple& words = *p[1].as<Tuple>();
  if (words.size() != kStateWords) raise(errors::ValueError, "state vector is the wrong size");
  random::BitGeneratorState state = bits_of(p).state();
  for (std::size_t i = 0; i < kStateWords; ++i)
    state.words[i] = static_cast<std::uint32_t>(to_int64(words[i]));
  if (state.words.back() > 624) raise(errors::ValueError, "invalid state");
  bits_of(p).set_state(state);
  return Value::none();
}

const NativeRow kMethods[] = {
    {"seed(self, number=0, /)", random_seed, "Starts the stream from a number."},
    {"random(self, /)", random_random, "The next float in [0, 1)."},
    {"getrandbits(self, k, /)", random_getrandbits, "An integer of k random bits."},
    {"_randbelow(self, n, /)", random_below, "An integer in [0, n); 0 when n is 0."},
    {"getstate(self, /)", random_getstate, "The state as a tuple of integers."},
    {"setstate(self, state, /)", random_setstate, "Goes back to a state."},
};

Type& twister_type() {
  static Type& type = *[] {
    Type& made = make_module_type("Random", "_random");
    made.set(Type::kSubclassable);
    made.add(kMethods);
    made.slots.construct = [](Type* cls, const Arguments&) {
      return Value(make_instance<Twister>(cls));
    };
    made.slots.initialize = [](const Value&, const Arguments&) {};
    return &made;
  }();
  return type;
}

const ConstantRow kConstants[] = {{"Random", [] { return Value(&twister_type()); }}};

}  // namespace

const NativeModule kRandomModule = {"_random", "The Mersenne Twister.", {}, kConstants};

}  // namespace strider::lang
