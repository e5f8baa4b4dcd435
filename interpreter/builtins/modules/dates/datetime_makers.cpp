// datetime: moments made of timestamps, texts, dates and times.
#include "interpreter/builtins/modules/dates/datetime.h"
#include "interpreter/builtins/modules/dates/fields.h"
#include "interpreter/builtins/modules/dates/format.h"
#include "interpreter/builtins/modules/dates/iso_text.h"
#include "interpreter/builtins/modules/dates/timestamps.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

Type* class_of(const Parameters& p) { return p[0].as<Type>(); }

// The local time, or that in a zone, which turns it out of UTC itself.
Value at_timestamp(Type* cls, const Timestamp& timestamp, const Value& zone) {
  check_zone(zone);
  if (!zone.is_none()) return moment_in_zone(moment_of(timestamp), zone, cls);
  LocalMoment local = local_moment_of(timestamp);
  if (!local.fold) return make_moment(local.moment, zone, cls);
  std::int64_t days = local.moment / kDayMicros;
  return make_datetime(day_of_ordinal(days + 1), clock_of_micros(local.moment % kDayMicros), zone,
                       true, cls);
}

Value from_timestamp(const Parameters& p) {
  return at_timestamp(class_of(p), timestamp_of(p[1]), p[2]);
}

Value utc_from_timestamp(const Parameters& p) {
  return make_moment(moment_of(timestamp_of(p[1])), Value::none(), class_of(p));
}

Value moment_now(const Parameters& p) { return at_timestamp(class_of(p), now(), p[1]); }

Value utc_now(const Parameters& p) {
  return make_moment(moment_of(now()), Value::none(), class_of(p));
}

Value combined(const Parameters& p) {
  auto refuse = [](int place, const char* wanted, const Value& given) {
    raise(errors::TypeError, "combine() argument {} must be datetime.{}, not {}", place, wanted,
          type_name(given));
  };
  if (!is_date(p[1])) refuse(1, "date", p[1]);
  if (!is_time_of_day(p[2])) refuse(2, "time", p[2]);
  const TimeOfDay& time = *p[2].as<TimeOfDay>();
  const Value& zone = p.has(3) ? p[3] : time.zone;
  check_zone(zone);
  // Classes of programs are called with the parts alone, as CPython calls them.
  bool fold = time.fold && class_of(p) == &DateTime::type_object();
  return make_datetime(p[1].as<Date>()->parts(), time.clock(), zone, fold, class_of(p));
}

[[noreturn]] void refuse_text(const Value& text) {
  raise(errors::ValueError, "Invalid isoformat string: {}", repr_text(text));
}

Value from_iso_format(const Parameters& p) {
  if (!is_str(p[1])) raise(errors::TypeError, "fromisoformat: argument must be str");
  std::string_view text = text_of(p[1]);
  std::size_t length = day_length(text);
  CalendarDay day;
  ReadClock read;
  if (length == text.npos || !read_day(text.substr(0, length), day)) refuse_text(p[1]);
  if (length < text.size()) {
    decode_code_point(text, length);  // whatever separates date and time
    if (!read_clock(text.substr(length), read)) refuse_text(p[1]);
  }
  Value zone = zone_of(read);
  if (class_of(p) == &DateTime::type_object())
    return checked_datetime(class_of(p), day, read.clock, zone, 0);
  return make_datetime(day, read.clock, zone, false, class_of(p));
}

Value from_format(const Parameters& p) {
  static const Name reader = intern("_strptime_datetime");
  CalendarDay day;
  Clock clock;
  for (int i : {1, 2})
    if (!is_str(p[i]))
      raise(errors::TypeError, "strptime() argument {} must be str, not {}", i, type_name(p[i]));
  if (class_of(p) == &DateTime::type_object() &&
      read_by_format(text_of(p[1]), text_of(p[2]), day, clock))
    return checked_datetime(class_of(p), day, clock, Value::none(), 0);
  return call(get_attribute(import_module("_strptime"), reader), p[0], p[1], p[2]);
}

constexpr NativeRow kRows[] = {
    {"classmethod fromtimestamp(cls, timestamp, tz=None)", from_timestamp,
     "The local time, or the time in a zone, at seconds since 1970."},
    {"classmethod utcfromtimestamp(cls, timestamp, /)", utc_from_timestamp,
     "The time in UTC, without a zone, at seconds since 1970."},
    {"classmethod now(cls, tz=None)", moment_now, "The local time, or the time in a zone, of now."},
    {"classmethod utcnow(cls, /)", utc_now, "The time in UTC, without a zone, of now."},
    {"classmethod combine(cls, date, time, tzinfo=<none>)", combined,
     "A date and a time of the day together, in the zone of the time unless one is given."},
    {"classmethod fromisoformat(cls, string, /)", from_iso_format, "The time of an ISO text."},
    {"classmethod strptime(cls, string, format, /)", from_format,
     "The time of a text in a format of % codes."},
};

}  // namespace

const std::span<const NativeRow> kMomentMakers = kRows;

}  // namespace strider::lang
