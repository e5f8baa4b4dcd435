// From data to the page's own coordinates, y downwards, kept within what cairo's numbers can hold.
// Knows nothing of how lines look.
#pragma once

#include <algorithm>
#include <cmath>

#include "drawing/drawing.h"

namespace strider::drawing {

inline constexpr double kFar = 30000;          // pixels; nothing further away is ever seen
inline constexpr double kNoLogarithm = -1000;  // the logarithm of what has none

// A length that cairo can draw: none where the number is no length.
inline double bounded(double value, double least, double most) {
  return std::isfinite(value) ? std::clamp(value, least, most) : std::max(least, 0.0);
}

struct Point {
  double x = 0, y = 0;
  bool finite() const { return std::isfinite(x) && std::isfinite(y); }
};

inline double mapped(const Scale& scale, double value) {
  if (scale.logarithmic) value = value > 0 ? std::log10(value) : value <= 0 ? kNoLogarithm : value;
  return scale.factor * value + scale.offset;
}

// Applies a mapping and turns the y axis over.
class Projection {
 public:
  Projection(const Mapping& mapping, double height) : mapping_(mapping), height_(height) {}
  Point operator()(double x, double y) const {
    return {mapped(mapping_.x, x), height_ - mapped(mapping_.y, y)};
  }
  // The same, but never far outside; a gap stays a gap.
  Point near(double x, double y) const {
    Point point = (*this)(x, y);
    if (!point.finite()) return point;
    return {std::clamp(point.x, -kFar, kFar), std::clamp(point.y, -kFar, kFar)};
  }

 private:
  Mapping mapping_;
  double height_;
};

}  // namespace strider::drawing
