// Ellipses, arcs, chords and slices. Coordinates are twice those of pixels, from the middle of the
// ellipse, so that it lies on whole numbers whatever its size; rows of it are cut by half planes.
#include <numbers>

#include "pictures/painter.h"

namespace strider::pictures {
namespace {

struct Run {
  std::int64_t left, right;
};

// Of the quarter at the lower right, for its rows from the middle outwards: the columns of its
// edge that lie farthest in and farthest out.
struct Quarter {
  std::vector<Run> rows;
};

// The edge goes on to whichever of three neighbours is nearest to the ellipse. Wide: of whole
// numbers that hold the fourth power of the sides.
template <class Wide>
Quarter walk_quarter(std::int64_t width, std::int64_t height) {
  Quarter result;
  const Wide across = static_cast<Wide>(width) * width, along = static_cast<Wide>(height) * height;
  auto distance = [&](std::int64_t x, std::int64_t y) {
    const Wide off = across * y * y + along * x * x - across * along;
    return off < 0 ? -off : off;
  };
  std::int64_t x = width, y = height % 2;
  result.rows.push_back({x, x});
  while (x != width % 2 || y != height) {
    std::int64_t next_x = x, next_y = y + 2;
    if (x > 1) {
      if (distance(x - 2, y + 2) < distance(next_x, next_y)) next_x = x - 2;
      if (distance(x - 2, y) < distance(next_x, next_y)) next_x = x - 2, next_y = y;
    }
    if (next_y > y) result.rows.push_back({next_x, next_x});
    result.rows.back().left = next_x;
    x = next_x;
    y = next_y;
    if (y > height) break;
  }
  return result;
}

Quarter quarter(std::int64_t width, std::int64_t height) {
  if (width < 0 || height < 0) return {};
  constexpr std::int64_t kSmall = 1 << 15;
  if (width < kSmall && height < kSmall) return walk_quarter<std::int64_t>(width, height);
  return walk_quarter<__int128>(width, height);
}

// A half plane x * a + y * b + c >= 0, or what two regions have in common or have together.
struct Cut {
  enum Kind : std::uint8_t { kHalf, kBoth, kEither } kind = kHalf;
  double a = 0, b = 0, c = 0;
  std::vector<Cut> parts{};

  void mirror() {
    std::swap(a, b);
    for (Cut& part : parts) part.mirror();
  }
};

Cut both(Cut one, Cut two) { return {Cut::kBoth, 0, 0, 0, {std::move(one), std::move(two)}}; }
Cut either(Cut one, Cut two) { return {Cut::kEither, 0, 0, 0, {std::move(one), std::move(two)}}; }
Cut half(double a, double b, double c) { return {Cut::kHalf, a, b, c, {}}; }

std::vector<Run> cut_half(const Cut& cut, Run run, std::int64_t y) {
  constexpr double kNothing = 1e-9;
  const double rest = cut.b * static_cast<double>(y) + cut.c;
  if (std::fabs(cut.a) < kNothing) {
    if (rest < -kNothing) return {};
    return {run};
  }
  const double edge = -rest / cut.a;
  const auto left = static_cast<double>(run.left), right = static_cast<double>(run.right);
  if (cut.a * left + rest < kNothing) run.left = std::lround(std::max(left, edge));
  if (cut.a * right + rest < kNothing) run.right = std::lround(std::min(right, edge));
  if (run.left > run.right) return {};
  return {run};
}

std::vector<Run> cut_run(const Cut& cut, Run run, std::int64_t y) {
  if (cut.kind == Cut::kHalf) return cut_half(cut, run, y);
  std::vector<Run> one = cut_run(cut.parts[0], run, y), two = cut_run(cut.parts[1], run, y);
  std::vector<Run> result;
  if (cut.kind == Cut::kBoth) {
    for (const Run& a : one)
      for (const Run& b : two)
        if (std::max(a.left, b.left) <= std::min(a.right, b.right))
          result.push_back({std::max(a.left, b.left), std::min(a.right, b.right)});
    return result;
  }
  one.insert(one.end(), two.begin(), two.end());
  std::sort(one.begin(), one.end(), [](const Run& a, const Run& b) { return a.left < b.left; });
  for (const Run& next : one) {
    if (!result.empty() && next.left <= result.back().right)
      result.back().right = std::max(result.back().right, next.right);
    else
      result.push_back(next);
  }
  return result;
}

class Ellipse {
 public:
  Ellipse(Painter& painter, std::int64_t left, std::int64_t top, std::int64_t right,
          std::int64_t bottom)
      : painter_(painter), left_(left), top_(top), width_(right - left), height_(bottom - top) {}

  // Its edge so wide; all of it where that reaches the middle.
  void draw(std::int64_t edge, const Cut* cut = nullptr) {
    if (width_ < 0 || height_ < 0 || edge < 1) return;
    const Quarter outer = quarter(width_, height_);
    const Quarter inner = quarter(width_ - 2 * (edge - 1), height_ - 2 * (edge - 1));
    for (std::size_t i = 0; i < outer.rows.size(); ++i) {
      const std::int64_t y = height_ % 2 + 2 * static_cast<std::int64_t>(i);
      const std::int64_t out = outer.rows[i].right;
      const std::int64_t in = i < inner.rows.size() ? inner.rows[i].left : width_ % 2;
      for (std::int64_t side : {y, -y}) {
        draw_run({-out, -in}, side, cut);
        if (in > 0 || in < out) draw_run({in == 0 ? 2 : in, out}, side, cut);
        if (y == 0) break;
      }
    }
  }

 private:
  void draw_run(Run run, std::int64_t y, const Cut* cut) {
    const std::int64_t row = top_ + (y + height_) / 2;
    if (row < 0 || row >= painter_.height()) return;
    auto put = [&](const Run& part) {
      painter_.row(left_ + (part.left + width_) / 2, left_ + (part.right + width_) / 2, row);
    };
    if (!cut) return put(run);
    for (const Run& part : cut_run(*cut, run, y)) put(part);
  }

  Painter& painter_;
  std::int64_t left_, top_, width_, height_;
};

// From 0 up to 360, the end less than a round behind the start; or 0 and 360.
void settle_angles(float& start, float& end) {
  if (end - start >= 360) {
    start = 0;
    end = 360;
    return;
  }
  start = static_cast<float>(std::fmod(start < 0 ? 360 - std::fmod(-start, 360.0) : start, 360));
  end = start + static_cast<float>(std::fmod(
                    end < start ? 360 - std::fmod(start - end, 360.0) : end - start, 360));
}

double cosine(float angle) { return std::cos(angle * std::numbers::pi / 180); }
double sine(float angle) { return std::sin(angle * std::numbers::pi / 180); }

// Ends of arcs stand upright on the ellipse, of which `a` is the longer side.
Cut arc_cut(double a, double b, float start, float end) {
  if (a < b) {
    Cut cut = arc_cut(b, a, 90 - end, 90 - start);
    cut.mirror();
    return cut;
  }
  settle_angles(start, end);
  auto shift = [&](float angle) {
    return (a * a - b * b) * std::sin(angle * std::numbers::pi / 90) / 2;
  };
  Cut from = half(-a * sine(start), b * cosine(start), shift(start));
  Cut to = half(a * sine(end), -b * cosine(end), -shift(end));
  const bool narrow = end - start < 180;
  if (std::fmod(start, 180) == 0 || std::fmod(end, 180) == 0)
    return narrow ? both(from, to) : either(from, to);
  const int start_half = static_cast<int>(start / 180), end_half = static_cast<int>(end / 180);
  if ((start_half + end_half) % 2 == 1)
    return either(both(half(0, start_half % 2 == 0 ? 1 : -1, 0), from),
                  both(half(0, end_half % 2 == 0 ? 1 : -1, 0), to));
  const Cut side = half(0, end < 180 || end > 540 ? 1 : -1, 0);
  return narrow ? both(both(from, to), side) : either(either(from, to), side);
}

struct Corner {
  double x, y;
};
Corner corner(const RoundOptions& options, float angle) {
  return {static_cast<double>(options.right - options.left) * cosine(angle),
          static_cast<double>(options.bottom - options.top) * sine(angle)};
}

Cut chord_cut(Corner from, Corner to) {
  const double a = to.y - from.y, b = from.x - to.x;
  return half(a, b, -(a * from.x + b * from.y));
}

// The line of the chord, so wide on the inner side.
Cut chord_line_cut(Corner from, Corner to, double width) {
  const Cut inner = chord_cut(from, to);
  const double reach = 2 * width * std::hypot(inner.a, inner.b);
  return both(inner, half(-inner.a, -inner.b, reach - inner.c));
}

Cut slice_cut(Corner from, Corner to, float angle) {
  Cut one = half(-from.y, from.x, 0), two = half(to.y, -to.x, 0);
  Cut cut = angle < 180 ? both(one, two) : either(one, two);
  if (angle < 90)  // nothing opposite
    cut = both(cut, half((from.x + to.x) / 2, (from.y + to.y) / 2, 0));
  return cut;
}

Cut side_cut(Corner end, double width) {
  const double reach = width * std::hypot(end.x, end.y);
  return both(both(half(-end.y, end.x, reach), half(end.y, -end.x, reach)), half(end.x, end.y, 0));
}

}  // namespace

void draw_round(const Raster& target, const RoundOptions& options, const Ink& ink) {
  Painter painter(target, ink);
  Ellipse ellipse(painter, options.left, options.top, options.right, options.bottom);
  const std::int64_t sides = options.right - options.left + options.bottom - options.top;
  auto start = static_cast<float>(options.start), end = static_cast<float>(options.end);
  settle_angles(start, end);
  if (options.kind == Round::kEllipse || start + 360 == end)
    return ellipse.draw(options.fill ? sides : options.width);
  if (start == end) return;
  const Corner from = corner(options, start), to = corner(options, end);
  Cut cut;
  if (options.kind == Round::kArc) {
    cut = arc_cut(static_cast<double>(options.right - options.left),
                  static_cast<double>(options.bottom - options.top), start, end);
    return ellipse.draw(options.width, &cut);
  }
  if (options.kind == Round::kChord) {
    cut = chord_line_cut(from, to, static_cast<double>(options.width));
    if (!options.fill) ellipse.draw(sides + 1, &cut);
    cut = chord_cut(from, to);
    return ellipse.draw(options.fill ? sides + 1 : options.width, &cut);
  }
  if (!options.fill) {
    for (const Corner& end_point : {from, to}) {
      cut = side_cut(end_point, static_cast<double>(options.width));
      ellipse.draw(sides + 1, &cut);
    }
    auto middle = [&](std::int64_t low, std::int64_t high) {
      return std::lround(static_cast<double>(low + high - options.width) / 2);
    };
    const std::int64_t x = middle(options.left, options.right);
    const std::int64_t y = middle(options.top, options.bottom);
    Ellipse(painter, x, y, x + options.width - 1, y + options.width - 1)
        .draw(2 * (options.width - 1));
  }
  cut = slice_cut(from, to, end - start);
  ellipse.draw(options.fill ? sides : options.width, &cut);
}

}  // namespace strider::pictures
