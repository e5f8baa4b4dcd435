// Elements arranged in the pretended device's memory by plain loops, from the contract alone.
#pragma once

#include "kernels/backend/arranger.h"

namespace strider::nd {

Arranger& mirror_arranger();

}  // namespace strider::nd
