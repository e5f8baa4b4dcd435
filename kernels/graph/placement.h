// Placement: on which backend a plan runs. Knows backends by their contract only.
#pragma once

#include <strider/nd/array.h>

#include <initializer_list>

#include "kernels/backend/backend.h"
#include "kernels/graph/passes.h"

namespace strider::nd {

// The backend for a plan whose last loop writes into the target's elements, if there is one.
Backend& place(const Plan& plan, const Storage* target);
// The backend for work on elements that lie where the program asked for it.
Backend& backend_in_use();

// The backend whose library should do work on these arrays, large or on its device already; null:
// the host should. The elements are computed when they are asked for.
Backend* place_library(std::initializer_list<const Array*> arrays);

}  // namespace strider::nd
