// Dates as records of the module time.
#pragma once

#include "interpreter/builtins/modules/dates/calendar.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// A time.struct_time of a day and a time, of no zone; `saving`: 1 in summer time, 0 outside, -1
// where that is not known.
Value make_time_tuple(const CalendarDay& day, const Clock& clock, int saving);

}  // namespace strider::lang
