// timedelta: the type of lengths of time.
#include <cmath>

#include "interpreter/builtins/modules/dates/delta_arithmetic.h"
#include "interpreter/builtins/modules/dates/fields.h"
#include "interpreter/builtins/modules/dates/iso_text.h"
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

const TimeDelta& delta_of(const Value& value) { return *value.as<TimeDelta>(); }

struct Unit {
  const char* name;
  std::int64_t micros;
};

// In the order of the parameters.
constexpr Unit kUnits[] = {
    {"days", kDayMicros},     {"seconds", kSecondMicros},      {"microseconds", 1},
    {"milliseconds", 1000},   {"minutes", 60 * kSecondMicros}, {"hours", 3600 * kSecondMicros},
    {"weeks", 7 * kDayMicros}};
// From the finest: fractions are added up in this order.
constexpr std::size_t kFromFinest[] = {2, 3, 1, 4, 5, 0, 6};

// Amounts of units as microseconds. Fractions of them are collected and rounded once, at the end.
class AmountSum {
 public:
  void add(const Value& amount, const Unit& unit) {
    if (amount.is_int()) {
      small_ += Micros{amount.as_int()} * unit.micros;
    } else if (is_integer(amount)) {
      add_whole(exact_int(amount), unit.micros);
    } else if (is_real(amount)) {
      add_float(to_double(amount), unit.micros);
    } else {
      raise(errors::TypeError, "unsupported type for timedelta {} component: {}", unit.name,
            type_name(amount));
    }
  }

  Value as_delta(Type* cls) {
    if (fractions_ != 0) round_fractions();
    if (!is_large_) return make_delta(small_, cls);
    return make_delta(Integer(large_ + Integer(small_)), cls);
  }

 private:
  void add_whole(const Value& integer, std::int64_t unit) {
    if (integer.is_int()) {
      small_ += Micros{integer.as_int()} * unit;
    } else {
      is_large_ = true;
      large_ += to_integer(integer) * unit;
    }
  }

  void add_float(double amount, std::int64_t unit) {
    double whole;
    double fraction = std::modf(amount, &whole);
    add_whole(integer_from_double(whole), unit);
    if (fraction == 0) return;
    fraction = std::modf(fraction * static_cast<double>(unit), &whole);
    small_ += static_cast<std::int64_t>(whole);
    fractions_ += fraction;
  }

  // To the nearest microsecond; a half so that the sum is even.
  void round_fractions() {
    double rounded = std::round(fractions_);
    if (std::fabs(rounded - fractions_) == 0.5) {
      bool odd = (small_ % 2 != 0) != (is_large_ && large_ % 2 != 0);
      rounded = 2 * std::round((fractions_ + odd) * 0.5) - odd;
    }
    small_ += static_cast<std::int64_t>(rounded);
  }

  Micros small_ = 0;
  Integer large_ = 0;
  bool is_large_ = false;
  double fractions_ = 0;
};

Value delta_construct(Type* cls, const Arguments& arguments) {
  static const Name kNames[] = {intern("days"),         intern("seconds"), intern("microseconds"),
                                intern("milliseconds"), intern("minutes"), intern("hours"),
                                intern("weeks")};
  Value places[7];
  bind_fields({"__new__", kNames, 7, 0}, arguments, places);
  AmountSum sum;
  for (std::size_t i : kFromFinest)
    if (!places[i].is_empty()) sum.add(places[i], kUnits[i]);
  return sum.as_delta(cls);
}

Value delta_days(const Value& self) { return Value::integer(delta_of(self).days); }
Value delta_seconds(const Value& self) {
  return Value::integer(delta_of(self).micros / kSecondMicros);
}
Value delta_microseconds(const Value& self) {
  return Value::integer(delta_of(self).micros % kSecondMicros);
}

Value delta_repr(const Value& self) {
  const TimeDelta& delta = delta_of(self);
  std::string parts;
  auto add = [&](const char* name, std::int64_t number) {
    if (number != 0) parts += fmt::format("{}{}={}", parts.empty() ? "" : ", ", name, number);
  };
  add("days", delta.days);
  add("seconds", delta.micros / kSecondMicros);
  add("microseconds", delta.micros % kSecondMicros);
  return make_str(fmt::format("{}({})", type_name(self), parts.empty() ? "0" : parts));
}

Value delta_str(const Value& self) {
  const TimeDelta& delta = delta_of(self);
  Clock clock = clock_of_micros(delta.micros);
  std::string text;
  if (delta.days != 0) {
    append_number(text, delta.days, 1);
    text += std::abs(delta.days) == 1 ? " day, " : " days, ";
  }
  append_number(text, clock.hour, 1);
  append_number(text += ':', clock.minute, 2);
  append_number(text += ':', clock.second, 2);
  if (clock.microsecond) append_number(text += '.', clock.microsecond, 6);
  return make_str(std::move(text));
}

Value sum_of(const TimeDelta& left, const TimeDelta& right, int sign) {
  return make_carried(left.days + sign * right.days, left.micros + sign * right.micros);
}

Value delta_by_delta(BinaryOperator op, const TimeDelta& left, const TimeDelta& right) {
  switch (op) {
    case BinaryOperator::kAdd:
      return sum_of(left, right, 1);
    case BinaryOperator::kSub:
      return sum_of(left, right, -1);
    case BinaryOperator::kFloorDiv:
      return micros_value(floor_quotient(left.total(), right.total()));
    case BinaryOperator::kDiv:
      return Value::real(quotient_of(left, right));
    case BinaryOperator::kMod: {
      if (right.total() == 0) raise(errors::ZeroDivisionError, "integer modulo by zero");
      Micros quotient = floor_quotient(left.total(), right.total());
      return make_delta(left.total() - quotient * right.total());
    }
    default:
      return Value();
  }
}

Value delta_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (are_alike(self, other) || is_delta(other))
    return delta_by_delta(op, delta_of(self), delta_of(other));
  bool integer = is_integer(other);
  if (!integer && !is_real(other)) return Value();
  if (op == BinaryOperator::kMult) return multiply_delta(delta_of(self), other);
  if (op == BinaryOperator::kDiv) return divide_delta(delta_of(self), other);
  if (op == BinaryOperator::kFloorDiv && integer) return floor_divide_delta(delta_of(self), other);
  return Value();
}

Value delta_reflected(BinaryOperator op, const Value& self, const Value& other) {
  if (is_delta(other)) return delta_by_delta(op, delta_of(other), delta_of(self));
  return op == BinaryOperator::kMult ? delta_binary(op, self, other) : Value();
}

Value delta_unary(UnaryOperator op, const Value& self) {
  const TimeDelta& delta = delta_of(self);
  if (op == UnaryOperator::kUSub) return make_delta(-delta.total());
  if (op == UnaryOperator::kUAdd) return make_delta(delta.total());
  return Value();
}

Value delta_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!are_alike(self, other) && !is_delta(other)) return Value();
  const TimeDelta &left = delta_of(self), &right = delta_of(other);
  int days = order_of(left.days, right.days);
  return order_result(op, days != 0 ? days : order_of(left.micros, right.micros));
}

Value delta_divmod(const TimeDelta& left, const TimeDelta& right) {
  Micros quotient = floor_quotient(left.total(), right.total());
  return make_tuple({micros_value(quotient), make_delta(left.total() - quotient * right.total())});
}

const NativeRow kMethods[] = {
    {"total_seconds(self, /)",
     [](const Parameters& p) { return Value::real(seconds_of(delta_of(p[0]).total())); },
     "The length in seconds, a float."},
    {"__abs__(self, /)",
     [](const Parameters& p) {
       Micros total = delta_of(p[0]).total();
       return make_delta(total < 0 ? -total : total);
     },
     "The length without its sign."},
    {"__divmod__(self, value, /)",
     [](const Parameters& p) {
       return is_delta(p[1]) ? delta_divmod(delta_of(p[0]), delta_of(p[1])) : not_implemented();
     },
     "How often another length fits, and what is left."},
    {"__rdivmod__(self, value, /)",
     [](const Parameters& p) {
       return is_delta(p[1]) ? delta_divmod(delta_of(p[1]), delta_of(p[0])) : not_implemented();
     },
     "How often it fits into another length, and what is left."},
    {"__reduce__(self, /)",
     [](const Parameters& p) {
       Value parts = make_tuple({delta_days(p[0]), delta_seconds(p[0]), delta_microseconds(p[0])});
       return Value(make_tuple({Value(type_of(p[0])), parts}));
     },
     "What rebuilds it: the class and its arguments."},
};

const PropertyRow kProperties[] = {
    {"days", delta_days, nullptr, "The whole days; negative where the length is."},
    {"seconds", delta_seconds, nullptr, "The whole seconds behind the days, 0 to 86399."},
    {"microseconds", delta_microseconds, nullptr, "The microseconds behind the seconds."},
};

void set_slots(Slots& slots) {
  slots.construct = delta_construct;
  slots.repr = delta_repr;
  slots.str = delta_str;
  slots.hash = [](const Value& self) { return hash_micros(delta_of(self).total()); };
  slots.truth = [](const Value& self) { return delta_of(self).total() != 0; };
  slots.binary = delta_binary;
  slots.reflected = delta_reflected;
  slots.operators = {"+ - * / // %", "+ - * / // %", ""};
  slots.unary = delta_unary;
  slots.compare = delta_compare;
}

}  // namespace

// That of the tuple (days, seconds, microseconds), as in CPython.
std::int64_t hash_micros(Micros total) {
  constexpr std::int64_t kSecond = 1'000'000;
  auto days = static_cast<std::int64_t>(total / kDayMicros);
  auto rest = static_cast<std::int64_t>(total % kDayMicros);
  if (rest < 0) {
    rest += kDayMicros;
    --days;
  }
  const Value parts[] = {Value::integer(days), Value::integer(rest / kSecond),
                         Value::integer(rest % kSecond)};
  return hash_items(parts);
}

Type& TimeDelta::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("timedelta", "datetime");
    made.doc =
        "A length of time, exact to the microsecond: timedelta(days=0, seconds=0, "
        "microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0). Amounts are int or float; "
        "OverflowError beyond 999999999 days.";
    made.set(Type::kSubclassable);
    set_slots(made.slots);
    made.add(kMethods);
    made.add(kProperties);
    constexpr std::int64_t kMost = 999999999;
    auto tell = [&](const char* name, std::int64_t days, std::int64_t micros) {
      made.set_own(intern(name), Value(make<TimeDelta>(days, micros, &made)));
    };
    tell("min", -kMost, 0);
    tell("max", kMost, kDayMicros - 1);
    tell("resolution", 0, 1);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
