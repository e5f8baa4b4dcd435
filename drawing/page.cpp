// Draws on a cairo context whose units are pixels, y downwards. Long opaque lines are stroked in
// parts, because cairo's time grows with the crossings of one path.
#include "drawing/page.h"

#include <cairo-pdf.h>
#include <cairo.h>

#include <array>
#include <numeric>
#include <stdexcept>

#include "drawing/fonts.h"
#include "drawing/png.h"
#include "drawing/simplify.h"
#include "drawing/surface.h"

namespace strider::drawing {
namespace {

constexpr std::size_t kStrokePart = 256;  // points
constexpr double kPointsPerInch = 72;
constexpr double kThinnest = 1;           // pixels: thinner lines that are not blended would vanish
constexpr double kSharpest = 4096;        // pixels along a side of an image in an SVG file
constexpr double kShortestDashes = 0.05;  // pixels of a whole pattern; shorter ones are solid
constexpr double kFarthestImage = 4e6;    // pixels
constexpr std::size_t kFewMarkers = 32;
constexpr double kLargestStamp = 100;  // pixels
constexpr int kPhases = 4;             // positions of stamps within a pixel, along each axis

struct ContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};

// Whoever shows an SVG file blends pixels that are shown large: how often to repeat them instead.
std::int64_t repeats(double length, std::int64_t count) {
  double wanted = std::round(length / static_cast<double>(count));
  double most = std::max(1.0, kSharpest / static_cast<double>(count));
  return wanted > 1 ? static_cast<std::int64_t>(std::min(wanted, most)) : 1;
}

Picture enlarged(const Picture& picture, std::int64_t across, std::int64_t down) {
  Picture result{picture.width * across, picture.height * down, {}};
  result.bytes.reserve(static_cast<std::size_t>(result.width * result.height * 4));
  for (std::int64_t y = 0; y < result.height; ++y)
    for (std::int64_t x = 0; x < result.width; ++x) {
      const std::uint8_t* pixel =
          picture.bytes.data() + (y / down * picture.width + x / across) * 4;
      result.bytes.insert(result.bytes.end(), pixel, pixel + 4);
    }
  return result;
}

template <class T>
const T& cycled(std::span<const T> items, std::size_t index) {
  return items[index % items.size()];
}

class CairoPage final : public Page {
 public:
  explicit CairoPage(const PageOptions& options)
      : options_(options),
        height_(static_cast<double>(options.height)),
        surface_(make_surface(options, file_)),
        context_(cairo_create(surface_.get())) {
    check(cairo_status(context_.get()));
    if (options.format == Format::kPng) return;
    double scale = kPointsPerInch / options.dpi;
    cairo_scale(context_.get(), scale, scale);
  }

  void clip(const Box& box) override {
    cairo_save(context_.get());
    ++clips_;
    double left = bounded(box.left, -kFar, kFar), right = bounded(box.right, -kFar, kFar);
    double top = height_ - bounded(box.top, -kFar, kFar);
    double bottom = height_ - bounded(box.bottom, -kFar, kFar);
    if (options_.format == Format::kPng) {
      left = std::floor(left + 0.5), right = std::floor(right + 0.5);
      top = std::floor(top + 0.5), bottom = std::floor(bottom + 0.5);
    }
    cairo_rectangle(context_.get(), left, top, right - left, bottom - top);
    cairo_clip(context_.get());
  }

  void clip_path(const Path& path, const Mapping& mapping) override {
    cairo_save(context_.get());
    ++clips_;
    trace(path, Projection(mapping, height_));
    cairo_clip(context_.get());
  }

  void unclip() override {
    for (; clips_ > 0; --clips_) cairo_restore(context_.get());
  }

  void line(const Points& points, const Mapping& mapping, const Pen& pen, const Colour& colour,
            bool smooth) override {
    if (pen.width <= 0 || colour.alpha <= 0) return;
    Pieces pieces = simplified(points, Projection(mapping, height_));
    bool straight = options_.format == Format::kPng;
    for (const auto& piece : pieces) straight = straight && is_rectilinear(piece);
    set_pen(pen, pen.width);
    set_smooth(smooth);
    bool grouped = colour.alpha < 1 && pen.dashes.empty();
    if (grouped) cairo_push_group(context_.get());
    set_colour(grouped ? Colour{colour.red, colour.green, colour.blue, 1} : colour);
    for (auto& piece : pieces) {
      if (straight) snap(piece, pen.width);
      stroke(piece, pen.dashes.empty() ? kStrokePart : piece.size());
    }
    if (!grouped) return;
    cairo_pop_group_to_source(context_.get());
    cairo_paint_with_alpha(context_.get(), colour.alpha);
  }

  void shapes(const Points& points, std::span<const std::int64_t> counts, const Mapping& mapping,
              const Look& look, bool closed) override {
    Projection projection(mapping, height_);
    std::size_t start = 0;
    std::vector<Point> shape;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      shape.clear();
      auto end = start + static_cast<std::size_t>(counts[i]);
      bool broken = false;
      for (std::size_t k = start; k < end; ++k) {
        shape.push_back(projection.near(points.x[k], points.y[k]));
        broken = broken || !shape.back().finite();
      }
      start = end;
      if (broken || shape.empty()) continue;
      snap_shape(shape, look, i, closed);
      trace(shape, closed);
      paint(look, i);
    }
  }

  void region(const Points& points, std::span<const std::int64_t> counts, const Mapping& mapping,
              const Look& look) override {
    Projection projection(mapping, height_);
    std::size_t k = 0;
    for (std::int64_t count : counts) {
      for (std::int64_t i = 0; i < count; ++i, ++k) {
        Point point = projection.near(points.x[k], points.y[k]);
        if (!point.finite()) continue;
        i == 0 ? cairo_move_to(context_.get(), point.x, point.y)
               : cairo_line_to(context_.get(), point.x, point.y);
      }
      cairo_close_path(context_.get());
    }
    paint(look, 0);
  }

  void path(const Path& path, const Mapping& mapping, const Look& look) override {
    trace(path, Projection(mapping, height_));
    paint(look, 0);
  }

  void markers(const Points& points, const Mapping& mapping, const Path& shape,
               std::span<const double> sizes, const Look& look) override {
    Projection projection(mapping, height_);
    Projection flat(Mapping{}, 0);
    if (sizes.size() == 1 && look.widths.size() <= 1 && points.x.size() > kFewMarkers &&
        options_.format == Format::kPng && std::fabs(sizes[0]) < kLargestStamp)
      return stamp_markers(points, projection, shape, sizes[0], look);
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      Point at = projection(points.x[i], points.y[i]);
      double size = bounded(cycled(sizes, i), 0, kFar);
      if (size == 0 || !at.finite() || !is_seen(at, size)) continue;
      cairo_matrix_t before;
      cairo_get_matrix(context_.get(), &before);
      cairo_translate(context_.get(), at.x, at.y);
      cairo_scale(context_.get(), size, size);
      trace(shape, flat);
      cairo_set_matrix(context_.get(), &before);
      paint(look, i);
    }
  }

  void image(const Picture& picture, const Box& box, bool smooth) override {
    auto is_shown = [](double edge) { return std::fabs(edge) < kFarthestImage; };
    if (picture.bytes.empty() || box.right == box.left || box.top == box.bottom) return;
    if (!is_shown(box.left) || !is_shown(box.right) || !is_shown(box.bottom) || !is_shown(box.top))
      return;
    if (options_.format == Format::kSvg && !smooth) {
      std::int64_t across = repeats(box.right - box.left, picture.width);
      std::int64_t down = repeats(box.top - box.bottom, picture.height);
      if (across * down > 1) return image(enlarged(picture, across, down), box, smooth);
    }
    Surface pixels = to_surface(picture);
    double top = height_ - box.top;
    double scale_x = (box.right - box.left) / static_cast<double>(picture.width);
    double scale_y = (box.top - box.bottom) / static_cast<double>(picture.height);
    cairo_save(context_.get());
    cairo_translate(context_.get(), box.left, top);
    cairo_scale(context_.get(), scale_x, scale_y);
    cairo_rectangle(context_.get(), 0, 0, static_cast<double>(picture.width),
                    static_cast<double>(picture.height));
    set_smooth(smooth);
    cairo_set_source_surface(context_.get(), pixels.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(context_.get()),
                             smooth ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
    if (options_.format == Format::kPng) {
      cairo_pattern_set_extend(cairo_get_source(context_.get()), CAIRO_EXTEND_PAD);
      cairo_fill(context_.get());
    } else {  // painted whole, so that files hold an image and no pattern
      cairo_new_path(context_.get());
      cairo_paint(context_.get());
    }
    cairo_restore(context_.get());
  }

  void text(std::string_view text, double x, double y, const Font& font, const Colour& colour,
            double angle, double outline) override {
    bool seen = std::fabs(x) < kFar && std::fabs(y) < kFar && std::isfinite(angle);
    if (!seen || !is_font_size(font.size)) return;
    cairo_save(context_.get());
    cairo_translate(context_.get(), x, height_ - y);
    cairo_rotate(context_.get(), -angle);
    select_font(context_.get(), font);
    set_colour(colour);
    cairo_move_to(context_.get(), 0, 0);
    if (outline > 0) {
      cairo_text_path(context_.get(), std::string(text).c_str());
      Pen pen;
      pen.join = Join::kRound;
      set_pen(pen, outline);
      cairo_stroke(context_.get());
    } else {
      cairo_show_text(context_.get(), std::string(text).c_str());
    }
    cairo_restore(context_.get());
  }

  void next_page(std::int64_t width, std::int64_t height) override {
    if (options_.format != Format::kPdf) throw std::runtime_error("only PDF has further pages");
    unclip();
    cairo_show_page(context_.get());
    double scale = kPointsPerInch / options_.dpi;
    height_ = static_cast<double>(height);
    cairo_pdf_surface_set_size(surface_.get(), static_cast<double>(width) * scale, height_ * scale);
    check(cairo_status(context_.get()));
  }

  std::string finish() override {
    check(cairo_status(context_.get()));
    if (options_.format == Format::kPng) return png_file(to_picture(surface_.get()), options_.dpi);
    cairo_show_page(context_.get());
    cairo_surface_finish(surface_.get());
    check(cairo_surface_status(surface_.get()));
    return file_;
  }

  Picture pixels() override {
    if (options_.format != Format::kPng) return {};
    return to_picture(surface_.get());
  }

 private:
  void set_colour(const Colour& colour) {
    auto part = [](double value) { return bounded(value, 0, 1); };
    cairo_set_source_rgba(context_.get(), part(colour.red), part(colour.green), part(colour.blue),
                          part(colour.alpha));
  }
  void set_smooth(bool smooth) {
    cairo_set_antialias(context_.get(), smooth ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE);
  }

  void set_pen(const Pen& pen, double width) {
    static constexpr std::array kCaps = {CAIRO_LINE_CAP_BUTT, CAIRO_LINE_CAP_ROUND,
                                         CAIRO_LINE_CAP_SQUARE};
    static constexpr std::array kJoins = {CAIRO_LINE_JOIN_MITER, CAIRO_LINE_JOIN_ROUND,
                                          CAIRO_LINE_JOIN_BEVEL};
    cairo_set_line_width(context_.get(), bounded(width, 0, kFar));
    cairo_set_line_cap(context_.get(), kCaps[static_cast<std::size_t>(pen.cap)]);
    cairo_set_line_join(context_.get(), kJoins[static_cast<std::size_t>(pen.join)]);
    double length = std::accumulate(pen.dashes.begin(), pen.dashes.end(), 0.0);
    bool dashed = length > kShortestDashes && length < kFar;
    cairo_set_dash(context_.get(), pen.dashes.data(),
                   dashed ? static_cast<int>(pen.dashes.size()) : 0,
                   bounded(pen.dash_offset, -kFar, kFar));
  }

  bool is_seen(const Point& at, double size) const {
    double margin = 2 * std::fabs(size) + 10;
    return at.x > -margin && at.y > -margin && at.y < height_ + margin &&
           at.x < static_cast<double>(options_.width) + margin;
  }

  // Strokes the piece in parts of at most `part` points; each begins with the last step of the one
  // before, so that the join between them is drawn.
  void stroke(const std::vector<Point>& piece, std::size_t part) {
    std::size_t start = 0;
    while (start + 1 < piece.size() || start == 0) {
      std::size_t end = std::min(piece.size(), start + part);
      cairo_move_to(context_.get(), piece[start].x, piece[start].y);
      for (std::size_t i = start + 1; i < end; ++i)
        cairo_line_to(context_.get(), piece[i].x, piece[i].y);
      if (piece.size() == 1) cairo_line_to(context_.get(), piece[0].x, piece[0].y);
      cairo_stroke(context_.get());
      if (end == piece.size()) return;
      start = end - 2;
    }
  }

  // The shape's filling and edge at one position within a pixel, as coverage.
  struct Stamp {
    Surface fill, edge;
  };

  Stamp make_stamp(const Path& shape, double size, const Look& look, double dx, double dy,
                   int side) {
    static constexpr Colour kOpaque{0, 0, 0, 1};
    auto draw = [&](bool edge) {
      Surface surface(cairo_image_surface_create(CAIRO_FORMAT_A8, side, side));
      std::unique_ptr<cairo_t, ContextDeleter> context(cairo_create(surface.get()));
      std::swap(context, context_);
      cairo_translate(context_.get(), side / 2 + dx, side / 2 + dy);
      cairo_matrix_t before;
      cairo_get_matrix(context_.get(), &before);
      cairo_scale(context_.get(), size, size);
      trace(shape, Projection(Mapping{}, 0));
      cairo_set_matrix(context_.get(), &before);
      Look alone{{}, {}, look.widths, look.pen, look.smooth};
      (edge ? alone.edges : alone.fills) = std::span(&kOpaque, 1);
      paint(alone, 0);
      std::swap(context, context_);
      return surface;
    };
    return {look.fills.empty() ? nullptr : draw(false), look.edges.empty() ? nullptr : draw(true)};
  }

  void put_stamp(const Surface& stamp, const Colour& colour, double x, double y) {
    if (!stamp || colour.alpha <= 0) return;
    set_colour(colour);
    cairo_mask_surface(context_.get(), stamp.get(), x, y);
  }

  // Many markers of one size: each is drawn once for every position within a pixel.
  void stamp_markers(const Points& points, const Projection& projection, const Path& shape,
                     double size, const Look& look) {
    double width = look.edges.empty() || look.widths.empty() ? 0 : look.widths[0];
    int side = 2 * static_cast<int>(std::ceil(std::fabs(size) + 2 * width + 2));
    std::vector<Stamp> stamps(kPhases * kPhases);
    std::vector<bool> made(stamps.size());
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      Point at = projection(points.x[i], points.y[i]);
      if (!at.finite() || !is_seen(at, size)) continue;
      double x = std::floor(at.x), y = std::floor(at.y);
      int phase_x = static_cast<int>((at.x - x) * kPhases);
      int phase_y = static_cast<int>((at.y - y) * kPhases);
      auto phase = static_cast<std::size_t>(phase_y * kPhases + phase_x);
      if (!made[phase])
        stamps[phase] = make_stamp(shape, size, look, (phase_x + 0.5) / kPhases,
                                   (phase_y + 0.5) / kPhases, side);
      made[phase] = true;
      if (!look.fills.empty())
        put_stamp(stamps[phase].fill, cycled(look.fills, i), x - side / 2, y - side / 2);
      if (!look.edges.empty())
        put_stamp(stamps[phase].edge, cycled(look.edges, i), x - side / 2, y - side / 2);
    }
  }

  void snap_shape(std::vector<Point>& shape, const Look& look, std::size_t index, bool closed) {
    if (options_.format != Format::kPng || !closed) return;
    std::vector<Point> round = shape;
    round.push_back(shape.front());
    if (!is_rectilinear(round)) return;
    bool edged = !look.edges.empty() && !look.widths.empty() && cycled(look.edges, index).alpha > 0;
    snap(shape, edged ? cycled(look.widths, index) : 0);
  }

  void trace(const std::vector<Point>& shape, bool closed) {
    cairo_new_sub_path(context_.get());
    for (const Point& point : shape) cairo_line_to(context_.get(), point.x, point.y);
    if (closed) cairo_close_path(context_.get());
  }

  void trace(const Path& path, const Projection& projection) {
    std::size_t k = 0;
    auto next = [&] {
      Point point = projection.near(path.points.x[k], path.points.y[k]);
      ++k;
      return point;
    };
    cairo_new_path(context_.get());
    for (std::size_t i = 0; i < path.points.x.size(); ++i)
      if (!projection(path.points.x[i], path.points.y[i]).finite()) return;
    for (char command : path.commands) {
      if (command == 'Z') {
        cairo_close_path(context_.get());
        continue;
      }
      if (k + (command == 'C' ? 3 : 1) > path.points.x.size()) break;
      Point point = next();
      if (command == 'M') cairo_move_to(context_.get(), point.x, point.y);
      if (command == 'L') cairo_line_to(context_.get(), point.x, point.y);
      if (command != 'C') continue;
      Point second = next(), third = next();
      cairo_curve_to(context_.get(), point.x, point.y, second.x, second.y, third.x, third.y);
    }
    if (path.commands.empty())
      for (; k < path.points.x.size();) {
        Point point = next();
        cairo_line_to(context_.get(), point.x, point.y);
      }
  }

  // Fills and strokes the path that has been traced, with the colours of thing `index`.
  void paint(const Look& look, std::size_t index) {
    if (!look.fills.empty() && cycled(look.fills, index).alpha > 0) {
      set_smooth(look.smooth);
      set_colour(cycled(look.fills, index));
      cairo_fill_preserve(context_.get());
    }
    double width = look.widths.empty() ? 0 : cycled(look.widths, index);
    if (!look.edges.empty() && width > 0 && cycled(look.edges, index).alpha > 0) {
      set_smooth(look.smooth);
      set_colour(cycled(look.edges, index));
      set_pen(look.pen, look.smooth ? width : std::max(width, kThinnest));
      cairo_stroke_preserve(context_.get());
    }
    cairo_new_path(context_.get());
  }

  PageOptions options_;
  double height_;
  std::string file_;
  Surface surface_;
  std::unique_ptr<cairo_t, ContextDeleter> context_;
  int clips_ = 0;
};

}  // namespace

std::unique_ptr<Page> open_page(const PageOptions& options) {
  return std::make_unique<CairoPage>(options);
}

}  // namespace strider::drawing
