// A backend that runs a GPU's kernels on the host, for tests: memory and libraries are the
// mirror's, what compiles, keeps and launches kernels is a device's own.
#pragma once

#include <string>

#include "kernels/backend/backend.h"

namespace strider::nd::cuda {

// STRIDER_RENDERER=emulator asks for it. Null, with the reason, where there is no such device or no
// compiler.
Backend* emulating_backend(int number, std::string& reason);

}  // namespace strider::nd::cuda
