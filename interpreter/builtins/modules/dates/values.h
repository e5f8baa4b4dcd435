// The values of the module datetime as they are in memory: lengths of time, dates, times of the
// day, both together, zones. All of them never change.
#pragma once

#include <cstdint>

#include "interpreter/builtins/modules/dates/calendar.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

__extension__ using Micros = __int128;  // any sum of microseconds that programs can ask for

// A length of time: whole days, and the microseconds behind them, 0 up to a day.
class TimeDelta : public Object {
 public:
  TimeDelta(std::int64_t whole_days, std::int64_t rest, Type* type = &type_object())
      : Object(Layout::kOther, type), days(whole_days), micros(rest) {}
  static Type& type_object();
  Micros total() const { return Micros{days} * kDayMicros + micros; }

  const std::int64_t days, micros;
};

// A day. Pickles of any kind may hold days that there are not: each part has room for a byte, the
// year for two.
class Date : public Object {
 public:
  Date(const CalendarDay& day, Type* type = &type_object())
      : Object(Layout::kOther, type),
        day_key(static_cast<std::uint32_t>(day.year << 16 | day.month << 8 | day.day)) {}
  static Type& type_object();
  int year() const { return static_cast<int>(day_key >> 16); }
  int month() const { return static_cast<int>(day_key >> 8 & 255); }
  int day() const { return static_cast<int>(day_key & 255); }
  CalendarDay parts() const { return {year(), month(), day()}; }

  const std::uint32_t day_key;     // orders as days do
  mutable std::int64_t hash = -1;  // -1: not known yet
};

// A time of the day and its zone: what `time` has, and `datetime` besides its day.
class ClockOfZone {
 public:
  ClockOfZone(const Clock& clock, const Value& of_zone, bool second)
      : zone(of_zone),
        clock_key(std::uint64_t(clock.hour) << 40 | std::uint64_t(clock.minute) << 32 |
                  std::uint64_t(clock.second) << 24 | std::uint64_t(clock.microsecond)),
        fold(second) {}
  int hour() const { return static_cast<int>(clock_key >> 40); }
  int minute() const { return static_cast<int>(clock_key >> 32 & 255); }
  int second() const { return static_cast<int>(clock_key >> 24 & 255); }
  int microsecond() const { return static_cast<int>(clock_key & 0xffffff); }
  Clock clock() const { return {hour(), minute(), second(), microsecond()}; }

  const Value zone;               // None: no zone
  const std::uint64_t clock_key;  // orders as times do
  bool fold;                      // the second of two equal local times; set by its maker alone
};

class TimeOfDay : public Object, public ClockOfZone {
 public:
  TimeOfDay(const Clock& clock, const Value& of_zone, bool second, Type* type = &type_object())
      : Object(Layout::kOther, type), ClockOfZone(clock, of_zone, second) {}
  static Type& type_object();
};

class DateTime : public Date, public ClockOfZone {
 public:
  DateTime(const CalendarDay& day, const Clock& clock, const Value& of_zone, bool second,
           Type* type = &type_object())
      : Date(day, type), ClockOfZone(clock, of_zone, second) {}
  static Type& type_object();
  // The microseconds since the beginning of year 1 on this clock.
  std::int64_t moment() const {
    return (ordinal_of(parts()) - 1) * kDayMicros + micros_of(clock());
  }
};

// tzinfo: what classes of zones derive from.
class Zone : public Object {
 public:
  explicit Zone(Type* type = &type_object()) : Object(Layout::kOther, type) {}
  static Type& type_object();
};

// timezone: a fixed offset from UTC.
class FixedZone : public Zone {
 public:
  FixedZone(const Ref<TimeDelta>& from_utc, const Value& given_name, Type* type = &type_object())
      : Zone(type), offset(from_utc), name(given_name) {}
  static Type& type_object();
  static const Value& utc();

  const Ref<TimeDelta> offset;
  const Value name;  // a text, or None
};

// Whether values are of one class, so that what is known of one holds for the other.
inline bool are_alike(const Value& a, const Value& b) {
  return a.is_object() && b.is_object() && a.object()->type() == b.object()->type();
}
inline bool is_delta(const Value& value) { return is_instance(value, TimeDelta::type_object()); }
inline bool is_date(const Value& value) { return is_instance(value, Date::type_object()); }
inline bool is_datetime(const Value& value) { return is_instance(value, DateTime::type_object()); }
inline bool is_time_of_day(const Value& value) {
  return is_instance(value, TimeOfDay::type_object());
}
inline bool is_fixed_zone(const Value& value) {
  return value.is_object() && value.object()->type() == &FixedZone::type_object();
}

// The length of so many microseconds, of a class. OverflowError beyond 999999999 days.
Value make_delta(Micros total, Type* cls = &TimeDelta::type_object());
// The length of days and of microseconds between a day back and two days. OverflowError.
Value make_carried(std::int64_t days, std::int64_t micros);
// The moment of so many microseconds since the beginning of year 1, of a class, which is called
// where it is not datetime itself. OverflowError outside the years.
Value make_moment(std::int64_t total, const Value& zone, Type* cls = &DateTime::type_object());
// The same of parts that are known to be right.
Value make_datetime(const CalendarDay& day, const Clock& clock, const Value& zone, bool fold,
                    Type* cls);
// The day, of a class which is called where it is not date itself. ValueError outside the years.
Value make_date(const CalendarDay& day, Type* cls);

// The hash of a length of time, also of numpy's.
std::int64_t hash_micros(Micros total);
// The hash of a moment of no zone, by microseconds since the beginning of year 1; also of numpy's.
std::int64_t hash_moment(std::int64_t total);

// What a zone says of a moment (None: of no particular one): its offset from UTC, that of summer
// time, both within a day, or None; its name, or None. TypeError, ValueError for other answers.
Value offset_of(const Value& zone, const Value& moment);
Value saving_of(const Value& zone, const Value& moment);
Value name_of(const Value& zone, const Value& moment);
// The moment so many microseconds since the beginning of year 1 in UTC, in a zone.
Value moment_in_zone(std::int64_t utc, const Value& zone, Type* cls);
// A fixed zone; UTC itself for no offset and no name. ValueError for a day and more.
Value make_fixed_zone(const Ref<TimeDelta>& offset, const Value& name = Value::none());
// Refuses what is no zone.
void check_zone(const Value& zone);

// Negative, zero or positive as one is before, at or behind the other.
template <class Number>
int order_of(Number a, Number b) {
  return a < b ? -1 : a > b;
}

}  // namespace strider::lang
