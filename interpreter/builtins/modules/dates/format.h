// Dates and times as texts by formats of % codes, and read by them.
#pragma once

#include "interpreter/builtins/modules/dates/values.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

// What codes are filled from.
struct FormatFields {
  CalendarDay day;
  Clock clock;
  Value zone = Value::none();    // None: no zone
  Value moment = Value::none();  // what the zone is asked about
};

// strftime. TypeError where the format is no text.
Value format_fields(const FormatFields& fields, const Value& format);
// format(value, spec) by the value's own strftime.
Value format_by_spec(const Value& value, const Value& spec);
// str(value) by the value's own method.
Value str_by_method(const Value& value, Name method);
// The names of days and months, shortened, as ctime has them.
std::string_view short_day_name(int weekday);
std::string_view short_month_name(int month);

// The parts of a text in a format of the common codes for numbers, a year among them; false where
// either is anything else, which _strptime knows or refuses.
bool read_by_format(std::string_view text, std::string_view format, CalendarDay& day, Clock& clock);

}  // namespace strider::lang
