// Seconds since 1970 and the local clock, by the zone of this machine.
#pragma once

#include "interpreter/builtins/modules/dates/calendar.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// A time as whole seconds since 1970 and the microseconds behind them.
struct Timestamp {
  std::int64_t seconds;
  int micros;
};

// An int or float of seconds; half a microsecond becomes the even one. TypeError, ValueError for
// NaN, OverflowError.
Timestamp timestamp_of(const Value& seconds);
Timestamp now();
// The microseconds since the beginning of year 1 in UTC. OSError, ValueError outside the years.
std::int64_t moment_of(const Timestamp& timestamp);

// The same on the local clock, and whether that shows it for the second time.
struct LocalMoment {
  std::int64_t moment;
  bool fold;
};
LocalMoment local_moment_of(const Timestamp& timestamp);
// How far the local clock is ahead of UTC, in seconds, and the name of its zone there.
struct LocalZone {
  std::int64_t offset;
  const char* name;
};
LocalZone local_zone_at(std::int64_t seconds);
// The seconds since 1970 at which the local clock shows so many seconds since 1970; where it shows
// them twice or never, `fold` chooses. ValueError where the years end less than a day away.
std::int64_t seconds_of_local(std::int64_t wall, bool fold);

}  // namespace strider::lang
