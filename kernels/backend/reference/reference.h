// The reference backend: runs loops point by point, without tiles, machine code, threads or shared
// rows, so that the others can be held against it. STRIDER_RENDERER=reference chooses it.
#pragma once

#include "kernels/backend/backend.h"

namespace strider::nd {

Backend& reference_backend();

}  // namespace strider::nd
