// Dates and times as texts of ISO 8601: written, and read in all the forms that Python 3.11 reads.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/builtins/modules/dates/calendar.h"
#include "interpreter/builtins/modules/dates/values.h"

namespace strider::lang {

// Digits, with zeros (or another character) in front up to a width.
void append_number(std::string& text, std::int64_t number, int width, char filler = '0');
// 2024-02-29
void append_day(std::string& text, const CalendarDay& day);
// 13:45:30, as exact as a timespec says. ValueError for unknown ones.
void append_clock(std::string& text, const Clock& clock, std::string_view timespec = "auto");
// +02:00, with seconds where there are any.
void append_offset(std::string& text, const TimeDelta& offset, std::string_view separator = ":");

// How much of a text is its date, for one that goes on with a time; npos where it is no date.
std::size_t day_length(std::string_view text);
// The day of a text, which is a date from its beginning; false where it is none. Days that there
// are not in the calendar are not refused.
bool read_day(std::string_view text, CalendarDay& day);

// A time of the day as it is read, and its offset from UTC where it has one.
struct ReadClock {
  Clock clock;
  bool has_offset = false;
  std::int64_t offset = 0;  // microseconds
};
bool read_clock(std::string_view text, ReadClock& read);
// The zone that was read: None, UTC or another. ValueError for a day and more.
Value zone_of(const ReadClock& read);

}  // namespace strider::lang
