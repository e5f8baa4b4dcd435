// Common codes are written here, the others by the C library.
#include "interpreter/builtins/modules/dates/format.h"

#include <ctime>

#include "interpreter/builtins/modules/dates/iso_text.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/codec.h"

namespace strider::lang {
namespace {

constexpr std::string_view kDayNames[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                          "Friday", "Saturday", "Sunday"};
constexpr std::string_view kMonthNames[] = {"January",   "February", "March",    "April",
                                            "May",       "June",     "July",     "August",
                                            "September", "October",  "November", "December"};

// Appends what a code stands for; false where it is none of the common ones.
bool append_day_code(std::string& text, char code, const CalendarDay& day) {
  switch (code) {
    case 'Y':
      return append_number(text, day.year, 1), true;
    case 'F':
      append_number(text, day.year, 1);
      append_number(text += '-', day.month, 2);
      return append_number(text += '-', day.day, 2), true;
    case 'y':
      return append_number(text, day.year % 100, 2), true;
    case 'm':
      return append_number(text, day.month, 2), true;
    case 'd':
      return append_number(text, day.day, 2), true;
    case 'e':
      return append_number(text, day.day, 2, ' '), true;
    case 'j':
      return append_number(text, days_before_month(day.year, day.month) + day.day, 3), true;
    case 'A':
      return text += kDayNames[weekday_of(day)], true;
    case 'a':
      return text += short_day_name(weekday_of(day)), true;
    case 'B':
      return text += kMonthNames[day.month - 1], true;
    case 'b':
    case 'h':
      return text += short_month_name(day.month), true;
    default:
      return false;
  }
}

bool append_clock_code(std::string& text, char code, const Clock& clock) {
  switch (code) {
    case 'H':
      return append_number(text, clock.hour, 2), true;
    case 'I':
      return append_number(text, (clock.hour + 11) % 12 + 1, 2), true;
    case 'M':
      return append_number(text, clock.minute, 2), true;
    case 'S':
      return append_number(text, clock.second, 2), true;
    case 'f':
      return append_number(text, clock.microsecond, 6), true;
    case 'p':
      return text += clock.hour < 12 ? "AM" : "PM", true;
    case 'T':
      return append_clock(text, clock, "seconds"), true;
    case '%':
      return text += '%', true;
    default:
      return false;
  }
}

// The name of a zone. Classes of texts may say what stands in for their percent signs, which are
// doubled there.
std::string zone_name(const FormatFields& fields) {
  static const Name replace = intern("replace");
  Value name = name_of(fields.zone, fields.moment);
  if (name.is_none()) return {};
  if (name.as<Str>()->is_exact()) return std::string(text_of(name));
  name = call_method(name, replace, Value(make_str("%")), Value(make_str("%%")));
  if (!is_str(name)) raise(errors::TypeError, "tzname.replace() did not return a string");
  std::string text(text_of(name));
  for (std::size_t at = text.find("%%"); at != text.npos; at = text.find("%%", at + 1))
    text.erase(at, 1);
  return text;
}

void append_zone_code(std::string& text, char code, const FormatFields& fields) {
  if (code == 'Z') {
    text += zone_name(fields);
    return;
  }
  Value offset = offset_of(fields.zone, fields.moment);
  if (!offset.is_none()) append_offset(text, *offset.as<TimeDelta>(), "");
}

std::tm c_fields(const FormatFields& fields, const Value& saving) {
  std::tm parts{};
  parts.tm_year = fields.day.year - 1900;
  parts.tm_mon = fields.day.month - 1;
  parts.tm_mday = fields.day.day;
  parts.tm_hour = fields.clock.hour;
  parts.tm_min = fields.clock.minute;
  parts.tm_sec = fields.clock.second;
  parts.tm_wday = (weekday_of(fields.day) + 1) % 7;
  parts.tm_yday = days_before_month(fields.day.year, fields.day.month) + fields.day.day - 1;
  parts.tm_isdst = saving.is_none() ? -1 : saving.as<TimeDelta>()->total() != 0;
  return parts;
}

// How long a code is that begins with a percent sign: flags, a width, E or O, a letter.
std::size_t code_length(std::string_view format) {
  std::size_t end = 1;
  auto skip = [&](std::string_view characters) {
    while (end < format.size() && characters.find(format[end]) != characters.npos) ++end;
  };
  skip("_-0^#+");
  skip("0123456789");
  skip("EO");
  return std::min(end + 1, format.size());
}

void append_by_library(std::string& text, std::string_view code, const FormatFields& fields,
                       const Value& saving) {
  std::tm parts = c_fields(fields, saving);
  std::string format(code), written(64, '\0');
  format += ' ';  // so that an empty result differs from a full buffer
  std::size_t size;
  while ((size = std::strftime(written.data(), written.size(), format.c_str(), &parts)) == 0)
    written.resize(written.size() * 2);
  text.append(written, 0, size - 1);
}

}  // namespace

std::string_view short_day_name(int weekday) { return kDayNames[weekday].substr(0, 3); }
std::string_view short_month_name(int month) { return kMonthNames[month - 1].substr(0, 3); }

Value format_fields(const FormatFields& fields, const Value& format) {
  std::string_view given = to_text(format, "strftime() argument 1");
  if (!format.as<Str>()->is_ascii()) encode_text(given);  // refuses surrogates
  given = given.substr(0, given.find('\0'));
  bool asked = !fields.moment.is_none();  // zones are, as by timetuple
  Value saving = asked ? saving_of(fields.zone, fields.moment) : Value::none();
  std::string text;
  for (std::size_t at = 0; at < given.size();) {
    if (given[at] != '%' || at + 1 == given.size()) {
      text += given[at++];
      continue;
    }
    char code = given[at + 1];
    if (code == 'z' || code == 'Z') {
      append_zone_code(text, code, fields);
      at += 2;
    } else if (append_day_code(text, code, fields.day) ||
               append_clock_code(text, code, fields.clock)) {
      at += 2;
    } else {
      std::size_t length = code_length(given.substr(at));
      append_by_library(text, given.substr(at, length), fields, saving);
      at += length;
    }
  }
  return make_str(std::move(text));
}

Value format_by_spec(const Value& value, const Value& spec) {
  static const Name strftime = intern("strftime");
  if (!is_str(spec))
    raise(errors::TypeError, "__format__() argument 1 must be str, not {}", type_name(spec));
  if (text_of(spec).empty()) return str(value);
  Value text = call_method(value, strftime, spec);
  if (!is_str(text))
    raise(errors::TypeError, "__format__ must return a str, not {}", type_name(text));
  return text;
}

Value str_by_method(const Value& value, Name method) {
  Value text = call_method(value, method);
  if (!is_str(text))
    raise(errors::TypeError, "__str__ returned non-string (type {})", type_name(text));
  return text;
}

}  // namespace strider::lang
