// Files that libraries pack, and letters of fonts.
#include <strider/nd/array.h>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/pictures/pixels.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

int to_int(const Value& value) {
  const std::int64_t number = to_int64(value);
  if (number < INT32_MIN || number > INT32_MAX) raise(errors::ValueError, "number is too large");
  return static_cast<int>(number);
}

const Tuple& tuple_of(const Value& value, std::size_t least) {
  if (!is_tuple(value) || value.as<Tuple>()->size() < least)
    raise(errors::TypeError, "a tuple of {} items or more is needed", least);
  return *value.as<Tuple>();
}

pictures::WebpOptions to_webp_options(const Value& value) {
  const Tuple& parts = tuple_of(value, 5);
  return {to_double(parts[0]), to_double(parts[1]), to_int(parts[2]), truth(parts[3]),
          truth(parts[4])};
}

// UTF-32 in bytes, as `encode` makes it.
std::u32string to_points(const Value& value) {
  std::string_view bytes = to_bytes(value);
  std::u32string points(bytes.size() / 4, U'\0');
  std::copy_n(bytes.data(), points.size() * 4, reinterpret_cast<char*>(points.data()));
  return points;
}

pictures::TextOptions to_text_options(const Parameters& p) {
  return {to_double(p[2]), to_double(p[3]), truth(p[4]), truth(p[5])};
}

int to_face(const Value& value) {
  const int face = to_int(value);
  if (face < 0) raise(errors::ValueError, "no face has this number");
  return face;
}

}  // namespace

Value read_jpeg(const Parameters& p) {
  const int bands = to_int(p[1]), scale = to_int(p[2]);
  return guarded_pictures([&] {
    pictures::Decoded picture = pictures_plugin().read_jpeg(to_bytes(p[0]), bands, scale);
    return make_tuple({pixel_array(picture), Value::boolean(picture.cut_short)});
  });
}

Value write_jpeg(const Parameters& p) {
  PixelRows source = PixelRows::of_source(p[0]);
  const Tuple& parts = tuple_of(p[1], 14);
  pictures::JpegOptions options;
  options.quality = to_int(parts[0]);
  options.horizontal = to_int(parts[1]);
  options.vertical = to_int(parts[2]);
  options.progressive = truth(parts[3]);
  options.optimize = truth(parts[4]);
  options.keep_rgb = truth(parts[5]);
  options.is_ycc = truth(parts[6]);
  options.smooth = to_int(parts[7]);
  options.unit = to_int(parts[8]);
  options.x_density = to_int(parts[9]);
  options.y_density = to_int(parts[10]);
  options.restart_blocks = to_int(parts[11]);
  options.restart_rows = to_int(parts[12]);
  options.markers = to_bytes(parts[13]);
  for (std::size_t i = 14; i < parts.size(); ++i) {
    nd::Array table = to_array(parts[i], nd::DType::kUInt32).contiguous();
    if (table.size() != 64) raise(errors::ValueError, "Invalid quantization table");
    options.tables.emplace_back(table.as<unsigned>(), table.as<unsigned>() + 64);
  }
  if (source.raster().sample != pictures::Sample::kByte || source.raster().bands == 2 ||
      options.tables.size() > 4)
    raise(errors::ValueError, "pictures of this kind are no JPEG");
  return guarded_pictures(
      [&] { return Value(make<Bytes>(pictures_plugin().write_jpeg(source, options))); });
}

Value read_webp(const Parameters& p) {
  return guarded_pictures([&] {
    pictures::Film film =
        pictures_plugin().read_webp(to_bytes(p[0]), to_int64(p[1]), to_int64(p[2]));
    Values frames, ends;
    for (const pictures::Frame& frame : film.frames) {
      frames.push_back(frame.picture.bands ? pixel_array(frame.picture) : Value::none());
      ends.push_back(Value::integer(frame.end));
    }
    return make_tuple({Value::integer(film.width), Value::integer(film.height),
                       Value::boolean(film.alpha), Value::integer(film.loops),
                       Value::integer(film.background), make_tuple(std::move(frames)),
                       make_tuple(std::move(ends))});
  });
}

Value write_webp(const Parameters& p) {
  PixelRows source = PixelRows::of_source(p[0]);
  if (source.raster().sample != pictures::Sample::kByte || source.raster().bands < 3)
    raise(errors::ValueError, "pictures of this kind are no WebP");
  return guarded_pictures([&] {
    return Value(make<Bytes>(pictures_plugin().write_webp(source, to_webp_options(p[1]))));
  });
}

Value write_webp_film(const Parameters& p) {
  const Tuple &frames = tuple_of(p[0], 1), &ends = tuple_of(p[1], frames.size());
  const Tuple &options = tuple_of(p[2], frames.size()), &parts = tuple_of(p[3], 6);
  std::vector<PixelRows> rows;
  std::vector<pictures::Raster> rasters;
  std::vector<std::int64_t> times;
  std::vector<pictures::WebpOptions> settings;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    rows.push_back(PixelRows::of_source(frames[i]));
    rasters.push_back(rows.back());
    if (i > 0) rows.front().check_fits(rows.back(), true);
    times.push_back(to_int64(ends[i]));
    settings.push_back(to_webp_options(options[i]));
  }
  if (rasters[0].sample != pictures::Sample::kByte || rasters[0].bands < 3)
    raise(errors::ValueError, "pictures of this kind are no WebP");
  pictures::FilmOptions film{to_int(parts[0]), static_cast<std::uint32_t>(to_int64(parts[1])),
                             to_int(parts[2]), to_int(parts[3]),
                             truth(parts[4]),  truth(parts[5])};
  return guarded_pictures([&] {
    return Value(make<Bytes>(pictures_plugin().write_webp_film(rasters, times, settings, film)));
  });
}

Value open_face(const Parameters& p) {
  return guarded_pictures(
      [&] { return Value::integer(pictures_plugin().open_face(to_bytes(p[0]), to_int(p[1]))); });
}

Value face_facts(const Parameters& p) {
  return guarded_pictures([&] {
    pictures::FaceFacts facts = pictures_plugin().face_facts(to_face(p[0]), to_double(p[1]));
    return make_tuple({Value(make_str(facts.family)), Value(make_str(facts.style)),
                       Value::integer(facts.ascent), Value::integer(facts.descent)});
  });
}

Value text_box(const Parameters& p) {
  return guarded_pictures([&] {
    pictures::TextBox box =
        pictures_plugin().text_box(to_face(p[0]), to_points(p[1]), to_text_options(p));
    return make_tuple({Value::integer(box.left), Value::integer(box.bottom),
                       Value::integer(box.right), Value::integer(box.top),
                       Value::integer(box.advance)});
  });
}

Value draw_text(const Parameters& p) {
  PixelRows target = PixelRows::of_target(p[8]);
  if (target.raster().sample != pictures::Sample::kByte || target.raster().bands != 1)
    raise(errors::ValueError, "letters cover pixels of one byte");
  return guarded_pictures([&] {
    pictures_plugin().draw_text(to_face(p[0]), to_points(p[1]), to_text_options(p), to_double(p[6]),
                                to_double(p[7]), target);
    return Value::none();
  });
}

}  // namespace strider::lang
