// The module _drawing: pages, text sizes, pictures, contours, pictures as text. matplotlib is
// written over it.
#include <strider/nd/array.h>

#include <cmath>

#include "interpreter/builtins/drawing/arguments.h"
#include "interpreter/builtins/drawing/page_type.h"
#include "interpreter/builtins/drawing/plugin.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr double kLeastDpi = 1, kMostDpi = 10000;
constexpr std::int64_t kLargestSide = 32767;  // pixels: what cairo's surfaces hold

drawing::Format to_format(std::string_view name) {
  if (name == "png") return drawing::Format::kPng;
  if (name == "svg") return drawing::Format::kSvg;
  if (name == "pdf") return drawing::Format::kPdf;
  if (name == "ps") return drawing::Format::kPs;
  if (name == "eps") return drawing::Format::kEps;
  raise(errors::ValueError,
        "Format '{}' is not supported (supported formats: eps, pdf, png, ps, svg)", name);
}

Value open(const Parameters&) {
  drawing_plugin();
  return Value::none();
}

Value page(const Parameters& p) {
  drawing::PageOptions options;
  options.width = to_int64(p[0]);
  options.height = to_int64(p[1]);
  options.format = to_format(to_text(p[2], "format"));
  options.dpi = to_double(p[3]);
  if (!(options.dpi >= kLeastDpi && options.dpi <= kMostDpi))
    raise(errors::ValueError, "dpi must be from {} to {}, not {}", kLeastDpi, kMostDpi,
          options.dpi);
  auto is_side = [](std::int64_t side) { return side > 0 && side <= kLargestSide; };
  if (!is_side(options.width) || !is_side(options.height))
    raise(errors::ValueError, "Image size of {}x{} pixels is not from 1 to {} in each direction",
          options.width, options.height, kLargestSide);
  return guarded([&] { return make_page(drawing_plugin().open_page(options)); });
}

// The arguments family, size, bold and slanted behind a text.
drawing::Font to_font(const Parameters& p) {
  return {std::string(to_text(p[1], "family")), to_double(p[2]), truth(p[3]), truth(p[4])};
}

Value outline(const Parameters& p) {
  return outline_tuple(drawing_plugin().outline(to_text(p[0], "text"), to_font(p)));
}

Value measure(const Parameters& p) {
  drawing::TextSize size = drawing_plugin().measure(to_text(p[0], "text"), to_font(p));
  return make_tuple({Value::real(size.advance), Value::real(size.ink.left),
                     Value::real(size.ink.bottom), Value::real(size.ink.right),
                     Value::real(size.ink.top)});
}

Value read_png(const Parameters& p) {
  return guarded([&] { return picture_array(drawing_plugin().read_png(to_bytes(p[0]))); });
}

Value write_png(const Parameters& p) {
  return guarded([&] { return Value(make<Bytes>(drawing_plugin().write_png(to_picture(p[0])))); });
}

// The arguments x, y, values: three arrays of the shape of the last.
struct GridArguments {
  explicit GridArguments(const Parameters& p) : x(p[0]), y(p[1]) {
    array = to_array(p[2], nd::DType::kFloat64).contiguous();
    auto size = static_cast<std::size_t>(array.size());
    if (array.rank() != 2 || x.span().size() != size || y.span().size() != size)
      raise(errors::ValueError, "x, y and values of a grid have the same two dimensions");
    grid = {array.shape()[0], array.shape()[1], x, y, {array.as<double>(), size}};
  }
  Doubles x, y;
  nd::Array array;
  drawing::Grid grid;
};

Value level_lines(const Parameters& p) {
  GridArguments arguments(p);
  return outlines_tuple(drawing_plugin().level_lines(arguments.grid, to_double(p[3])));
}

Value level_band(const Parameters& p) {
  GridArguments arguments(p);
  return outlines_tuple(
      drawing_plugin().level_band(arguments.grid, to_double(p[3]), to_double(p[4])));
}

// The row of the table for a value: one of `count` equal parts of [low, high], or a row behind
// them: below, above, not a number.
std::int64_t row_of(double value, double low, double scale, std::int64_t count) {
  double place = (value - low) * scale;
  if (std::isnan(place)) return count + 2;
  if (place < 0) return count;
  if (place > static_cast<double>(count)) return count + 1;
  return std::min(static_cast<std::int64_t>(place), count - 1);
}

Value paint(const Parameters& p) {
  nd::Array values = to_array(p[0], nd::DType::kFloat64).contiguous();
  nd::Array table = to_array(p[3], nd::DType::kUInt8).contiguous();
  if (table.rank() != 2 || table.shape()[1] != 4 || table.shape()[0] < 4)
    raise(errors::ValueError, "a table of colours has rows of four bytes");
  const double low = to_double(p[1]), high = to_double(p[2]);
  const std::int64_t count = table.shape()[0] - 3;
  const double scale = high > low ? static_cast<double>(count) / (high - low) : 0;
  nd::Dims shape(values.rank() + 1);
  for (int axis = 0; axis < values.rank(); ++axis) shape[axis] = values.shape()[axis];
  shape.back() = 4;
  nd::Array result = nd::Array::empty(shape, nd::DType::kUInt8);
  const auto* numbers = values.as<double>();
  const auto* colours = table.as<std::uint32_t>();
  auto* pixels = result.mutable_as<std::uint32_t>();
  for (std::int64_t i = 0; i < values.size(); ++i)
    pixels[i] = colours[row_of(numbers[i], low, scale, count)];
  return wrap(result);
}

Value terminal_text(const Parameters& p) {
  return make_str(drawing_plugin().terminal_text(to_picture(p[0]), static_cast<int>(to_int64(p[1])),
                                                 static_cast<int>(to_int64(p[2]))));
}

const NativeRow kFunctions[] = {
    {"open()", open, "Opens the plug-in; ImportError where that fails."},
    {"page(width, height, format, dpi, /)", page,
     "A page of so many pixels: 'png', 'svg', 'pdf', 'ps', 'eps'."},
    {"measure(text, family, size, bold, slanted, /)", measure,
     "How far a text goes on, and its ink: left, bottom, right, top."},
    {"outline(text, family, size, bold, slanted, /)", outline,
     "The edges of the letters: x, y and the commands M, L, C and Z."},
    {"read_png(data, /)", read_png, "Rows of pixels of four bytes."},
    {"write_png(pixels, /)", write_png, "The bytes of a PNG file."},
    {"level_lines(x, y, values, level, /)", level_lines,
     "Lines where a grid has the level: x, y and counts of points."},
    {"level_band(x, y, values, low, high, /)", level_band,
     "Outlines of where a grid lies between two levels."},
    {"paint(values, low, high, table, /)", paint,
     "Bytes of colours: rows of the table, whose last three are below, above and no number."},
    {"terminal_text(pixels, columns, rows, /)", terminal_text,
     "What shows the picture in the terminal."},
};

}  // namespace

const NativeModule kDrawingModule = {
    "_drawing", "Drawing of lines, shapes and text.", kFunctions, {}};

}  // namespace strider::lang
