// Lines and bands of levels in a grid, by marching squares. Knows nothing of pages.
#pragma once

#include "drawing/drawing.h"

namespace strider::drawing {

Outlines level_lines(const Grid& grid, double level);
Outlines level_band(const Grid& grid, double low, double high);

}  // namespace strider::drawing
