// Half a turn, for angles of doubles.
#pragma once

#include "kernels/backend/cpu/routines/lanes.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// In two parts.
constexpr double kHalfTurnHigh = 0x1.921fb54442d18p+1, kHalfTurnLow = 0x1.1a62633145c07p-53;

}  // namespace strider::nd::STRIDER_TARGET::lanes
