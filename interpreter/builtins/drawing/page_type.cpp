// _drawing.Page: what a figure is drawn on. Its methods take whole arrays.
#include "interpreter/builtins/drawing/page_type.h"

#include <numbers>

#include "interpreter/builtins/drawing/arguments.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class PageObject : public Object {
 public:
  explicit PageObject(std::unique_ptr<drawing::Page> page)
      : Object(Layout::kOther, &type_object()), page(std::move(page)) {}
  static Type& type_object();
  std::unique_ptr<drawing::Page> page;  // null once finished
};

drawing::Page& page_of(const Parameters& p) {
  auto* object = p[0].as<PageObject>();
  if (!object->page) raise(errors::ValueError, "the page is finished");
  return *object->page;
}

// The arguments fills, edges, widths, pen, smooth from `first` on.
struct LookArguments {
  LookArguments(const Parameters& p, std::size_t first)
      : fills(p[first]), edges(p[first + 1]), widths(p[first + 2]) {
    look = {fills, edges, widths, to_pen(p[first + 3]), truth(p[first + 4])};
  }
  Colours fills, edges;
  Doubles widths;
  drawing::Look look;
};

Value clip(const Parameters& p) {
  page_of(p).clip({to_double(p[1]), to_double(p[2]), to_double(p[3]), to_double(p[4])});
  return Value::none();
}

Value clip_path(const Parameters& p) {
  PointRows rows(p[1], p[2]);
  page_of(p).clip_path({rows.points(), to_text(p[3], "commands")}, to_mapping(p[4]));
  return Value::none();
}

Value unclip(const Parameters& p) {
  page_of(p).unclip();
  return Value::none();
}

Value line(const Parameters& p) {
  PointRows rows(p[1], p[2]);
  page_of(p).line(rows.points(), to_mapping(p[3]), to_pen(p[5]), to_colour(p[4]), truth(p[6]));
  return Value::none();
}

Value shapes(const Parameters& p) {
  PointRows rows(p[1], p[2]);
  Counts counts(p[3]);
  counts.check(rows.size());
  LookArguments arguments(p, 5);
  page_of(p).shapes(rows.points(), counts, to_mapping(p[4]), arguments.look, truth(p[10]));
  return Value::none();
}

Value region(const Parameters& p) {
  PointRows rows(p[1], p[2]);
  Counts counts(p[3]);
  counts.check(rows.size());
  LookArguments arguments(p, 5);
  page_of(p).region(rows.points(), counts, to_mapping(p[4]), arguments.look);
  return Value::none();
}

Value path(const Parameters& p) {
  PointRows rows(p[1], p[2]);
  LookArguments arguments(p, 5);
  page_of(p).path({rows.points(), to_text(p[3], "commands")}, to_mapping(p[4]), arguments.look);
  return Value::none();
}

Value markers(const Parameters& p) {
  PointRows rows(p[1], p[2]), shape(p[4], p[5]);
  Doubles sizes(p[7]);
  if (sizes.span().empty()) return Value::none();
  LookArguments arguments(p, 8);
  page_of(p).markers(rows.points(), to_mapping(p[3]), {shape.points(), to_text(p[6], "commands")},
                     sizes, arguments.look);
  return Value::none();
}

Value image(const Parameters& p) {
  page_of(p).image(to_picture(p[1]),
                   {to_double(p[2]), to_double(p[3]), to_double(p[4]), to_double(p[5])},
                   truth(p[6]));
  return Value::none();
}

Value text(const Parameters& p) {
  drawing::Font font{std::string(to_text(p[4], "family")), to_double(p[5]), truth(p[6]),
                     truth(p[7])};
  page_of(p).text(to_text(p[1], "text"), to_double(p[2]), to_double(p[3]), font, to_colour(p[8]),
                  to_double(p[9]) * std::numbers::pi / 180, to_double(p[10]));
  return Value::none();
}

Value pixels(const Parameters& p) { return picture_array(page_of(p).pixels()); }

Value next_page(const Parameters& p) {
  guarded([&] {
    page_of(p).next_page(to_int64(p[1]), to_int64(p[2]));
    return 0;
  });
  return Value::none();
}

Value finish(const Parameters& p) {
  std::string file = guarded([&] { return page_of(p).finish(); });
  p[0].as<PageObject>()->page.reset();
  return make<Bytes>(std::move(file));
}

const NativeRow kMethods[] = {
    {"clip(self, left, bottom, right, top, /)", clip, "Shows what follows in the box alone."},
    {"clip_path(self, x, y, commands, mapping, /)", clip_path,
     "Shows what follows inside the path alone."},
    {"unclip(self, /)", unclip, "Takes all clipping away."},
    {"line(self, x, y, mapping, color, pen, smooth=True, /)", line,
     "A line through points, broken where they are not finite."},
    {"shapes(self, x, y, counts, mapping, fills, edges, widths, pen, smooth=True, closed=True, /)",
     shapes, "Runs of points as shapes of their own colours."},
    {"region(self, x, y, counts, mapping, fills, edges, widths, pen, smooth=True, /)", region,
     "Runs of points as one shape with holes."},
    {"path(self, x, y, commands, mapping, fills, edges, widths, pen, smooth=True, /)", path,
     "A path of lines and curves: commands M, L, C, Z."},
    {"markers(self, x, y, mapping, shape_x, shape_y, commands, sizes, fills, edges, widths, pen, "
     "smooth=True, /)",
     markers, "The same path at every point."},
    {"image(self, pixels, left, bottom, right, top, smooth, /)", image,
     "Pixels of four bytes, filling a box."},
    {"text(self, text, x, y, family, size, bold, slanted, color, angle, outline=0.0, /)", text,
     "One line of text along its baseline, turned by degrees."},
    {"pixels(self, /)", pixels, "What has been drawn, as bytes of red, green, blue and alpha."},
    {"next_page(self, width, height, /)", next_page, "A further page of a PDF, of so many pixels."},
    {"finish(self, /)", finish, "The file's bytes; nothing can be drawn afterwards."},
};

Type& PageObject::type_object() {
  static Type& type = *[] {
    Type& made = new_type("Page", Type::object_type());
    made.module = "_drawing";
    made.instance_layout = Layout::kOther;
    made.add(kMethods);
    return &made;
  }();
  return type;
}

}  // namespace

Value make_page(std::unique_ptr<drawing::Page> page) { return make<PageObject>(std::move(page)); }

}  // namespace strider::lang
