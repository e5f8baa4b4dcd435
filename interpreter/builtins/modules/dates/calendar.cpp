// The Gregorian calendar, also before it was made, and the clock.
#include "interpreter/builtins/modules/dates/calendar.h"

#include <chrono>

namespace strider::lang {
namespace {

constexpr int kDaysBefore[] = {0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

// The number of the Monday that begins week 1 of an ISO year.
std::int64_t first_iso_monday(int year) {
  std::int64_t first = ordinal_of({year, 1, 1});
  std::int64_t weekday = (first + 6) % 7;
  return first - weekday + (weekday > 3 ? 7 : 0);
}

}  // namespace

bool is_leap_year(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in_month(int year, int month) {
  return month == 2 && is_leap_year(year) ? 29 : kDaysBefore[month + 1] - kDaysBefore[month];
}

int days_before_month(int year, int month) {
  return kDaysBefore[month] + (month > 2 && is_leap_year(year));
}

std::int64_t ordinal_of(const CalendarDay& day) {
  int past = day.year - 1;
  return std::int64_t{past} * 365 + past / 4 - past / 100 + past / 400 +
         days_before_month(day.year, day.month) + day.day;
}

CalendarDay day_of_ordinal(std::int64_t ordinal) {
  std::chrono::sys_days since{std::chrono::days(ordinal - kEpochOrdinal)};
  std::chrono::year_month_day date(since);
  return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day()))};
}

std::int64_t year_of_ordinal(std::int64_t ordinal) {
  constexpr std::int64_t kCycleDays = 146097, kCycleYears = 400;
  std::int64_t cycles = (ordinal - 1) / kCycleDays;
  return day_of_ordinal(ordinal - cycles * kCycleDays).year + cycles * kCycleYears;
}

int weekday_of(const CalendarDay& day) { return static_cast<int>((ordinal_of(day) + 6) % 7); }

int weeks_of_iso_year(int year) {
  return static_cast<int>((first_iso_monday(year + 1) - first_iso_monday(year)) / 7);
}

IsoDay iso_day_of(const CalendarDay& day) {
  std::int64_t today = ordinal_of(day);
  int year = day.year;
  if (today < first_iso_monday(year))
    --year;
  else if (today >= first_iso_monday(year + 1))
    ++year;
  std::int64_t since = today - first_iso_monday(year);
  return {year, static_cast<int>(since / 7) + 1, static_cast<int>(since % 7) + 1};
}

std::int64_t ordinal_of_iso(const IsoDay& day) {
  return first_iso_monday(day.year) + (day.week - 1) * 7 + day.weekday - 1;
}

std::int64_t micros_of(const Clock& clock) {
  return ((clock.hour * std::int64_t{60} + clock.minute) * 60 + clock.second) * kSecondMicros +
         clock.microsecond;
}

Clock clock_of_micros(std::int64_t micros) {
  auto seconds = static_cast<int>(micros / kSecondMicros);
  return {seconds / 3600, seconds / 60 % 60, seconds % 60,
          static_cast<int>(micros % kSecondMicros)};
}

}  // namespace strider::lang
