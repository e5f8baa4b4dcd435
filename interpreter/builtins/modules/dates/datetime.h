// The methods of datetime, by file.
#pragma once

#include <span>

#include "interpreter/builtins/modules/dates/values.h"

namespace strider::lang {

// Those that make moments: of timestamps, texts, parts.
extern const std::span<const NativeRow> kMomentMakers;
// Those that turn moments into other things: of another zone, texts, tuples.
extern const std::span<const NativeRow> kMomentMethods;

enum MomentPlace {
  kYearPlace,
  kMonthPlace,
  kDayPlace,
  kHourPlace,
  kMinutePlace,
  kSecondPlace,
  kMicrosecondPlace,
  kZonePlace,
  kFoldPlace,
  kMomentPlaces
};

inline const DateTime& moment_in(const Value& value) { return *value.as<DateTime>(); }
// A moment of these parts, of a class, without calling it. ValueError, TypeError for the zone.
Value checked_datetime(Type* cls, const CalendarDay& day, const Clock& clock, const Value& zone,
                       int fold);
// The same moment of the clock in a zone, with a fold.
Value with_zone(const Value& moment, const Value& zone, bool fold);
// str(moment), by its isoformat.
Value moment_str(const Value& self);

}  // namespace strider::lang
