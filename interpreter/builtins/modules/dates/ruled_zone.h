// The base of zoneinfo.ZoneInfo: zones that change at known moments, and by a rule behind them.
#pragma once

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

// _datetime.RuledZone, whose _know() is told what the file of a zone says.
Type& ruled_zone_type();

}  // namespace strider::lang
