// The module _datetime: the types of datetime, and lists of them for arrays of dates.
#include <algorithm>
#include <limits>

#include "interpreter/builtins/modules/dates/ruled_zone.h"
#include "interpreter/builtins/modules/dates/values.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kFirstDay = 1 - kEpochOrdinal, kLastDay = kLastOrdinal - kEpochOrdinal;
constexpr std::int64_t kNotATime = std::numeric_limits<std::int64_t>::min();  // numpy's NaT

// A list of what a function makes of each number of another list, and None for NaT; None instead
// where a number is outside a range.
template <class Function>
Value mapped(const Value& numbers, std::int64_t least, std::int64_t most, Function function) {
  Ref<List> given = to_list(numbers);
  Values made;
  made.reserve(given->size());
  for (const Value& each : given->items) {
    std::int64_t number = to_int64(each);
    bool known = number != kNotATime;
    if (known && (number < least || number > most)) return Value::none();
    made.push_back(known ? function(number) : Value::none());
  }
  return make_list(std::move(made));
}

Value dates_of(const Parameters& p) {
  return mapped(p[0], kFirstDay, kLastDay, [](std::int64_t days) {
    return Value(make<Date>(day_of_ordinal(days + kEpochOrdinal)));
  });
}

Value moments_of(const Parameters& p) {
  constexpr std::int64_t kEnd = (kLastDay + 1) * kDayMicros;
  return mapped(p[0], kFirstDay * kDayMicros, kEnd - 1, [](std::int64_t micros) {
    return make_moment(micros + (kEpochOrdinal - 1) * kDayMicros, Value::none());
  });
}

// Whether values are all of a class itself, moments among them of no zone.
bool are_all_of(const Ref<List>& values, const Type& cls) {
  return std::ranges::all_of(values->items, [&](const Value& each) {
    return is_exactly(each, cls) &&
           (&cls != &DateTime::type_object() || each.as<DateTime>()->zone.is_none());
  });
}

template <class Function>
Value counted(const Ref<List>& values, const char* unit, Function function) {
  Values counts;
  counts.reserve(values->size());
  for (const Value& each : values->items) counts.push_back(Value::integer(function(each)));
  return make_tuple({Value(make_list(std::move(counts))), Value(make_str(unit))});
}

Value counts_of(const Parameters& p) {
  if (!is_list(p[0]) || p[0].as<List>()->size() == 0) return Value::none();
  Ref<List> values = p[0].as<List>();
  if (are_all_of(values, DateTime::type_object()))
    return counted(values, "us", [](const Value& each) {
      return each.as<DateTime>()->moment() - (kEpochOrdinal - 1) * kDayMicros;
    });
  if (are_all_of(values, Date::type_object()))
    return counted(values, "D", [](const Value& each) {
      return ordinal_of(each.as<Date>()->parts()) - kEpochOrdinal;
    });
  return Value::none();
}

Value hash_of(const Parameters& p) { return Value::integer(hash_micros(to_int64(p[0]))); }

Value hash_of_moment(const Parameters& p) { return Value::integer(hash_moment(to_int64(p[0]))); }

const NativeRow kFunctions[] = {
    {"_dates_of(days, /)", dates_of,
     "Dates of days since 1970, a list, None for NaT; None where one is outside the years."},
    {"_moments_of(microseconds, /)", moments_of,
     "Datetimes of microseconds since 1970, a list, as _dates_of."},
    {"_counts_of(values, /)", counts_of,
     "Days or microseconds since 1970 of a list of dates, or of datetimes without zones, and their "
     "unit; None for others."},
    {"_hash_of(microseconds, /)", hash_of, "The hash of a length of time."},
    {"_hash_of_moment(microseconds, /)", hash_of_moment,
     "The hash of a moment by microseconds since the beginning of year 1."},
};

const ConstantRow kTypes[] = {
    {"MINYEAR", [] { return Value::integer(kFirstYear); }},
    {"MAXYEAR", [] { return Value::integer(kLastYear); }},
    {"UTC", [] { return FixedZone::utc(); }},
    {"timedelta", [] { return Value(&TimeDelta::type_object()); }},
    {"date", [] { return Value(&Date::type_object()); }},
    {"time", [] { return Value(&TimeOfDay::type_object()); }},
    {"datetime", [] { return Value(&DateTime::type_object()); }},
    {"tzinfo", [] { return Value(&Zone::type_object()); }},
    {"timezone", [] { return Value(&FixedZone::type_object()); }},
    {"RuledZone", [] { return Value(&ruled_zone_type()); }},
};

}  // namespace

const NativeModule kDatetimeModule = {"_datetime", "Dates, times and lengths of time.", kFunctions,
                                      kTypes};

}  // namespace strider::lang
