// What date.isocalendar gives: a tuple of year, week and weekday with names.
#pragma once

#include "interpreter/builtins/modules/dates/calendar.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

Type& iso_calendar_type();
Value make_iso_calendar(const IsoDay& day);

}  // namespace strider::lang
