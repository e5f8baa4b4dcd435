// Reading goes by the form of the text, from the left; nothing is tried twice.
#include "interpreter/builtins/modules/dates/iso_text.h"

#include <algorithm>

#include "interpreter/runtime/error/error.h"

namespace strider::lang {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A text that is read from the left.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool at_end() const { return at_ == text_.size(); }
  // The next character; 0 at the end.
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool skip(char c) {
    if (peek() != c || at_end()) return false;
    ++at_;
    return true;
  }
  bool read_digits(int count, int& number) {
    number = 0;
    for (int i = 0; i < count; ++i) {
      if (!is_digit(peek())) return false;
      number = number * 10 + (text_[at_++] - '0');
    }
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool read_week_day(Reader& reader, bool dashed, int year, CalendarDay& day) {
  IsoDay iso{year, 0, 1};
  if (!reader.read_digits(2, iso.week)) return false;
  if (!reader.at_end()) {
    if (dashed && !reader.skip('-')) return false;
    if (!reader.read_digits(1, iso.weekday)) return false;
  }
  if (year < kFirstYear || iso.week < 1 || iso.week > weeks_of_iso_year(year) || iso.weekday < 1 ||
      iso.weekday > 7)
    return false;
  day = day_of_ordinal(ordinal_of_iso(iso));
  return true;
}

// Hours, and as many of minutes, seconds and a fraction as there are before a place.
enum class ReadParts { kNone, kAll, kBeginning };

ReadParts read_parts(std::string_view text, std::size_t at, std::size_t end, Clock& clock) {
  auto character = [&](std::size_t place) { return place < text.size() ? text[place] : '\0'; };
  auto read_digits = [&](std::size_t count, int& number) {
    for (number = 0; count > 0 && is_digit(character(at)); --count)
      number = number * 10 + (character(at++) - '0');
    return count == 0;
  };
  auto told = [&](char next) { return next == '\0' ? ReadParts::kAll : ReadParts::kBeginning; };
  int* parts[] = {&clock.hour, &clock.minute, &clock.second};
  bool colons = true;
  for (int i = 0; i < 3; ++i) {
    if (!read_digits(2, *parts[i])) return ReadParts::kNone;
    char next = character(at++);
    if (i == 0) colons = next == ':';
    if (at >= end) return told(next);
    if (next == '.' || next == ',') break;
    if (colons && next != ':') return ReadParts::kNone;
    if (!colons) --at;
  }
  std::size_t digits = std::min<std::size_t>(end - at, 6);  // more are left out
  if (!read_digits(digits, clock.microsecond)) return ReadParts::kNone;
  for (; digits < 6; ++digits) clock.microsecond *= 10;
  while (is_digit(character(at))) ++at;
  return told(character(at));
}

std::size_t week_day_length(std::string_view text) {
  std::size_t digits = 7;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits < 9) return digits;
  return digits % 2 == 0 ? 7 : 8;  // the parts of a time have two digits each
}

}  // namespace

void append_number(std::string& text, std::int64_t number, int width, char filler) {
  char digits[24];
  int count = 0;
  bool negative = number < 0;
  auto rest = negative ? -static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  do digits[count++] = static_cast<char>('0' + rest % 10);
  while (rest /= 10);
  if (negative) digits[count++] = '-';
  for (int i = count; i < width; ++i) text += filler;
  while (count > 0) text += digits[--count];
}

void append_day(std::string& text, const CalendarDay& day) {
  append_number(text, day.year, 4);
  append_number(text += '-', day.month, 2);
  append_number(text += '-', day.day, 2);
}

void append_clock(std::string& text, const Clock& clock, std::string_view timespec) {
  constexpr std::string_view kSpecs[] = {"hours",        "minutes",      "seconds",
                                         "milliseconds", "microseconds", "auto"};
  std::size_t spec = 0;
  while (spec < std::size(kSpecs) && kSpecs[spec] != timespec) ++spec;
  if (spec == std::size(kSpecs)) raise(errors::ValueError, "Unknown timespec value");
  if (timespec == "auto") spec = clock.microsecond ? 4 : 2;
  append_number(text, clock.hour, 2);
  if (spec >= 1) append_number(text += ':', clock.minute, 2);
  if (spec >= 2) append_number(text += ':', clock.second, 2);
  if (spec == 3) append_number(text += '.', clock.microsecond / 1000, 3);
  if (spec == 4) append_number(text += '.', clock.microsecond, 6);
}

void append_offset(std::string& text, const TimeDelta& offset, std::string_view separator) {
  Micros total = offset.total();
  text += total < 0 ? '-' : '+';
  Clock clock = clock_of_micros(static_cast<std::int64_t>(total < 0 ? -total : total));
  append_number(text, clock.hour, 2);
  append_number(text += separator, clock.minute, 2);
  if (clock.second || clock.microsecond) append_number(text += separator, clock.second, 2);
  if (clock.microsecond) append_number(text += '.', clock.microsecond, 6);
}

// Forms: YYYY-MM-DD, YYYYMMDD, YYYY-Www, YYYYWww, YYYY-Www-D, YYYYWwwD.
std::size_t day_length(std::string_view text) {
  if (text.size() < 7) return text.npos;
  if (text.size() == 7) return 7;
  if (text[4] != '-') return text[4] == 'W' ? week_day_length(text) : 8;
  if (text[5] != 'W') return 10;
  if (text.size() == 8 || text[8] != '-') return 8;
  if (text.size() == 9) return text.npos;
  return text.size() > 10 && is_digit(text[10]) ? 8 : 10;
}

bool read_day(std::string_view text, CalendarDay& day) {
  Reader reader(text);
  if (!reader.read_digits(4, day.year)) return false;
  bool dashed = reader.skip('-');
  if (reader.skip('W')) return read_week_day(reader, dashed, day.year, day);
  if (!reader.read_digits(2, day.month)) return false;
  if (dashed && !reader.skip('-')) return false;
  return reader.read_digits(2, day.day);
}

// In front of an offset, what follows the parts of a time is not looked at, as in Python 3.11.
bool read_clock(std::string_view text, ReadClock& read) {
  std::size_t place = 0;
  while (place < text.size() && text[place] != '+' && text[place] != '-' && text[place] != 'Z')
    ++place;
  read.has_offset = place < text.size();
  if (!read.has_offset) return read_parts(text, 0, text.size(), read.clock) == ReadParts::kAll;
  if (read_parts(text, 0, place, read.clock) == ReadParts::kNone) return false;
  if (text[place] == 'Z') return place + 1 == text.size();
  Clock offset;
  if (read_parts(text, place + 1, text.size(), offset) != ReadParts::kAll) return false;
  read.offset = text[place] == '-' ? -micros_of(offset) : micros_of(offset);
  return true;
}

Value zone_of(const ReadClock& read) {
  if (!read.has_offset) return Value::none();
  if (read.offset == 0) return FixedZone::utc();
  return make_fixed_zone(make_delta(read.offset).as<TimeDelta>());
}

}  // namespace strider::lang
