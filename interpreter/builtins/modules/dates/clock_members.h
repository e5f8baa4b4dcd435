// What `time` and `datetime` have in common: the parts of the clock, the zone and what it says.
#pragma once

#include "interpreter/builtins/modules/dates/values.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

// Class T: TimeOfDay or DateTime.
template <class T>
inline constexpr PropertyRow kClockProperties[] = {
    {"hour", [](const Value& self) { return Value::integer(self.as<T>()->hour()); }, nullptr,
     "The hour, 0 to 23."},
    {"minute", [](const Value& self) { return Value::integer(self.as<T>()->minute()); }, nullptr,
     "The minute, 0 to 59."},
    {"second", [](const Value& self) { return Value::integer(self.as<T>()->second()); }, nullptr,
     "The second, 0 to 59."},
    {"microsecond", [](const Value& self) { return Value::integer(self.as<T>()->microsecond()); },
     nullptr, "The microsecond, 0 to 999999."},
    {"tzinfo", [](const Value& self) { return self.as<T>()->zone; }, nullptr, "The zone, or None."},
    {"fold", [](const Value& self) { return Value::integer(self.as<T>()->fold); }, nullptr,
     "1 for the second of two equal local times."},
};

// What zones are asked about.
inline Value asked_moment(const Value& self) { return is_datetime(self) ? self : Value::none(); }

template <class T>
inline constexpr NativeRow kZoneQuestions[] = {
    {"utcoffset(self, /)",
     [](const Parameters& p) { return offset_of(p[0].as<T>()->zone, asked_moment(p[0])); },
     "The offset of the zone from UTC, or None."},
    {"tzname(self, /)",
     [](const Parameters& p) { return name_of(p[0].as<T>()->zone, asked_moment(p[0])); },
     "The name of the zone, or None."},
    {"dst(self, /)",
     [](const Parameters& p) { return saving_of(p[0].as<T>()->zone, asked_moment(p[0])); },
     "What summer time adds, or None."},
};

// Seconds and microseconds as repr shows them behind hours and minutes, and in front of fold and
// zone; those.
std::string repr_behind_minutes(const ClockOfZone& clock);
std::string repr_of_fold(const ClockOfZone& clock);
std::string repr_of_zone(const ClockOfZone& clock);
// An offset, as ISO text has it, behind a clock; nothing for None.
void append_offset_of(std::string& text, const Value& zone, const Value& moment);
// An offset in microseconds; 0 for None.
inline std::int64_t micros_of_offset(const Value& offset) {
  return offset.is_none() ? 0 : static_cast<std::int64_t>(offset.as<TimeDelta>()->total());
}

}  // namespace strider::lang
