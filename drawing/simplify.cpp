// Walks the points once; segments that leave the neighbourhood of the page are cut at its border.
#include "drawing/simplify.h"

namespace strider::drawing {
namespace {

constexpr double kColumn = 0.25;  // pixels
constexpr double kSame = 1e-4;    // pixels: a step this small is none
constexpr std::size_t kMostSnapped = 1024;

bool is_near(const Point& point) { return std::fabs(point.x) < kFar && std::fabs(point.y) < kFar; }

// Cuts [start, end] to |x|, |y| <= kFar; false where nothing is left (Liang and Barsky).
bool cut(Point& start, Point& end) {
  double from = 0, to = 1;
  const double dx = end.x - start.x, dy = end.y - start.y;
  auto side = [&](double towards, double distance) {
    if (towards == 0) return distance >= 0;
    double at = distance / towards;
    if (towards < 0)
      from = std::max(from, at);
    else
      to = std::min(to, at);
    return from <= to;
  };
  bool left = side(-dx, start.x + kFar) && side(dx, kFar - start.x) && side(-dy, start.y + kFar) &&
              side(dy, kFar - start.y);
  if (!left) return false;
  Point origin = start;
  start = {origin.x + from * dx, origin.y + from * dy};
  end = {origin.x + to * dx, origin.y + to * dy};
  return true;
}

class Writer {
 public:
  // A point of the line; `first` begins a piece.
  void add(const Point& point) {
    auto column = static_cast<std::int64_t>(std::floor(point.x / kColumn));
    if (count_ > 0 && column == column_) {
      extend(point);
    } else {
      flush();
      column_ = column;
      first_ = last_ = low_ = high_ = point;
      low_at_ = high_at_ = 0;
      count_ = 1;
    }
  }

  void end_piece() {
    flush();
    if (!piece_.empty()) pieces_.push_back(std::move(piece_));
    piece_.clear();
  }

  Pieces take() {
    end_piece();
    return std::move(pieces_);
  }

 private:
  void extend(const Point& point) {
    if (point.y < low_.y) low_ = point, low_at_ = count_;
    if (point.y > high_.y) high_ = point, high_at_ = count_;
    last_ = point;
    ++count_;
  }

  void put(const Point& point) {
    if (!piece_.empty() && piece_.back().x == point.x && piece_.back().y == point.y) return;
    piece_.push_back(point);
  }

  void flush() {
    if (count_ == 0) return;
    put(first_);
    bool low_first = low_at_ < high_at_;
    if (count_ > 2) {
      put(low_first ? low_ : high_);
      put(low_first ? high_ : low_);
    }
    put(last_);
    count_ = 0;
  }

  Pieces pieces_;
  std::vector<Point> piece_;
  std::int64_t column_ = 0, count_ = 0, low_at_ = 0, high_at_ = 0;
  Point first_, last_, low_, high_;
};

}  // namespace

Pieces simplified(const Points& points, const Projection& projection) {
  Writer writer;
  Point previous;
  bool connected = false, near = false;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    Point point = projection(points.x[i], points.y[i]);
    if (!point.finite()) {
      writer.end_piece();
      connected = false;
      continue;
    }
    bool now = is_near(point);
    if (now && (near || !connected)) {
      writer.add(point);
    } else if (connected) {
      Point start = previous, end = point;
      if (cut(start, end)) {
        if (!near) writer.end_piece();
        if (!near) writer.add(start);
        writer.add(end);
      }
      if (!now) writer.end_piece();
    }
    previous = point;
    near = now;
    connected = true;
  }
  return writer.take();
}

bool is_rectilinear(const std::vector<Point>& piece) {
  if (piece.size() < 2 || piece.size() > kMostSnapped) return false;
  for (std::size_t i = 1; i < piece.size(); ++i) {
    double dx = std::fabs(piece[i].x - piece[i - 1].x), dy = std::fabs(piece[i].y - piece[i - 1].y);
    if (dx > kSame && dy > kSame) return false;
  }
  return true;
}

void snap(std::vector<Point>& piece, double width) {
  double centre = static_cast<std::int64_t>(std::lround(width)) % 2 == 1 ? 0.5 : 0.0;
  for (Point& point : piece) {
    point.x = std::floor(point.x + 0.5) + centre;
    point.y = std::floor(point.y + 0.5) + centre;
  }
}

}  // namespace strider::drawing
