// Polylines with fewer points that look the same: runs of points in one narrow column become their
// first, lowest, highest and last. Knows nothing of pens.
#pragma once

#include <cstdint>
#include <vector>

#include "drawing/mapping.h"

namespace strider::drawing {

// The connected pieces of a line in page coordinates, cut to what may be seen.
using Pieces = std::vector<std::vector<Point>>;
Pieces simplified(const Points& points, const Projection& projection);

// Whether every step of the piece goes along one axis.
bool is_rectilinear(const std::vector<Point>& piece);
// Moves points to where a pen of this width covers whole pixels.
void snap(std::vector<Point>& piece, double width);

}  // namespace strider::drawing
