// date: the type of days.
#include <cmath>

#include "interpreter/builtins/modules/dates/fields.h"
#include "interpreter/builtins/modules/dates/format.h"
#include "interpreter/builtins/modules/dates/iso_calendar.h"
#include "interpreter/builtins/modules/dates/iso_text.h"
#include "interpreter/builtins/modules/dates/timestamps.h"
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/system/time_fields.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

const Date& date_of(const Value& value) { return *value.as<Date>(); }

const Name (&names_of_parts())[3] {
  static const Name kNames[] = {intern("year"), intern("month"), intern("day")};
  return kNames;
}

Value date_construct(Type* cls, const Arguments& arguments) {
  std::string state;
  if (arguments.count == 1 && arguments.keyword_count == 0 &&
      read_state(arguments.values[0], 4, "date", state))
    return make_instance<Date>(cls, day_of_state(state.data()));
  Value places[3];
  bind_fields({"function", names_of_parts(), 3, 3}, arguments, places);
  CalendarDay day{field_of(places[0]), field_of(places[1]), field_of(places[2])};
  check_day(day);
  return make_instance<Date>(cls, day);
}

Value from_timestamp(const Parameters& p) {
  Timestamp timestamp = timestamp_of(p[1]);
  if (is_instance(p[1], float_type()))
    timestamp.seconds = static_cast<std::int64_t>(std::floor(to_double(p[1])));
  timestamp.micros = 0;
  std::int64_t moment = local_moment_of(timestamp).moment;
  return make_date(day_of_ordinal(moment / kDayMicros + 1), p[0].as<Type>());
}

// By the clock of the module time, which programs may replace.
Value today(const Parameters& p) {
  static const Name time = intern("time"), fromtimestamp = intern("fromtimestamp");
  return call_method(p[0], fromtimestamp, call_method(import_module("time"), time));
}

Value from_ordinal(const Parameters& p) {
  int ordinal = field_of(p[1]);
  if (ordinal < 1) raise(errors::ValueError, "ordinal must be >= 1");
  if (ordinal > kLastOrdinal)
    raise(errors::ValueError, "year {} is out of range", year_of_ordinal(ordinal));
  return make_date(day_of_ordinal(ordinal), p[0].as<Type>());
}

Value from_iso_format(const Parameters& p) {
  if (!is_str(p[1])) raise(errors::TypeError, "fromisoformat: argument must be str");
  std::string_view text = text_of(p[1]);
  bool known = text.size() == 7 || text.size() == 8 || text.size() == 10;
  CalendarDay day;
  if (!known || !read_day(text, day))
    raise(errors::ValueError, "Invalid isoformat string: {}", repr_text(p[1]));
  return make_date(day, p[0].as<Type>());
}

int component_of(const Value& value) {
  try {
    return field_of(value);
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::OverflowError())) throw;
  }
  raise(errors::ValueError, "ISO calendar component out of range");
}

Value from_iso_calendar(const Parameters& p) {
  IsoDay iso{component_of(p[1]), component_of(p[2]), component_of(p[3])};
  if (iso.year < kFirstYear || iso.year > kLastYear)
    raise(errors::ValueError, "Year is out of range: {}", iso.year);
  if (iso.week < 1 || iso.week > weeks_of_iso_year(iso.year))
    raise(errors::ValueError, "Invalid week: {}", iso.week);
  if (iso.weekday < 1 || iso.weekday > 7)
    raise(errors::ValueError, "Invalid day: {} (range is [1, 7])", iso.weekday);
  return make_date(day_of_ordinal(ordinal_of_iso(iso)), p[0].as<Type>());
}

Value replaced(const Parameters& p) {
  const Date& date = date_of(p[0]);
  CalendarDay day{field_of(p[1], date.year()), field_of(p[2], date.month()),
                  field_of(p[3], date.day())};
  check_day(day);
  return make_instance<Date>(type_of(p[0]), day);
}

Value iso_format(const Parameters& p) {
  std::string text;
  append_day(text, date_of(p[0]).parts());
  return make_str(text);
}

Value date_str(const Value& self) {
  static const Name isoformat = intern("isoformat");
  if (type_of(self) == &Date::type_object()) return iso_format(Parameters(&self, 1));
  return str_by_method(self, isoformat);
}

Value date_repr(const Value& self) {
  const Date& date = date_of(self);
  return make_str(
      fmt::format("{}({}, {}, {})", type_name(self), date.year(), date.month(), date.day()));
}

Value date_ctime(const Parameters& p) {
  CalendarDay day = date_of(p[0]).parts();
  return make_str(fmt::format("{} {} {:2} 00:00:00 {:04}", short_day_name(weekday_of(day)),
                              short_month_name(day.month), day.day, day.year));
}

Value formatted(const Parameters& p) {
  FormatFields fields;
  fields.day = date_of(p[0]).parts();
  return format_fields(fields, p[1]);
}

Value time_tuple(const Parameters& p) { return make_time_tuple(date_of(p[0]).parts(), {}, -1); }

// Days only: what is a moment compares itself.
Value date_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!are_alike(self, other) && !is_date(other)) return Value();
  return order_result(op, order_of(date_of(self).day_key, date_of(other).day_key));
}

Value shifted(const Value& self, const Value& delta, int sign) {
  std::int64_t ordinal = ordinal_of(date_of(self).parts()) + sign * delta.as<TimeDelta>()->days;
  if (ordinal < 1 || ordinal > kLastOrdinal)
    raise(errors::OverflowError, "date value out of range");
  CalendarDay day = day_of_ordinal(ordinal);
  bool plain = type_of(self) == &Date::type_object();
  return plain ? Value(make<Date>(day)) : make_date(day, type_of(self));
}

Value date_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (is_datetime(other)) return Value();
  if (op == BinaryOperator::kAdd && is_delta(other)) return shifted(self, other, 1);
  if (op != BinaryOperator::kSub) return Value();
  if (is_delta(other)) return shifted(self, other, -1);
  if (!is_date(other)) return Value();
  std::int64_t days = ordinal_of(date_of(self).parts()) - ordinal_of(date_of(other).parts());
  return make_carried(days, 0);
}

Value date_reflected(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd) return date_binary(op, self, other);
  bool dates = is_date(other) && !is_datetime(other);
  return op == BinaryOperator::kSub && dates ? date_binary(op, other, self) : Value();
}

std::int64_t date_hash(const Value& self) { return hash_bytes(state_of(date_of(self).parts())); }

Value date_reduce(const Parameters& p) {
  Value state = make<Bytes>(state_of(date_of(p[0]).parts()));
  return make_tuple({Value(type_of(p[0])), Value(make_tuple({state}))});
}

Value weekday_value(const Parameters& p, int first) {
  return Value::integer(weekday_of(date_of(p[0]).parts()) + first);
}

const NativeRow kMethods[] = {
    {"classmethod fromtimestamp(cls, timestamp, /)", from_timestamp,
     "The local date of seconds since 1970."},
    {"classmethod today(cls, /)", today, "The local date of now."},
    {"classmethod fromordinal(cls, ordinal, /)", from_ordinal,
     "The date of a day number; day 1 is 1 January of year 1."},
    {"classmethod fromisoformat(cls, string, /)", from_iso_format, "The date of an ISO text."},
    {"classmethod fromisocalendar(cls, year, week, day)", from_iso_calendar,
     "The date of an ISO year, week and weekday (Monday 1)."},
    {"toordinal(self, /)",
     [](const Parameters& p) { return Value::integer(ordinal_of(date_of(p[0]).parts())); },
     "The day number; day 1 is 1 January of year 1."},
    {"weekday(self, /)", [](const Parameters& p) { return weekday_value(p, 0); },
     "The day of the week, Monday 0."},
    {"isoweekday(self, /)", [](const Parameters& p) { return weekday_value(p, 1); },
     "The day of the week, Monday 1."},
    {"isocalendar(self, /)",
     [](const Parameters& p) { return make_iso_calendar(iso_day_of(date_of(p[0]).parts())); },
     "ISO year, week and weekday, a tuple with names."},
    {"replace(self, year=<none>, month=<none>, day=<none>)", replaced,
     "A date with some parts changed."},
    {"isoformat(self, /)", iso_format, "The date as YYYY-MM-DD."},
    {"ctime(self, /)", date_ctime, "The date as C's ctime writes it."},
    {"strftime(self, format)", formatted, "The date in a format of % codes."},
    {"timetuple(self, /)", time_tuple, "The date as a time.struct_time."},
    {"__reduce__(self, /)", date_reduce, "What rebuilds it: the class and four bytes."},
};

const PropertyRow kProperties[] = {
    {"year", [](const Value& self) { return Value::integer(date_of(self).year()); }, nullptr,
     "The year, 1 to 9999."},
    {"month", [](const Value& self) { return Value::integer(date_of(self).month()); }, nullptr,
     "The month, 1 to 12."},
    {"day", [](const Value& self) { return Value::integer(date_of(self).day()); }, nullptr,
     "The day of the month."},
};

void set_slots(Slots& slots) {
  slots.construct = date_construct;
  slots.repr = date_repr;
  slots.str = date_str;
  slots.format = format_by_spec;
  slots.hash = date_hash;
  slots.binary = date_binary;
  slots.reflected = date_reflected;
  slots.operators = {"+ -", "+ -", ""};
  slots.compare = date_compare;
}

}  // namespace

Value make_date(const CalendarDay& day, Type* cls) {
  if (cls == &DateTime::type_object()) {
    check_day(day);
    return make_datetime(day, {}, Value::none(), false, cls);
  }
  if (cls != &Date::type_object())
    return call(Value(cls), Value::integer(day.year), Value::integer(day.month),
                Value::integer(day.day));
  check_day(day);
  return make<Date>(day, cls);
}

Type& Date::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("date", "datetime");
    made.doc =
        "A day of the Gregorian calendar: date(year, month, day), years 1 to 9999. ValueError for "
        "days that there are not.";
    made.set(Type::kSubclassable);
    set_slots(made.slots);
    made.add(kMethods);
    made.add(kProperties);
    made.set_own(intern("min"), Value(make<Date>(CalendarDay{kFirstYear, 1, 1}, &made)));
    made.set_own(intern("max"), Value(make<Date>(CalendarDay{kLastYear, 12, 31}, &made)));
    made.set_own(intern("resolution"), make_delta(Micros{kDayMicros}));
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
