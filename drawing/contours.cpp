// Each cell gives directed segments with what is higher on their left; segments are joined where
// their ends have the same name. A name is an edge of the grid and a level, or a corner.
#include "drawing/contours.h"

#include <cmath>
#include <unordered_map>
#include <vector>

namespace strider::drawing {
namespace {

using Name = std::uint64_t;

struct Vertex {
  Name name = 0;
  double x = 0, y = 0;
};

struct Segment {
  Vertex from, to;
  bool used = false;
};

// Corners of a cell go round against the clock: (r, c), (r, c+1), (r+1, c+1), (r+1, c).
class Tracer {
 public:
  explicit Tracer(const Grid& grid) : grid_(grid) {}

  // The lines where the value crosses the level; `reversed` turns them round.
  void add_level(double level, int mark, bool reversed) {
    for (std::int64_t r = 0; r + 1 < grid_.rows; ++r)
      for (std::int64_t c = 0; c + 1 < grid_.columns; ++c)
        if (is_cell(r, c)) cross(r, c, level, mark, reversed);
  }

  // What of the border of all cells lies in the band.
  void add_border(double low, double high) {
    for (std::int64_t r = 0; r + 1 < grid_.rows; ++r)
      for (std::int64_t c = 0; c + 1 < grid_.columns; ++c) {
        if (!is_cell(r, c)) continue;
        if (!is_cell(r - 1, c)) border({r, c}, {r, c + 1}, low, high);
        if (!is_cell(r, c + 1)) border({r, c + 1}, {r + 1, c + 1}, low, high);
        if (!is_cell(r + 1, c)) border({r + 1, c + 1}, {r + 1, c}, low, high);
        if (!is_cell(r, c - 1)) border({r + 1, c}, {r, c}, low, high);
      }
  }

  Outlines join() {
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      starts_.emplace(segments_[i].from.name, i);
      ends_.emplace(segments_[i].to.name, i);
    }
    Outlines result;
    // Lines that end at the border come first, from their beginning.
    for (std::size_t i = 0; i < segments_.size(); ++i)
      if (!segments_[i].used && !ends_.contains(segments_[i].from.name)) follow(i, result);
    for (std::size_t i = 0; i < segments_.size(); ++i)
      if (!segments_[i].used) follow(i, result);
    return result;
  }

 private:
  struct Corner {
    std::int64_t row, column;
  };

  std::size_t index(const Corner& corner) const {
    return static_cast<std::size_t>(corner.row * grid_.columns + corner.column);
  }
  double value(const Corner& corner) const { return grid_.values[index(corner)]; }

  bool is_cell(std::int64_t r, std::int64_t c) const {
    if (r < 0 || c < 0 || r + 1 >= grid_.rows || c + 1 >= grid_.columns) return false;
    return std::isfinite(value({r, c}) + value({r, c + 1}) + value({r + 1, c}) +
                         value({r + 1, c + 1}));
  }

  Vertex corner_vertex(const Corner& corner) const {
    std::size_t i = index(corner);
    return {Name{i} * 8 + 7, grid_.x[i], grid_.y[i]};
  }

  // Where the edge between two neighbouring corners has the level.
  Vertex crossing(Corner a, Corner b, double level, int mark) const {
    if (index(b) < index(a)) std::swap(a, b);
    bool upwards = b.row != a.row;
    std::size_t i = index(a), k = index(b);
    double share = (level - grid_.values[i]) / (grid_.values[k] - grid_.values[i]);
    return {Name{i} * 8 + (upwards ? 4 : 0) + static_cast<Name>(mark),
            grid_.x[i] + share * (grid_.x[k] - grid_.x[i]),
            grid_.y[i] + share * (grid_.y[k] - grid_.y[i])};
  }

  void cross(std::int64_t r, std::int64_t c, double level, int mark, bool reversed) {
    const Corner corners[4] = {{r, c}, {r, c + 1}, {r + 1, c + 1}, {r + 1, c}};
    int above = 0;
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      above |= (value(corners[i]) >= level) << i;
      sum += value(corners[i]);
    }
    if (above == 0 || above == 15) return;
    auto edge = [&](int i) { return crossing(corners[i], corners[(i + 1) % 4], level, mark); };
    // Going round, the level is entered at an edge whose end alone is above, and left at an edge
    // whose start alone is; from leaving to entering, what is above lies on the left.
    int leaving[2], entering[2], count = 0, count_entering = 0;
    for (int i = 0; i < 4; ++i) {
      bool start = above >> i & 1, end = above >> (i + 1) % 4 & 1;
      if (start && !end) leaving[count++] = i;
      if (!start && end) entering[count_entering++] = i;
    }
    if (count == 1) return add(edge(leaving[0]), edge(entering[0]), reversed);
    // A saddle: the corners above are joined through the middle, or each is cut off by itself.
    bool joined = sum / 4 >= level;
    for (int i = 0; i < 2; ++i) {
      int wanted = joined ? (leaving[i] + 1) % 4 : (leaving[i] + 3) % 4;
      add(edge(leaving[i]), edge(entering[entering[0] == wanted ? 0 : 1]), reversed);
    }
  }

  void border(const Corner& from, const Corner& to, double low, double high) {
    double start = value(from), end = value(to);
    auto inside = [&](double v) { return v >= low && v < high; };
    if (inside(start) && inside(end)) return add(corner_vertex(from), corner_vertex(to), false);
    Vertex first = corner_vertex(from), last = corner_vertex(to);
    if (start < low && end < low) return;
    if (start >= high && end >= high) return;
    if (start < low) first = crossing(from, to, low, 0);
    if (start >= high) first = crossing(from, to, high, 1);
    if (end < low) last = crossing(from, to, low, 0);
    if (end >= high) last = crossing(from, to, high, 1);
    add(first, last, false);
  }

  void add(const Vertex& from, const Vertex& to, bool reversed) {
    segments_.push_back(reversed ? Segment{to, from} : Segment{from, to});
  }

  // The line from segment `i` on, until it ends or comes back.
  void follow(std::size_t i, Outlines& result) {
    const Name origin = segments_[i].from.name;
    std::int64_t count = 1;
    put(segments_[i].from, result);
    for (;;) {
      segments_[i].used = true;
      put(segments_[i].to, result);
      ++count;
      if (segments_[i].to.name == origin) break;
      auto [first, last] = starts_.equal_range(segments_[i].to.name);
      while (first != last && segments_[first->second].used) ++first;
      if (first == last) break;
      i = first->second;
    }
    result.counts.push_back(count);
  }

  static void put(const Vertex& vertex, Outlines& result) {
    result.x.push_back(vertex.x);
    result.y.push_back(vertex.y);
  }

  const Grid& grid_;
  std::vector<Segment> segments_;
  std::unordered_multimap<Name, std::size_t> starts_, ends_;
};

}  // namespace

Outlines level_lines(const Grid& grid, double level) {
  Tracer tracer(grid);
  tracer.add_level(level, 0, false);
  return tracer.join();
}

Outlines level_band(const Grid& grid, double low, double high) {
  Tracer tracer(grid);
  tracer.add_level(low, 0, false);
  tracer.add_level(high, 1, true);
  tracer.add_border(low, high);
  return tracer.join();
}

}  // namespace strider::drawing
