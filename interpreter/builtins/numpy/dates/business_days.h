// Days that are worked on, for the functions of numpy in npx: each answers None where its arguments
// take more care than a unit of days, a week of seven truths and a row of holidays.
#pragma once

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// days_worked(dates, week, holidays): whether dates are worked on.
Value days_worked(const Parameters& p);
// count_days(first, last, week, holidays): the days worked on from the first date up to the last.
Value count_days(const Parameters& p);
// move_days(dates, offsets, roll, week, holidays): dates moved by numbers of days worked on.
Value move_days(const Parameters& p);

}  // namespace strider::lang
