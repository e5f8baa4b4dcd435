// Sliding where there are few places: filters lie side by side in vectors, and places of several
// images are taken together. Knows jobs of one pass that sees all taps.
#pragma once

#include "kernels/network/slide.h"

namespace strider::nd {

// False where vectors of places do as well, or better; then nothing has been done.
template <class T>
bool slide_few_places(const SlideJob<T>& job, const Sheet& sheet, const SlidePass& pass);

}  // namespace strider::nd
