// A device that is none: memory of its own within the host's, computed on by the CPU's backend. It
// shows without a GPU whether elements are where they are believed to be.
#pragma once

#include "kernels/backend/backend.h"

namespace strider::nd {

Backend& mirror_backend();

}  // namespace strider::nd
