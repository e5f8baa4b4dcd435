// datetime: what moments are turned into.
#include "interpreter/builtins/modules/dates/clock_members.h"
#include "interpreter/builtins/modules/dates/datetime.h"
#include "interpreter/builtins/modules/dates/delta_arithmetic.h"
#include "interpreter/builtins/modules/dates/fields.h"
#include "interpreter/builtins/modules/dates/format.h"
#include "interpreter/builtins/modules/dates/iso_text.h"
#include "interpreter/builtins/modules/dates/timestamps.h"
#include "interpreter/builtins/modules/system/time_fields.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kEpochMoment = (kEpochOrdinal - 1) * kDayMicros;

std::int64_t floor_seconds(std::int64_t micros) {
  return micros / kSecondMicros - (micros % kSecondMicros < 0);
}

// The seconds since 1970 of a moment without a zone, by the local clock.
std::int64_t local_seconds(const DateTime& moment) {
  return seconds_of_local(floor_seconds(moment.moment() - kEpochMoment), moment.fold);
}

Value local_zone(std::int64_t seconds) {
  LocalZone local = local_zone_at(seconds);
  Value offset = make_delta(Micros{local.offset} * kSecondMicros);
  Value name = local.name ? Value(make_str(local.name)) : Value::none();
  return make<FixedZone>(offset.as<TimeDelta>(), name);
}

Value date_part(const Parameters& p) { return make<Date>(moment_in(p[0]).parts()); }

Value time_part(const Parameters& p) {
  return make<TimeOfDay>(moment_in(p[0]).clock(), Value::none(), moment_in(p[0]).fold);
}

Value time_part_in_zone(const Parameters& p) {
  const DateTime& moment = moment_in(p[0]);
  return make<TimeOfDay>(moment.clock(), moment.zone, moment.fold);
}

Value timestamp(const Parameters& p) {
  const DateTime& moment = moment_in(p[0]);
  Value offset = offset_of(moment.zone, p[0]);
  if (!offset.is_none())
    return Value::real(seconds_of(moment.moment() - kEpochMoment - micros_of_offset(offset)));
  return Value::real(static_cast<double>(local_seconds(moment)) +
                     moment.microsecond() / static_cast<double>(kSecondMicros));
}

// In UTC first; the other zone does the rest.
Value in_zone(const Parameters& p) {
  const DateTime& moment = moment_in(p[0]);
  check_zone(p[1]);
  if (!p[1].is_none() && identical(moment.zone, p[1])) return p[0];
  Value offset = offset_of(moment.zone, p[0]);
  std::int64_t ahead = micros_of_offset(offset);
  if (offset.is_none()) {
    std::int64_t seconds = local_seconds(moment);
    ahead = local_zone_at(seconds).offset * kSecondMicros;
  }
  std::int64_t utc = moment.moment() - ahead;
  Value zone = p[1].is_none() ? local_zone(floor_seconds(utc - kEpochMoment)) : p[1];
  return moment_in_zone(utc, zone, type_of(p[0]));
}

Value replaced(const Parameters& p) {
  const DateTime& moment = moment_in(p[0]);
  auto part = [&](int place, int own) { return field_of(p[1 + place], own); };
  CalendarDay day{part(kYearPlace, moment.year()), part(kMonthPlace, moment.month()),
                  part(kDayPlace, moment.day())};
  Clock clock{part(kHourPlace, moment.hour()), part(kMinutePlace, moment.minute()),
              part(kSecondPlace, moment.second()), part(kMicrosecondPlace, moment.microsecond())};
  const Value& zone = p.has(1 + kZonePlace) ? p[1 + kZonePlace] : moment.zone;
  return checked_datetime(type_of(p[0]), day, clock, zone, part(kFoldPlace, moment.fold));
}

Value iso_text_of(const Value& self, std::string_view separator, std::string_view timespec) {
  const DateTime& moment = moment_in(self);
  std::string text;
  text.reserve(40);
  append_day(text, moment.parts());
  append_clock(text += separator, moment.clock(), timespec);
  append_offset_of(text, moment.zone, self);
  return make_str(std::move(text));
}

Value iso_format(const Parameters& p) {
  if (!is_str(p[1]) || p[1].as<Str>()->size() != 1)
    raise(errors::TypeError, "isoformat() argument 1 must be a unicode character, not {}",
          type_name(p[1]));
  return iso_text_of(p[0], text_of(p[1]), to_text(p[2], "isoformat() argument 2"));
}

Value formatted(const Parameters& p) {
  const DateTime& moment = moment_in(p[0]);
  return format_fields({moment.parts(), moment.clock(), moment.zone, p[0]}, p[1]);
}

Value moment_ctime(const Parameters& p) {
  const DateTime& moment = moment_in(p[0]);
  return make_str(fmt::format("{} {} {:2} {:02}:{:02}:{:02} {:04}",
                              short_day_name(weekday_of(moment.parts())),
                              short_month_name(moment.month()), moment.day(), moment.hour(),
                              moment.minute(), moment.second(), moment.year()));
}

Value time_tuple(const Parameters& p) {
  const DateTime& moment = moment_in(p[0]);
  Value saving = saving_of(moment.zone, p[0]);
  int flag = saving.is_none() ? -1 : saving.as<TimeDelta>()->total() != 0;
  return make_time_tuple(moment.parts(), moment.clock(), flag);
}

Value utc_time_tuple(const Parameters& p) {
  const DateTime& moment = moment_in(p[0]);
  std::int64_t total = moment.moment() - micros_of_offset(offset_of(moment.zone, p[0]));
  if (total < 0 || total >= kLastOrdinal * kDayMicros)
    raise(errors::OverflowError, "date value out of range");
  return make_time_tuple(day_of_ordinal(total / kDayMicros + 1),
                         clock_of_micros(total % kDayMicros), 0);
}

constexpr NativeRow kRows[] = {
    {"date(self, /)", date_part, "The date."},
    {"time(self, /)", time_part, "The time of the day without a zone."},
    {"timetz(self, /)", time_part_in_zone, "The time of the day with the zone."},
    {"timestamp(self, /)", timestamp,
     "The seconds since 1970 in UTC; without a zone, by the local clock."},
    {"astimezone(self, tz=None)", in_zone,
     "The same moment in another zone, the local one by default."},
    {"replace(self, year=<none>, month=<none>, day=<none>, hour=<none>, minute=<none>, "
     "second=<none>, microsecond=<none>, tzinfo=<none>, *, fold=<none>)",
     replaced, "A time with some parts changed."},
    {"isoformat(self, sep='T', timespec='auto')", iso_format,
     "The time as ISO text. timespec: 'hours', 'minutes', 'seconds', 'milliseconds', "
     "'microseconds', or 'auto', which leaves out microseconds of zero."},
    {"strftime(self, format)", formatted, "The time in a format of % codes."},
    {"ctime(self, /)", moment_ctime, "The time as C's ctime writes it."},
    {"timetuple(self, /)", time_tuple, "The time as a time.struct_time."},
    {"utctimetuple(self, /)", utc_time_tuple, "The time in UTC as a time.struct_time."},
};

}  // namespace

const std::span<const NativeRow> kMomentMethods = kRows;

Value moment_str(const Value& self) {
  static const Name isoformat = intern("isoformat");
  if (type_of(self) == &DateTime::type_object()) return iso_text_of(self, " ", "auto");
  Value text = call_method(self, isoformat, Value(make_str(" ")));
  if (!is_str(text))
    raise(errors::TypeError, "__str__ returned non-string (type {})", type_name(text));
  return text;
}

}  // namespace strider::lang
