// The module _days: what datetime computes most, the days of the Gregorian calendar and times as
// microseconds since 1 January of year 1. Knows no time zones.
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>

#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kSecond = 1000000, kDay = 86400 * kSecond;
constexpr std::int64_t kEpoch = 719163;  // the number of 1 January 1970; day 1 begins year 1
constexpr std::string_view kDayNames[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                          "Friday", "Saturday", "Sunday"};
constexpr std::string_view kMonthNames[] = {"January",   "February", "March",    "April",
                                            "May",       "June",     "July",     "August",
                                            "September", "October",  "November", "December"};

// Year, month, day, hour, minute, second and microsecond.
using Parts = std::array<std::int64_t, 7>;
enum Part { kYear, kMonth, kDayOfMonth, kHour, kMinute, kSeconds, kMicrosecond };

std::int64_t ordinal_of(std::int64_t year, std::int64_t month, std::int64_t day) {
  std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                   std::chrono::month(static_cast<unsigned>(month)),
                                   std::chrono::day(1)};
  return std::chrono::sys_days(date).time_since_epoch().count() + kEpoch + day - 1;
}

void split_ordinal(std::int64_t ordinal, Parts& parts) {
  std::chrono::sys_days day{std::chrono::days(ordinal - kEpoch)};
  std::chrono::year_month_day date(day);
  parts[kYear] = static_cast<int>(date.year());
  parts[kMonth] = static_cast<unsigned>(date.month());
  parts[kDayOfMonth] = static_cast<unsigned>(date.day());
}

Parts to_parts(const Parameters& p, std::size_t first = 0, std::size_t count = 7) {
  Parts parts{1, 1, 1};
  for (std::size_t i = 0; i < count; ++i) parts[i] = to_int64(p[first + i]);
  return parts;
}

Value ordinal(const Parameters& p) {
  return Value::integer(ordinal_of(to_int64(p[0]), to_int64(p[1]), to_int64(p[2])));
}

Value tuple_of(const Parts& parts, std::size_t count) {
  Values items;
  items.reserve(count);
  for (std::size_t i = 0; i < count; ++i) items.push_back(Value::integer(parts[i]));
  return make_tuple(std::move(items));
}

Value date_of(const Parameters& p) {
  Parts parts{};
  split_ordinal(to_int64(p[0]), parts);
  return tuple_of(parts, 3);
}

Value moment(const Parameters& p) {
  Parts parts = to_parts(p);
  std::int64_t days = ordinal_of(parts[kYear], parts[kMonth], parts[kDayOfMonth]) - 1;
  std::int64_t seconds = (parts[kHour] * 60 + parts[kMinute]) * 60 + parts[kSeconds];
  return Value::integer((days * 86400 + seconds) * kSecond + parts[kMicrosecond]);
}

Value parts_of(const Parameters& p) {
  std::int64_t total = to_int64(p[0]), days = total / kDay, rest = total % kDay;
  Parts parts{};
  split_ordinal(days + 1, parts);
  parts[kHour] = rest / (3600 * kSecond);
  parts[kMinute] = rest / (60 * kSecond) % 60;
  parts[kSeconds] = rest / kSecond % 60;
  parts[kMicrosecond] = rest % kSecond;
  return tuple_of(parts, 7);
}

bool is_between(const Value& value, std::int64_t least, std::int64_t most) {
  return value.is_int() && value.as_int() >= least && value.as_int() <= most;
}

// moment_of(year, month, day, hour, minute, second, microsecond)
Value moment_of(const Parameters& p) {
  constexpr std::int64_t kLeast[] = {1, 1, 1, 0, 0, 0, 0};
  constexpr std::int64_t kMost[] = {9999, 12, 31, 23, 59, 59, 999999};
  for (std::size_t i = 0; i < 7; ++i)
    if (!is_between(p[i], kLeast[i], kMost[i])) return Value::none();
  std::chrono::year_month_day date{std::chrono::year(static_cast<int>(p[0].as_int())),
                                   std::chrono::month(static_cast<unsigned>(p[1].as_int())),
                                   std::chrono::day(static_cast<unsigned>(p[2].as_int()))};
  return date.ok() ? moment(p) : Value::none();
}

constexpr double kMostSeconds = 1e12;  // more than any calendar here counts

// Seconds as microseconds: what is behind the point of a float by itself, half of a microsecond to
// the even one.
std::int64_t microseconds_of(const Value& timestamp) {
  bool real = timestamp.is_float() || is_instance(timestamp, float_type());
  double number = real ? to_double(timestamp) : static_cast<double>(to_int64(timestamp));
  if (std::isnan(number)) raise(errors::ValueError, "Invalid value NaN (not a number)");
  if (!(std::fabs(number) < kMostSeconds))
    raise(errors::OverflowError, "timestamp out of range for platform time_t");
  double whole, part = std::modf(number, &whole);
  return static_cast<std::int64_t>(whole) * kSecond +
         static_cast<std::int64_t>(std::nearbyint(part * static_cast<double>(kSecond)));
}

std::int64_t local_offset(std::int64_t seconds) {
  std::time_t time = seconds;
  std::tm local{};
  return localtime_r(&time, &local) ? local.tm_gmtoff : 0;
}

// Whether the local clock, this far from UTC at that time, has shown the same less than a day
// before.
bool is_second_showing(std::int64_t seconds, std::int64_t offset) {
  std::int64_t before = local_offset(seconds - 86400);
  return before > offset && local_offset(seconds - (before - offset)) == before;
}

// local_moment(timestamp)
Value local_moment(const Parameters& p) {
  std::int64_t total = microseconds_of(p[0]), seconds = total / kSecond - (total % kSecond < 0);
  std::int64_t offset = local_offset(seconds);
  std::int64_t moment = total + (offset + (kEpoch - 1) * 86400) * kSecond;
  std::chrono::sys_days day{std::chrono::days((seconds + offset) / 86400)};
  int year = static_cast<int>(std::chrono::year_month_day(day).year());
  if (year < 1 || year > 9999) raise(errors::ValueError, "year {} is out of range", year);
  return make_tuple({Value::integer(moment), Value::integer(is_second_showing(seconds, offset))});
}

void append_digits(std::string& text, std::int64_t number, int width, char filler = '0') {
  std::string digits = std::to_string(number);
  for (int i = static_cast<int>(digits.size()); i < width; ++i) text += filler;
  text += digits;
}

void append_date(std::string& text, const Parts& parts) {
  append_digits(text, parts[kYear], 4);
  append_digits(text += '-', parts[kMonth], 2);
  append_digits(text += '-', parts[kDayOfMonth], 2);
}

void append_clock(std::string& text, const Parts& parts) {
  append_digits(text, parts[kHour], 2);
  append_digits(text += ':', parts[kMinute], 2);
  append_digits(text += ':', parts[kSeconds], 2);
}

// iso_text(year, month, day, hour, minute, second, microsecond, separator)
Value iso_text(const Parameters& p) {
  Parts parts = to_parts(p);
  std::string text;
  append_date(text, parts);
  text += text_of(p[7]);
  append_clock(text, parts);
  if (parts[kMicrosecond]) append_digits(text += '.', parts[kMicrosecond], 6);
  return make_str(std::move(text));
}

std::int64_t weekday_of(const Parts& parts) {  // Monday 0
  return (ordinal_of(parts[kYear], parts[kMonth], parts[kDayOfMonth]) + 6) % 7;
}

// Appends what a code of strftime stands for; false where it is none of the common ones.
bool append_code(std::string& text, char code, const Parts& parts) {
  std::int64_t hour = parts[kHour];
  switch (code) {
    case 'Y':
      return append_digits(text, parts[kYear], 1), true;
    case 'y':
      return append_digits(text, parts[kYear] % 100, 2), true;
    case 'm':
      return append_digits(text, parts[kMonth], 2), true;
    case 'd':
      return append_digits(text, parts[kDayOfMonth], 2), true;
    case 'e':
      return append_digits(text, parts[kDayOfMonth], 2, ' '), true;
    case 'H':
      return append_digits(text, hour, 2), true;
    case 'I':
      return append_digits(text, (hour + 11) % 12 + 1, 2), true;
    case 'M':
      return append_digits(text, parts[kMinute], 2), true;
    case 'S':
      return append_digits(text, parts[kSeconds], 2), true;
    case 'f':
      return append_digits(text, parts[kMicrosecond], 6), true;
    case 'p':
      return text += hour < 12 ? "AM" : "PM", true;
    case 'j':
      return append_digits(text,
                           ordinal_of(parts[kYear], parts[kMonth], parts[kDayOfMonth]) -
                               ordinal_of(parts[kYear], 1, 1) + 1,
                           3),
             true;
    case 'A':
      return text += kDayNames[weekday_of(parts)], true;
    case 'a':
      return text += kDayNames[weekday_of(parts)].substr(0, 3), true;
    case 'B':
      return text += kMonthNames[parts[kMonth] - 1], true;
    case 'b':
    case 'h':
      return text += kMonthNames[parts[kMonth] - 1].substr(0, 3), true;
    case 'F':
      return append_date(text, parts), parts[kYear] >= 1000;
    case 'T':
      return append_clock(text, parts), true;
    case '%':
      return text += '%', true;
    default:
      return false;
  }
}

// format(text, year, month, day, hour, minute, second, microsecond)
Value format(const Parameters& p) {
  if (!is_str(p[0])) return Value::none();
  Parts parts = to_parts(p, 1);
  std::string_view given = text_of(p[0]);
  std::string text;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] != '%' || i + 1 == given.size())
      text += given[i];
    else if (!append_code(text, given[++i], parts))
      return Value::none();
  }
  return make_str(std::move(text));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads the text where it has the form of a model, in which 0 stands for a digit and ? for any
// other character of ASCII; its numbers.
bool read_form(std::string_view text, std::string_view model, Parts& parts) {
  if (text.size() != model.size()) return false;
  std::size_t part = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool digit = model[i] == '0';
    if (digit != is_digit(text[i]) || static_cast<unsigned char>(text[i]) >= 0x80) return false;
    if (!digit && model[i] != '?' && text[i] != model[i]) return false;
    if (i > 0 && !digit) parts[++part] = 0;
    if (digit) parts[part] = parts[part] * 10 + (text[i] - '0');
  }
  return true;
}

// The parts of ISO text in one of its common forms; None for others.
Value read_iso(const Parameters& p) {
  std::string_view text = text_of(p[0]);
  Parts parts{};
  if (read_form(text, "0000-00-00", parts)) return tuple_of(parts, 3);
  parts = {};
  if (read_form(text, "0000-00-00?00:00:00", parts)) return tuple_of(parts, 6);
  parts = {};
  if (read_form(text, "0000-00-00?00:00:00.000000", parts)) return tuple_of(parts, 7);
  return Value::none();
}

#define PARTS "year, month, day, hour, minute, second, microsecond"

const NativeRow kFunctions[] = {
    {"ordinal(year, month, day, /)", ordinal, "The number of a day; day 1 begins year 1."},
    {"date_of(ordinal, /)", date_of, "Year, month and day of the number of a day."},
    {"moment(" PARTS ", /)", moment, "The microseconds since 1 January of year 1."},
    {"parts_of(moment, /)", parts_of, "Year to microsecond of such microseconds."},
    {"moment_of(" PARTS ", /)", moment_of,
     "The same of what may be no parts of a time, or no integers: None then."},
    {"local_moment(timestamp, /)", local_moment,
     "The same of the local clock at seconds since 1970, and the fold."},
    {"iso_text(" PARTS ", separator, /)", iso_text, "A time as ISO text."},
    {"read_iso(text, /)", read_iso,
     "The parts of common ISO text, 3, 6 or 7; None for other text."},
    {"format(text, " PARTS ", /)", format,
     "A time in a format of % codes; None where one is not common."},
};

}  // namespace

const NativeModule kDaysModule = {"_days", "Days and times as numbers.", kFunctions, {}};

}  // namespace strider::lang
