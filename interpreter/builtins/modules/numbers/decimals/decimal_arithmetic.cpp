// Arithmetic of finite decimal numbers in contexts whose limits they keep.
#include <algorithm>

#include "interpreter/builtins/modules/numbers/decimals/decimal.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang::decimals {
namespace {

__extension__ using Wide = __int128;
constexpr std::int64_t kSmallDigits = 18;

struct Contexts {
  Value list, rounded, inexact;
};

Contexts& contexts() {
  static Contexts& all = *new Contexts;
  return all;
}

// What a context says, of the attributes that it has in the language.
struct Context {
  Value object;
  std::int64_t precision, least, most;
  bool clamps;
  Name rounding;
};

bool read_number_of(Attributes& attributes, Name name, std::int64_t& number) {
  const Value* found = attributes.find(name);
  if (!found || !found->is_int()) return false;
  number = found->as_int();
  return true;
}

// False where the context is none of the library's, or has limits of its own.
bool read_context(Context& context) {
  static const Name prec = intern("prec"), least = intern("Emin"), most = intern("Emax"),
                    clamp = intern("clamp"), rounding = intern("rounding");
  const Value& list = contexts().list;
  if (!is_list(list) || list.as<List>()->size() == 0) return false;
  context.object = list.as<List>()->items.back();
  Attributes* attributes =
      context.object.is_object() ? context.object.object()->attributes() : nullptr;
  std::int64_t clamps;
  if (!attributes || !read_number_of(*attributes, prec, context.precision) ||
      !read_number_of(*attributes, least, context.least) ||
      !read_number_of(*attributes, most, context.most) ||
      !read_number_of(*attributes, clamp, clamps))
    return false;
  const Value* found = attributes->find(rounding);
  if (!found || !is_str(*found)) return false;
  context.clamps = clamps != 0;
  context.rounding = intern(found->as<Str>());
  return true;
}

Rounding rounding_of(Name name) {
  static const Name kNames[] = {intern("ROUND_DOWN"),      intern("ROUND_HALF_UP"),
                                intern("ROUND_HALF_EVEN"), intern("ROUND_CEILING"),
                                intern("ROUND_FLOOR"),     intern("ROUND_UP"),
                                intern("ROUND_HALF_DOWN"), intern("ROUND_05UP")};
  std::size_t place = 0;
  while (place + 1 < std::size(kNames) && kNames[place] != name) ++place;
  return static_cast<Rounding>(place);
}

// Whether a signal is set already and not trapped.
bool is_known(Attributes& attributes, const Value& signal) {
  static const Name flags = intern("flags"), traps = intern("traps");
  auto tells = [&](Name name, bool wanted) {
    const Value* table = attributes.find(name);
    const Value* found = table && is_dict(*table) ? table->as<Dict>()->find(signal) : nullptr;
    return found && found->is_bool() && found->as_bool() == wanted;
  };
  return tells(flags, true) && tells(traps, false);
}

void note_rounding(const Context& context, bool inexact) {
  static const Name note = intern("_note_rounding");
  Attributes& attributes = *context.object.object()->attributes();
  if (is_known(attributes, contexts().rounded) &&
      (!inexact || is_known(attributes, contexts().inexact)))
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

Value wide_value(Wide number) {
  auto small = static_cast<std::int64_t>(number);
  return small == number ? Value::integer(small) : from_integer(Integer(number));
}

bool are_small(const Operand& a, const Operand& b) {
  return a.coefficient.is_int() && b.coefficient.is_int();
}

// high * 10**shift + low, with signs; negative where the sum is.
Value scaled_sum(const Operand& high, const Operand& low, std::int64_t shift, bool& negative) {
  if (are_small(high, low) && shift <= kSmallDigits) {
    Wide first = Wide{high.coefficient.as_int()} * small_power_of_ten(shift);
    Wide second = low.coefficient.as_int();
    Wide sum = (high.negative ? -first : first) + (low.negative ? -second : second);
    negative = sum < 0;
    return wide_value(negative ? -sum : sum);
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

void set_contexts(const Value& list, const Value& rounded, const Value& inexact) {
  contexts() = {list, rounded, inexact};
}

Value add(const Operand& left, const Operand& right) {
  static const Name floor = intern("ROUND_FLOOR");
  Context context;
  if (!read_context(context)) return Value();
  const Operand& high = left.exponent >= right.exponent ? left : right;
  const Operand& low = left.exponent >= right.exponent ? right : left;
  std::int64_t shift = high.exponent - low.exponent;
  if (shift > context.precision) return Value();
  bool negative;
  Value sum = scaled_sum(high, low, shift, negative);
  if (sum.is_int() && sum.as_int() == 0) {
    bool both_zero = left.is_zero() && right.is_zero();
    negative =
        left.negative == right.negative && both_zero ? left.negative : context.rounding == floor;
  }
  return finished(negative, sum, low.exponent, context);
}

Value multiply(const Operand& left, const Operand& right) {
  Context context;
  if (!read_context(context)) return Value();
  Value product =
      are_small(left, right)
          ? wide_value(Wide{left.coefficient.as_int()} * right.coefficient.as_int())
          : from_integer(Integer(*IntegerView(left.coefficient) * *IntegerView(right.coefficient)));
  return finished(left.negative != right.negative, product, left.exponent + right.exponent,
                  context);
}

Value divide(const Operand& left, const Operand& right) {
  Context context;
  if (left.is_zero() || right.is_zero() || !read_context(context)) return Value();
  std::int64_t ideal = left.exponent - right.exponent;
  Quotient found = divide_coefficients(left.coefficient, right.coefficient, context.precision);
  std::int64_t exponent = ideal - found.shift;
  Value quotient = found.coefficient;
  if (found.rest) {
    // A rest is a last digit that no rounding takes for a half or nothing.
    Integer number = to_integer(quotient);
    if (number % 5 == 0) quotient = from_integer(Integer(number + 1));
  } else {
    std::int64_t stripped;
    quotient = strip_zeros(quotient, ideal - exponent, stripped);
    exponent += stripped;
  }
  return finished(left.negative != right.negative, quotient, exponent, context);
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
    Wide first = Wide{high.coefficient.as_int()} * small_power_of_ten(shift);
    Wide second = low.coefficient.as_int();
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
