// Many counts of time brought to another unit. Knows no arrays and no values of the language.
#pragma once

#include <span>

#include "interpreter/builtins/numpy/dates/calendar.h"

namespace strider::lang {

// Changes counts of moments, or of lengths of time, in place, as convert_moment() and
// convert_span() do with each. False, with counts that mean nothing any more, where one of them
// would fail.
bool change_units(std::span<Count> counts, bool moments, TimeUnit from, TimeUnit to);

}  // namespace strider::lang
