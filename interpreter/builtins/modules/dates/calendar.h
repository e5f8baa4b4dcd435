// The Gregorian calendar and the clock as numbers. Knows no objects of the language.
#pragma once

#include <cstdint>

namespace strider::lang {

constexpr std::int64_t kSecondMicros = 1000000;
constexpr std::int64_t kDayMicros = 86400 * kSecondMicros;
constexpr std::int64_t kEpochOrdinal = 719163;  // of 1 January 1970
constexpr int kFirstYear = 1, kLastYear = 9999;
constexpr std::int64_t kLastOrdinal = 3652059;  // of 31 December 9999

// A day; those of programs lie between kFirstYear and kLastYear.
struct CalendarDay {
  int year = 1, month = 1, day = 1;
};

// A time of the day.
struct Clock {
  int hour = 0, minute = 0, second = 0, microsecond = 0;
};

// A day by the weeks of ISO 8601; Monday is 1.
struct IsoDay {
  int year, week, weekday;
};

bool is_leap_year(int year);
int days_in_month(int year, int month);
// The days of the year before a month.
int days_before_month(int year, int month);
// The number of a day; day 1 begins year 1.
std::int64_t ordinal_of(const CalendarDay& day);
// The day of a number up to kLastOrdinal, or a little more; the year of any from 1 on.
CalendarDay day_of_ordinal(std::int64_t ordinal);
std::int64_t year_of_ordinal(std::int64_t ordinal);
// Monday 0.
int weekday_of(const CalendarDay& day);
// The number of weeks of an ISO year.
int weeks_of_iso_year(int year);
IsoDay iso_day_of(const CalendarDay& day);
// The number of a day of ISO weeks, which is one.
std::int64_t ordinal_of_iso(const IsoDay& day);
// Microseconds since midnight, and back.
std::int64_t micros_of(const Clock& clock);
Clock clock_of_micros(std::int64_t micros);

}  // namespace strider::lang
