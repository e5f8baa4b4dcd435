// What the language and the plug-in that draws agree on: pages that take lines, shapes, markers,
// images and text in whole arrays, outlines of levels in a grid, and pictures for terminals. Points
// are in pixels, y upwards, after a mapping that takes data there. Knows no axes and no figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strider::drawing {

// Grows by one when something that both sides compile in changes.
inline constexpr int kContract = 3;

struct Colour {
  double red = 0, green = 0, blue = 0, alpha = 0;
};

struct Box {
  double left = 0, bottom = 0, right = 0, top = 0;
};

// From data to pixels along one direction: factor * f(v) + offset, f being log10 or nothing.
// Logarithms of what is not positive lie far outside the page.
struct Scale {
  bool logarithmic = false;
  double factor = 1, offset = 0;
};
struct Mapping {
  Scale x, y;
};

// Points in two arrays of the same length; one that is not finite is no point but a gap.
struct Points {
  std::span<const double> x, y;
};

// Points with their commands: M, L (one point each), C (three), Z (none). Without commands the
// points are joined by lines.
struct Path {
  Points points;
  std::string_view commands;
};

enum class Cap : std::uint8_t { kButt, kRound, kProjecting };
enum class Join : std::uint8_t { kMiter, kRound, kBevel };

struct Pen {
  double width = 1;  // pixels
  std::vector<double> dashes;
  double dash_offset = 0;
  Cap cap = Cap::kButt;
  Join join = Join::kMiter;
};

// How many things look; a list that is shorter than the things is used again from its start, an
// empty one says that there is no filling or no edge.
struct Look {
  std::span<const Colour> fills, edges;
  std::span<const double> widths;  // of edges, in pixels
  Pen pen;                         // the rest of what edges are drawn with
  bool smooth = true;              // borders are blended with what is behind
};

struct Font {
  std::string family = "sans";  // "sans", "serif", "monospace"
  double size = 10;             // pixels
  bool bold = false, slanted = false;
};

// Of a text set at a point of its baseline, y upwards: how far it goes on, and the box of its ink.
struct TextSize {
  double advance = 0;
  Box ink;
};

// Four bytes a pixel, red, green, blue, alpha, the top row first.
struct Picture {
  std::int64_t width = 0, height = 0;
  std::vector<std::uint8_t> bytes;
};

// Several lines of points: `counts` says how many points each has.
struct Outlines {
  std::vector<double> x, y;
  std::vector<std::int64_t> counts;
};

// Points of a path with their commands, as in Path.
struct Outline {
  std::vector<double> x, y;
  std::string commands;
};

// Values at the corners of a grid, row by row; x and y of each corner.
struct Grid {
  std::int64_t rows = 0, columns = 0;
  std::span<const double> x, y, values;
};

class Page {
 public:
  virtual ~Page() = default;
  // What follows is seen inside the box alone, or inside the path too, until unclip().
  virtual void clip(const Box& box) = 0;
  virtual void clip_path(const Path& path, const Mapping& mapping) = 0;
  virtual void unclip() = 0;
  // One line through all points, broken at gaps.
  virtual void line(const Points& points, const Mapping& mapping, const Pen& pen,
                    const Colour& colour, bool smooth) = 0;
  // Runs of `counts` points: closed shapes, or open lines.
  virtual void shapes(const Points& points, std::span<const std::int64_t> counts,
                      const Mapping& mapping, const Look& look, bool closed) = 0;
  // The runs as one shape with holes.
  virtual void region(const Points& points, std::span<const std::int64_t> counts,
                      const Mapping& mapping, const Look& look) = 0;
  virtual void path(const Path& path, const Mapping& mapping, const Look& look) = 0;
  // The same shape at every point, enlarged by one of `sizes`.
  virtual void markers(const Points& points, const Mapping& mapping, const Path& shape,
                       std::span<const double> sizes, const Look& look) = 0;
  // Fills the box; `smooth` blends neighbouring pixels.
  virtual void image(const Picture& picture, const Box& box, bool smooth) = 0;
  // Along its baseline from (x, y), turned by `angle` radians against the clock; where `outline` is
  // not 0, lines so many pixels wide around the letters.
  virtual void text(std::string_view text, double x, double y, const Font& font,
                    const Colour& colour, double angle, double outline) = 0;
  // A further page of a PDF file, of so many pixels, onto which is drawn from now on.
  virtual void next_page(std::int64_t width, std::int64_t height) = 0;
  // The file; nothing is drawn afterwards.
  virtual std::string finish() = 0;
  // What has been drawn so far; of pages made of pixels.
  virtual Picture pixels() = 0;
};

enum class Format : std::uint8_t { kPng, kSvg, kPdf, kPs, kEps };

struct PageOptions {
  Format format = Format::kPng;
  std::int64_t width = 640, height = 480;  // pixels
  double dpi = 100;                        // pixels per inch: sizes of other formats follow
};

struct Drawing {
  int contract = 0;
  const char* version = "";  // of the program that it belongs to
  // What fails throws std::runtime_error.
  std::unique_ptr<Page> (*open_page)(const PageOptions& options) = nullptr;
  TextSize (*measure)(std::string_view text, const Font& font) = nullptr;
  // The edges of the letters, the start of their baseline at the origin, y upwards.
  Outline (*outline)(std::string_view text, const Font& font) = nullptr;
  Picture (*read_png)(std::string_view bytes) = nullptr;
  std::string (*write_png)(const Picture& picture) = nullptr;
  // Lines where the grid's values cross `level`.
  Outlines (*level_lines)(const Grid& grid, double level) = nullptr;
  // The edges of where low <= value < high, the inside on their left.
  Outlines (*level_band)(const Grid& grid, double low, double high) = nullptr;
  // What shows the picture in the terminal that the environment describes: its own images, or
  // coloured characters in at most this many columns and rows.
  std::string (*terminal_text)(const Picture& picture, int columns, int rows) = nullptr;
};

// The plug-in's one entry, and how it is looked up. What it returns stays.
extern "C" using DrawingEntry = const Drawing * ();
inline constexpr const char* kDrawingEntry = "strider_drawing";

}  // namespace strider::drawing
