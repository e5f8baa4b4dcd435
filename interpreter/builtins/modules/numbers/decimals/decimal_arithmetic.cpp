// Arithmetic of finite decimal numbers in contexts whose limits they keep.
#include <algorithm>
#include <array>

#include "interpreter/builtins/modules/numbers/decimals/decimal.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang::decimals {
namespace {

__extension__ using SignedWide = __int128;
constexpr std::int64_t kSmallDigits = 18;
constexpr std::int64_t kMostShift = 100000;  // digits; the library knows what more are good for

struct Contexts {
  Value current, rounded, inexact;
  Value kept, variables;  // the context that is current among these variables; Empty: not known
  std::size_t rounded_place = 0, inexact_place = 0;  // in dicts of signals
};

Contexts& contexts() {
  static Contexts& all = *new Contexts;
  return all;
}

// Where the attributes of a context stand; contexts are made alike.
class Places {
 public:
  enum Attribute { kPrecision, kLeast, kMost, kClamp, kRounding, kFlags, kTraps, kCount };

  using Found = std::array<const Value*, kCount>;

  // The attributes of an object; null where there is none.
  Found find(Attributes& attributes) {
    Found found{};
    Shape* shape = attributes.shape();
    if (shape && shape != shape_) {
      shape_ = shape;
      for (int i = 0; i < kCount; ++i) index_[i] = shape->find(names()[i]);
    }
    for (int i = 0; i < kCount; ++i)
      if (!shape)
        found[i] = attributes.find(names()[i]);
      else if (index_[i] >= 0)
        found[i] = &attributes.at(index_[i]);
    return found;
  }

 private:
  static const Name* names() {
    static const Name kNames[] = {intern("prec"),  intern("Emin"),     intern("Emax"),
                                  intern("clamp"), intern("rounding"), intern("flags"),
                                  intern("traps")};
    return kNames;
  }
  Shape* shape_ = nullptr;
  int index_[kCount] = {};
};

// What a context says, of the attributes that it has in the language.
struct Context {
  Value object;
  std::int64_t precision, least, most;
  bool clamps;
  Name rounding;
  const Value *flags, *traps;
};

Places& places() {
  static Places all;
  return all;
}

// The context that is current where the program is: in its thread, among its context variables.
Value current_context() {
  Contexts& all = contexts();
  const std::unique_ptr<Threads>& threads = Interpreter::current().threads;
  if (!all.kept.is_empty() && threads && identical(threads->context(), all.variables))
    return all.kept;
  if (all.current.is_empty()) return Value();
  Value found = call(Value(all.current));
  all.variables = own_threads(Interpreter::current()).context();
  all.kept = found;
  return found;
}

// False where the context is none of the library's, or has limits of its own.
bool read_context(Context& context) {
  context.object = current_context();
  Attributes* attributes =
      context.object.is_object() ? context.object.object()->attributes() : nullptr;
  if (!attributes) return false;
  Places::Found found = places().find(*attributes);
  for (int i = 0; i <= Places::kClamp; ++i)
    if (!found[i] || !found[i]->is_int()) return false;
  if (!found[Places::kRounding] || !is_str(*found[Places::kRounding])) return false;
  context.precision = found[Places::kPrecision]->as_int();
  context.least = found[Places::kLeast]->as_int();
  context.most = found[Places::kMost]->as_int();
  context.clamps = found[Places::kClamp]->as_int() != 0;
  context.rounding = intern(found[Places::kRounding]->as<Str>());
  context.flags = found[Places::kFlags];
  context.traps = found[Places::kTraps];
  return true;
}

// In the order of Rounding.
const Name (&names_of_roundings())[8] {
  static const Name kNames[] = {intern("ROUND_DOWN"),      intern("ROUND_HALF_UP"),
                                intern("ROUND_HALF_EVEN"), intern("ROUND_CEILING"),
                                intern("ROUND_FLOOR"),     intern("ROUND_UP"),
                                intern("ROUND_HALF_DOWN"), intern("ROUND_05UP")};
  return kNames;
}

bool is_rounding(Name name) { return std::ranges::count(names_of_roundings(), name) > 0; }

Rounding rounding_of(Name name) {
  std::size_t place = 0;
  while (place + 1 < std::size(names_of_roundings()) && names_of_roundings()[place] != name)
    ++place;
  return static_cast<Rounding>(place);
}

// Whether a dict says something of a signal. Dicts of signals have them in one order, so that the
// place of last time is looked at first.
bool tells(const Value* table, const Value& signal, std::size_t& place, bool wanted) {
  if (!table || !is_dict(*table)) return false;
  const Dict::Entries& entries = table->as<Dict>()->entries();
  auto is_there = [&](std::size_t at) { return identical(entries[at].key, signal); };
  if (place >= entries.size() || !is_there(place)) {
    for (place = 0; place < entries.size() && !is_there(place);) ++place;
    if (place == entries.size()) return false;
  }
  const Value& found = entries[place].value;
  return found.is_bool() && found.as_bool() == wanted;
}

// Whether a signal is set already and not trapped.
bool is_known(const Context& context, const Value& signal, std::size_t& place) {
  return tells(context.flags, signal, place, true) && tells(context.traps, signal, place, false);
}

void note_rounding(const Context& context, bool inexact) {
  static const Name note = intern("_note_rounding");
  Contexts& all = contexts();
  if (is_known(context, all.rounded, all.rounded_place) &&
      (!inexact || is_known(context, all.inexact, all.inexact_place)))
    return;
  call_method(context.object, note, Value::boolean(inexact));
}

// A result in a context. What goes beyond its limits is done by the library.
Value finished(bool negative, const Value& coefficient, std::int64_t exponent,
               const Context& context) {
  static const Name fit = intern("_fitted");
  std::int64_t digits = count_digits(coefficient), adjusted = exponent + digits - 1;
  bool zero = coefficient.is_int() && coefficient.as_int() == 0;
  bool within = adjusted >= context.least && adjusted <= context.most &&
                !(context.clamps && exponent > context.most - context.precision + 1);
  if (within && digits <= context.precision)
    return make<Decimal>(negative, coefficient, exponent, Kind::kFinite);
  Rounded rounded;
  if (!zero && within && adjusted < context.most &&
      round_coefficient(negative, coefficient, exponent, context.precision,
                        context.least - context.precision + 1, rounding_of(context.rounding),
                        rounded)) {
    note_rounding(context, rounded.inexact);
    return make<Decimal>(negative, rounded.coefficient, rounded.exponent, Kind::kFinite);
  }
  Value exact = make<Decimal>(negative, coefficient, exponent, Kind::kFinite);
  return call_method(exact, fit, context.object);
}

bool are_small(const Operand& a, const Operand& b) {
  return a.coefficient.is_int() && b.coefficient.is_int();
}

// high * 10**shift + low, with signs; negative where the sum is.
Value scaled_sum(const Operand& high, const Operand& low, std::int64_t shift, bool& negative) {
  if (are_small(high, low) && shift <= kSmallDigits) {
    SignedWide first = SignedWide{high.coefficient.as_int()} * small_power_of_ten(shift);
    SignedWide second = low.coefficient.as_int();
    SignedWide sum = (high.negative ? -first : first) + (low.negative ? -second : second);
    negative = sum < 0;
    return wide_value(static_cast<Wide>(negative ? -sum : sum));
  }
  Wide wide_high, wide_low;
  if (shift < kWideDigits && read_wide(high.coefficient, wide_high) &&
      read_wide(low.coefficient, wide_low) &&
      !__builtin_mul_overflow(wide_high, wide_power_of_ten(shift), &wide_high)) {
    bool alike = high.negative == low.negative, larger = wide_high >= wide_low;
    Wide sum = alike ? wide_high + wide_low : larger ? wide_high - wide_low : wide_low - wide_high;
    negative = alike || larger ? high.negative : low.negative;
    if (!alike || sum >= wide_high) {
      negative = negative && sum != 0;
      return wide_value(sum);
    }
  }
  Integer first = *IntegerView(high.coefficient), second = *IntegerView(low.coefficient);
  if (shift > 0) first *= power_of_ten(static_cast<std::size_t>(shift));
  if (high.negative) first.backend().negate();
  if (low.negative) second.backend().negate();
  first += second;
  negative = first < 0;
  if (negative) first.backend().negate();
  return from_integer(std::move(first));
}

}  // namespace

void set_contexts(const Value& current, const Value& rounded, const Value& inexact) {
  contexts() = {current, rounded, inexact, Value(), Value()};
}

void forget_context() {
  Contexts& all = contexts();
  Value left = std::exchange(all.kept, Value());
}

Value add(const Operand& left, const Operand& right) {
  static const Name floor = intern("ROUND_FLOOR");
  Context context;
  if (!read_context(context)) return Value();
  const Operand& high = left.exponent >= right.exponent ? left : right;
  const Operand& low = left.exponent >= right.exponent ? right : left;
  std::int64_t shift = high.exponent - low.exponent;
  if (shift > context.precision || shift > kMostShift) return Value();
  bool negative;
  Value sum = scaled_sum(high, low, shift, negative);
  if (sum.is_int() && sum.as_int() == 0) {
    bool both_zero = left.is_zero() && right.is_zero();
    negative =
        left.negative == right.negative && both_zero ? left.negative : context.rounding == floor;
  }
  return finished(negative, sum, low.exponent, context);
}

// A product of more than 128 bits that surely keeps to the limits of the context.
static bool round_product_in(const Context& context, const Operand& left, const Operand& right,
                             Wide first, Wide second, Rounded& rounded) {
  constexpr std::int64_t kMargin = 100;
  std::int64_t exponent = left.exponent + right.exponent;
  bool within = exponent > context.least + kMargin && exponent < context.most - kMargin;
  if (!within || context.clamps ||
      !round_product(left.negative != right.negative, first, second, exponent, context.precision,
                     rounding_of(context.rounding), rounded))
    return false;
  note_rounding(context, rounded.inexact);
  return true;
}

Value multiply(const Operand& left, const Operand& right) {
  Context context;
  if (!read_context(context)) return Value();
  Wide first, second, wide;
  bool narrow = read_wide(left.coefficient, first) && read_wide(right.coefficient, second);
  bool fits = narrow && !__builtin_mul_overflow(first, second, &wide);
  Rounded rounded;
  if (narrow && !fits && round_product_in(context, left, right, first, second, rounded))
    return make<Decimal>(left.negative != right.negative, rounded.coefficient, rounded.exponent,
                         Kind::kFinite);
  Value product =
      fits
          ? wide_value(wide)
          : from_integer(Integer(*IntegerView(left.coefficient) * *IntegerView(right.coefficient)));
  return finished(left.negative != right.negative, product, left.exponent + right.exponent,
                  context);
}

Value divide(const Operand& left, const Operand& right) {
  Context context;
  if (left.is_zero() || right.is_zero() || !read_context(context) || context.precision > kMostShift)
    return Value();
  std::int64_t ideal = left.exponent - right.exponent;
  Quotient found = divide_coefficients(left.coefficient, right.coefficient, context.precision);
  std::int64_t exponent = ideal - found.shift;
  Value quotient = found.coefficient;
  if (found.rest) {
    // A rest is a last digit that no rounding takes for a half or nothing.
    Wide wide;
    if (!read_wide(quotient, wide)) {
      Integer number = to_integer(quotient);
      if (number % 5 == 0) quotient = from_integer(Integer(number + 1));
    } else if (wide % 5 == 0) {
      quotient = wide_value(wide + 1);
    }
  } else {
    std::int64_t stripped;
    quotient = strip_zeros(quotient, ideal - exponent, stripped);
    exponent += stripped;
  }
  return finished(left.negative != right.negative, quotient, exponent, context);
}

// The whole quotient and the rest of two numbers, above 0 the second; false where that is not
// common.
bool divide_whole(const Operand& left, const Operand& right, const Context& context,
                  Value& quotient, Value& rest) {
  std::int64_t exponent = std::min(left.exponent, right.exponent);
  std::int64_t left_shift = left.exponent - exponent, right_shift = right.exponent - exponent;
  Wide top, bottom;
  if (left_shift >= kWideDigits || right_shift >= kWideDigits ||
      !read_wide(left.coefficient, top) || !read_wide(right.coefficient, bottom) ||
      __builtin_mul_overflow(top, wide_power_of_ten(left_shift), &top) ||
      __builtin_mul_overflow(bottom, wide_power_of_ten(right_shift), &bottom))
    return false;
  quotient = wide_value(top / bottom);
  rest = wide_value(top % bottom);
  return count_digits(quotient) <= context.precision;
}

Value floor_divide(const Operand& left, const Operand& right) {
  Context context;
  Value quotient, rest;
  if (right.is_zero() || !read_context(context) ||
      !divide_whole(left, right, context, quotient, rest))
    return Value();
  return make<Decimal>(left.negative != right.negative, quotient, 0, Kind::kFinite);
}

Value remainder(const Operand& left, const Operand& right) {
  Context context;
  Value quotient, rest;
  if (right.is_zero() || !read_context(context) ||
      !divide_whole(left, right, context, quotient, rest))
    return Value();
  return finished(left.negative, rest, std::min(left.exponent, right.exponent), context);
}

Value raise_to(const Operand& base, const Operand& power) {
  constexpr std::int64_t kMostDigits = 4096;
  Context context;
  if (base.is_zero() || power.negative || power.exponent != 0 || !power.coefficient.is_int() ||
      !read_context(context))
    return Value();
  std::int64_t exponent = power.coefficient.as_int(), digits = count_digits(base.coefficient);
  bool is_one = base.coefficient.is_int() && base.coefficient.as_int() == 1;
  if (exponent < 1 || exponent > kMostDigits || digits * exponent > kMostDigits || is_one)
    return Value();
  bool wraps = std::abs(base.exponent) > (std::int64_t{1} << 40);
  if (wraps) return Value();
  Integer raised = pow(*IntegerView(base.coefficient), static_cast<unsigned>(exponent));
  return finished(base.negative && exponent % 2 == 1, from_integer(std::move(raised)),
                  base.exponent * exponent, context);
}

Value quantized(const Operand& number, std::int64_t exponent, const Value& rounding) {
  Context context;
  if (number.is_zero() || !read_context(context)) return Value();
  if (!rounding.is_none() && !is_str(rounding)) return Value();
  Name name = rounding.is_none() ? context.rounding : intern(rounding.as<Str>());
  std::int64_t adjusted = number.exponent + count_digits(number.coefficient) - 1;
  bool common = is_rounding(name) && exponent >= context.least && exponent <= context.most &&
                adjusted >= context.least && adjusted < context.most &&
                adjusted - exponent + 1 < std::min(context.precision, kMostShift) &&
                !context.clamps;
  if (!common) return Value();
  if (exponent <= number.exponent) {
    std::int64_t shift = number.exponent - exponent;
    Value scaled = from_integer(
        Integer(*IntegerView(number.coefficient) * power_of_ten(static_cast<std::size_t>(shift))));
    return make<Decimal>(number.negative, scaled, exponent, Kind::kFinite);
  }
  Rounded rounded;
  constexpr std::int64_t kAnyPrecision = std::int64_t{1} << 60;
  round_coefficient(number.negative, number.coefficient, number.exponent, kAnyPrecision, exponent,
                    rounding_of(name), rounded);
  std::int64_t reached = exponent + count_digits(rounded.coefficient) - 1;
  if (reached < context.least) return Value();
  note_rounding(context, rounded.inexact);
  return make<Decimal>(number.negative, rounded.coefficient, exponent, Kind::kFinite);
}

std::optional<Operand> with_places(const Operand& number, std::int64_t places) {
  Context context;
  if (!read_context(context)) return std::nullopt;
  std::int64_t exponent = -places;
  if (exponent < number.exponent) {
    auto shift = static_cast<std::size_t>(number.exponent - exponent);
    Integer scaled = *IntegerView(number.coefficient) * power_of_ten(shift);
    return Operand{number.negative, from_integer(std::move(scaled)), exponent};
  }
  if (exponent == number.exponent || number.is_zero())
    return Operand{number.negative, number.coefficient, exponent};
  Rounded rounded;
  constexpr std::int64_t kAnyPrecision = std::int64_t{1} << 60;
  round_coefficient(number.negative, number.coefficient, number.exponent, kAnyPrecision, exponent,
                    rounding_of(context.rounding), rounded);
  return Operand{number.negative, rounded.coefficient, exponent};
}

Value rounded_to_context(const Operand& number) {
  Context context;
  if (!read_context(context)) return Value();
  return finished(number.negative, number.coefficient, number.exponent, context);
}

int order(const Operand& left, const Operand& right) {
  int left_sign = left.is_zero() ? 0 : left.negative ? -1 : 1;
  int right_sign = right.is_zero() ? 0 : right.negative ? -1 : 1;
  if (left_sign != right_sign) return left_sign < right_sign ? -1 : 1;
  if (left_sign == 0) return 0;
  std::int64_t left_place = left.exponent + count_digits(left.coefficient);
  std::int64_t right_place = right.exponent + count_digits(right.coefficient);
  if (left_place != right_place) return left_place < right_place ? -left_sign : left_sign;
  bool left_high = left.exponent >= right.exponent;
  const Operand &high = left_high ? left : right, &low = left_high ? right : left;
  std::int64_t shift = high.exponent - low.exponent;
  int found;
  if (are_small(high, low) && shift <= kSmallDigits) {
    SignedWide first = SignedWide{high.coefficient.as_int()} * small_power_of_ten(shift);
    SignedWide second = low.coefficient.as_int();
    found = first < second ? -1 : first > second;
  } else {
    Integer first = *IntegerView(high.coefficient) * power_of_ten(static_cast<std::size_t>(shift));
    found = first.compare(*IntegerView(low.coefficient));
    found = found < 0 ? -1 : found > 0;
  }
  return (left_high ? found : -found) * left_sign;
}

std::int64_t hash_of(const Operand& number) {
  constexpr std::uint64_t kModulus = (std::uint64_t{1} << 61) - 1;
  constexpr std::uint64_t kTenth = 2075258708292324556;  // 10 times this is 1
  auto times = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % kModulus);
  };
  std::uint64_t value =
      static_cast<std::uint64_t>(Integer(*IntegerView(number.coefficient) % kModulus));
  std::uint64_t base = number.exponent < 0 ? kTenth : 10;
  auto exponent = static_cast<std::uint64_t>(std::abs(number.exponent));
  for (; exponent > 0; exponent /= 2, base = times(base, base))
    if (exponent % 2 == 1) value = times(value, base);
  auto hash = static_cast<std::int64_t>(value);
  if (number.negative) hash = -hash;
  return hash == -1 ? -2 : hash;
}

}  // namespace strider::lang::decimals
