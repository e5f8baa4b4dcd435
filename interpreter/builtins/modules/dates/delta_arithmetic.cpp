// Most lengths fit 64 bits in microseconds and are computed in 128; others as integers of any size.
#include "interpreter/builtins/modules/dates/delta_arithmetic.h"

#include <cmath>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kMostDays = 999999999;
constexpr std::int64_t kExactDouble = std::int64_t{1} << 53;

bool is_small(Micros number) { return number < (Micros{1} << 63) && number >= -(Micros{1} << 63); }

Integer integer_of(Micros number) { return Integer(number); }

[[noreturn]] void refuse_zero() {
  raise(errors::ZeroDivisionError, "integer division or modulo by zero");
}

[[noreturn]] void refuse_days(Micros days) {
  if (days > INT32_MAX || days < INT32_MIN)
    raise(errors::OverflowError, "Python int too large to convert to C int");
  raise(errors::OverflowError, "days={}; must have magnitude <= {}",
        static_cast<std::int64_t>(days), kMostDays);
}

// top / bottom, rounded to the nearest integer, halves to even.
template <class Number>
Number nearest_quotient(Number top, Number bottom) {
  if (bottom < 0) {
    top = -top;
    bottom = -bottom;
  }
  Number quotient = top / bottom, rest = top % bottom;
  if (rest < 0) {
    rest += bottom;
    --quotient;
  }
  Number twice = 2 * rest;
  if (twice > bottom || (twice == bottom && quotient % 2 != 0)) ++quotient;
  return quotient;
}

// What the method of a class of floats gives: its two integers. TypeError, ValueError.
std::pair<Integer, Integer> told_ratio(const Value& number) {
  static const Name as_integer_ratio = intern("as_integer_ratio");
  Value ratio = call_method(number, as_integer_ratio);
  if (!is_tuple(ratio))
    raise(errors::TypeError,
          "unexpected return type from as_integer_ratio(): expected tuple, got '{}'",
          type_name(ratio));
  std::span<const Value> items = ratio.as<Tuple>()->items();
  if (items.size() != 2) raise(errors::ValueError, "as_integer_ratio() must return a 2-tuple");
  for (const Value& each : items)
    if (!is_integer(each)) raise(errors::TypeError, "non-integer arguments in division");
  return {to_integer(items[0]), to_integer(items[1])};
}

Value scaled(Micros total, const Integer& top, const Integer& bottom) {
  if (bottom == 0) refuse_zero();
  return make_delta(nearest_quotient(Integer(integer_of(total) * top), bottom));
}

// A finite float as odd * 2**exponent.
struct Ratio {
  std::int64_t odd;
  int exponent;
};

Ratio ratio_of(double number) {
  if (std::isnan(number)) raise(errors::ValueError, "cannot convert NaN to integer ratio");
  if (std::isinf(number)) raise(errors::OverflowError, "cannot convert Infinity to integer ratio");
  int exponent;
  double fraction = std::frexp(number, &exponent);
  auto odd = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  while (odd != 0 && odd % 2 == 0) {
    odd /= 2;
    ++exponent;
  }
  return {odd, odd == 0 ? 0 : exponent};
}

Value multiply_by_double(Micros total, double factor) {
  Ratio ratio = ratio_of(factor);
  // 67 and 53 bits.
  Micros product = total * ratio.odd;
  if (product == 0) return make_delta(Micros{0});
  if (ratio.exponent >= 0) return make_delta(integer_of(product) << ratio.exponent);
  if (ratio.exponent < -125) return make_delta(Micros{0});
  return make_delta(nearest_quotient(product, Micros{1} << -ratio.exponent));
}

Value divide_by_double(Micros total, double divisor) {
  Ratio ratio = ratio_of(divisor);
  if (ratio.odd == 0) refuse_zero();
  if (total == 0) return make_delta(Micros{0});
  Integer top = integer_of(total), bottom = ratio.odd;
  if (ratio.exponent < 0)
    top <<= -ratio.exponent;
  else
    bottom <<= ratio.exponent;
  return make_delta(nearest_quotient(top, bottom));
}

}  // namespace

Value make_delta(Micros total, Type* cls) {
  if (is_small(total)) {
    auto small = static_cast<std::int64_t>(total);
    std::int64_t days = small / kDayMicros, rest = small % kDayMicros;
    bool below = rest < 0;
    return make_instance<TimeDelta>(cls, days - below, below ? rest + kDayMicros : rest);
  }
  Micros days = total / kDayMicros;
  auto rest = static_cast<std::int64_t>(total - days * kDayMicros);
  if (rest < 0) {
    rest += kDayMicros;
    --days;
  }
  if (days > kMostDays || days < -kMostDays) refuse_days(days);
  return make_instance<TimeDelta>(cls, static_cast<std::int64_t>(days), rest);
}

Value make_carried(std::int64_t days, std::int64_t micros) {
  if (micros < 0) {
    micros += kDayMicros;
    --days;
  } else if (micros >= kDayMicros) {
    micros -= kDayMicros;
    ++days;
  }
  if (days > kMostDays || days < -kMostDays) refuse_days(days);
  return make<TimeDelta>(days, micros);
}

Value make_delta(const Integer& total, Type* cls) {
  if (total != 0 && msb(abs(total)) >= 100)
    raise(errors::OverflowError, "Python int too large to convert to C int");
  return make_delta(static_cast<Micros>(total), cls);
}

Micros floor_quotient(Micros left, Micros right) {
  if (right == 0) refuse_zero();
  Micros quotient = left / right;
  bool inexact = quotient * right != left;
  return quotient - (inexact && (left < 0) != (right < 0));
}

Value micros_value(Micros total) {
  if (is_small(total)) return Value::integer(static_cast<std::int64_t>(total));
  return from_integer(integer_of(total));
}

double seconds_of(Micros total) {
  if (total <= kExactDouble && total >= -kExactDouble)
    return static_cast<double>(static_cast<std::int64_t>(total)) / kSecondMicros;
  return divide_integers(micros_value(total), Value::integer(kSecondMicros));
}

Value multiply_delta(const TimeDelta& delta, const Value& number) {
  if (number.is_float()) return multiply_by_double(delta.total(), number.as_float());
  if (is_real(number)) {
    auto [top, bottom] = told_ratio(number);
    return scaled(delta.total(), top, bottom);
  }
  Value factor = exact_int(number);
  Micros product;
  if (factor.is_int() && !__builtin_mul_overflow(delta.total(), Micros{factor.as_int()}, &product))
    return make_delta(product);
  return make_delta(Integer(integer_of(delta.total()) * to_integer(factor)));
}

Value divide_delta(const TimeDelta& delta, const Value& number) {
  if (number.is_float()) return divide_by_double(delta.total(), number.as_float());
  if (is_real(number)) {
    auto [top, bottom] = told_ratio(number);
    return scaled(delta.total(), bottom, top);
  }
  Value divisor = exact_int(number);
  if (!divisor.is_int())
    return make_delta(nearest_quotient(integer_of(delta.total()), to_integer(divisor)));
  if (divisor.as_int() == 0) refuse_zero();
  return make_delta(nearest_quotient(delta.total(), Micros{divisor.as_int()}));
}

Value floor_divide_delta(const TimeDelta& delta, const Value& integer) {
  Value divisor = exact_int(integer);
  if (divisor.is_int()) return make_delta(floor_quotient(delta.total(), divisor.as_int()));
  return make_delta(to_integer(integer_divmod(micros_value(delta.total()), divisor).first));
}

double quotient_of(const TimeDelta& left, const TimeDelta& right) {
  Micros top = left.total(), bottom = right.total();
  if (bottom == 0) raise(errors::ZeroDivisionError, "division by zero");
  auto exact = [](Micros each) { return each <= kExactDouble && each >= -kExactDouble; };
  if (exact(top) && exact(bottom))
    return static_cast<double>(static_cast<std::int64_t>(top)) /
           static_cast<double>(static_cast<std::int64_t>(bottom));
  return divide_integers(micros_value(top), micros_value(bottom));
}

}  // namespace strider::lang
