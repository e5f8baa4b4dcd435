// Points, lines, polygons and rectangles. Lines follow Bresenham; polygons are filled row by row
// between where their edges cross the row.
#include "pictures/painter.h"

namespace strider::pictures {
namespace {

struct Point {
  std::int64_t x, y;
};

Point point_at(std::span<const double> xy, std::size_t index) {
  return {whole(xy[2 * index]), whole(xy[2 * index + 1])};
}

// All pixels but the last.
void thin_line(Painter& painter, Point from, Point to) {
  const std::int64_t x_step = to.x < from.x ? -1 : 1, y_step = to.y < from.y ? -1 : 1;
  const std::int64_t width = std::abs(to.x - from.x), height = std::abs(to.y - from.y);
  const bool flat = width > height;
  const std::int64_t length = std::max(width, height), rise = std::min(width, height);
  std::int64_t error = 2 * rise - length;
  for (std::int64_t i = 0; i < length; ++i) {
    painter.point(from.x, from.y);
    if (rise != 0 && error >= 0) {
      (flat ? from.y : from.x) += flat ? y_step : x_step;
      error -= 2 * length;
    }
    error += 2 * rise;
    (flat ? from.x : from.y) += flat ? x_step : y_step;
  }
}

// Halves go away from zero, or towards it.
std::int64_t round_up(double value) { return std::lround(value); }
std::int64_t round_down(double value) {
  return static_cast<std::int64_t>(value >= 0 ? std::ceil(value - 0.5) : -std::ceil(-value - 0.5));
}

class Edge {
 public:
  Edge(Point from, Point to)
      : top(std::min(from.y, to.y)),
        bottom(std::max(from.y, to.y)),
        left(std::min(from.x, to.x)),
        right(std::max(from.x, to.x)),
        from_(from) {
    if (!is_level()) slope = static_cast<float>(to.x - from.x) / static_cast<float>(to.y - from.y);
  }
  bool is_level() const { return top == bottom; }
  bool reaches(std::int64_t y) const { return y >= top && y <= bottom; }
  bool ends_at(std::int64_t y) const { return y == top || y == bottom; }
  float x_at(std::int64_t y) const {
    return static_cast<float>(y - from_.y) * slope + static_cast<float>(from_.x);
  }

  std::int64_t top, bottom, left, right;
  float slope = 0;

 private:
  Point from_;
};

// Where two slanted edges meet in a tip, the row of the tip begins or ends where the row beside it
// does, so that flat tips are no single pixels apart.
float tip(const Edge& edge, std::span<const Edge> others, std::int64_t y, float x) {
  const std::int64_t beside = y == edge.bottom ? y - 1 : y + 1;
  for (const Edge& other : others) {
    if (!other.ends_at(y) || other.slope == 0) continue;
    if (std::round(x) != std::round(other.x_at(y)) || !other.reaches(beside)) continue;
    const float one = edge.x_at(beside), two = other.x_at(beside);
    if (x > one + 1 && x > two + 1) return std::round(std::max(one, two)) + 1;
    if (x < one - 1 && x < two - 1) return std::round(std::min(one, two)) - 1;
    return x;
  }
  return x;
}

using Run = std::pair<std::int64_t, std::int64_t>;

void fill_edges(Painter& painter, const std::vector<Edge>& all) {
  std::vector<Edge> edges, level;
  std::int64_t top = painter.height(), bottom = -1;
  for (const Edge& edge : all) {
    top = std::min(top, edge.top);
    bottom = std::max(bottom, edge.bottom);
    (edge.is_level() ? level : edges).push_back(edge);
  }
  std::vector<float> crossings;
  std::vector<Run> runs;
  for (std::int64_t y = std::max<std::int64_t>(top, 0); y <= std::min(bottom, painter.height() - 1);
       ++y) {
    crossings.clear();
    runs.clear();
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge& edge = edges[i];
      if (!edge.reaches(y)) continue;
      float x = edge.x_at(y);
      if (y == edge.bottom && y < bottom)
        crossings.push_back(x);
      else if (edge.ends_at(y) && edge.slope != 0)
        x = tip(edge, std::span(edges).first(i), y, x);
      crossings.push_back(x);
    }
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t i = 1; i < crossings.size(); i += 2)
      runs.emplace_back(round_up(crossings[i - 1]), round_down(crossings[i]));
    for (const Edge& edge : level)
      if (edge.top == y) runs.emplace_back(edge.left, edge.right);
    std::sort(runs.begin(), runs.end());
    std::int64_t next = std::numeric_limits<std::int64_t>::min();
    for (auto [left, right] : runs) {  // each pixel once, since ink may be mixed
      painter.row(std::max(left, next), right, y);
      next = std::max(next, right + 1);
    }
  }
}

void wide_line(Painter& painter, Point from, Point to, std::int64_t width) {
  const std::int64_t x = to.x - from.x, y = to.y - from.y;
  if (x == 0 && y == 0) return painter.point(from.x, from.y);
  const double length = std::hypot(x, y), half = static_cast<double>(width - 1) / 2.0;
  const double more = static_cast<double>(round_up(half)) / length;
  const double less = static_cast<double>(round_down(half)) / length;
  const std::int64_t left = round_down(less * static_cast<double>(y));
  const std::int64_t right = round_down(more * static_cast<double>(y));
  const std::int64_t above = round_down(less * static_cast<double>(x));
  const std::int64_t below = round_down(more * static_cast<double>(x));
  const Point corners[] = {{from.x - left, from.y + below},
                           {to.x - left, to.y + below},
                           {to.x + right, to.y - above},
                           {from.x + right, from.y - above}};
  std::vector<Edge> edges;
  for (int i = 0; i < 4; ++i) edges.emplace_back(corners[i], corners[(i + 1) % 4]);
  fill_edges(painter, edges);
}

}  // namespace

void draw_points(const Raster& target, std::span<const double> xy, const Ink& ink) {
  Painter painter(target, ink);
  for (std::size_t i = 0; i < xy.size() / 2; ++i) {
    const Point point = point_at(xy, i);
    painter.point(point.x, point.y);
  }
}

void draw_lines(const Raster& target, std::span<const double> xy, std::int64_t width,
                const Ink& ink) {
  Painter painter(target, ink);
  const std::size_t count = xy.size() / 2;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (width <= 1)
      thin_line(painter, point_at(xy, i), point_at(xy, i + 1));
    else
      wide_line(painter, point_at(xy, i), point_at(xy, i + 1), width);
  }
  if (width <= 1 && count > 1) draw_points(target, xy.last(2), ink);
}

void draw_polygon(const Raster& target, std::span<const double> xy, bool fill, std::int64_t width,
                  const Ink& ink) {
  Painter painter(target, ink);
  const std::size_t count = xy.size() / 2;
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < count; ++i) {
    const Point from = point_at(xy, i), to = point_at(xy, (i + 1) % count);
    if (fill) {
      if (i + 1 < count || from.x != to.x || from.y != to.y) edges.emplace_back(from, to);
    } else if (width == 1) {
      thin_line(painter, from, to);
    } else {
      wide_line(painter, from, to, width);
    }
  }
  if (fill) fill_edges(painter, edges);
}

void draw_rectangle(const Raster& target, std::span<const double> box, bool fill,
                    std::int64_t width, const Ink& ink) {
  Painter painter(target, ink);
  const std::int64_t left = whole(box[0]), right = whole(box[2]);
  std::int64_t top = whole(box[1]), bottom = whole(box[3]);
  if (top > bottom) std::swap(top, bottom);
  if (fill) {
    top = std::max<std::int64_t>(top, 0);
    for (std::int64_t y = top; y <= std::min(bottom, target.height - 1); ++y)
      painter.row(left, right, y);
    return;
  }
  width = std::max<std::int64_t>(width, 1);
  for (std::int64_t i = 0; i < width; ++i) {
    painter.row(left, right, top + i);
    painter.row(left, right, bottom - i);
    thin_line(painter, {right - i, top + width}, {right - i, bottom - width + 1});
    thin_line(painter, {left + i, top + width}, {left + i, bottom - width + 1});
  }
}

}  // namespace strider::pictures
