// The module _pictures: loops over pixels, drawing, packed bytes. PIL is written over it.
#include <strider/nd/array.h>

#include <cmath>
#include <optional>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/pictures/pixels.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using pictures::Raster, pictures::Sample;

// Numbers in a row, which stay alive as long as this.
class Numbers {
 public:
  explicit Numbers(const Value& value)
      : array_(to_array(value, nd::DType::kFloat64).contiguous()) {}
  operator std::span<const double>() const { return span(); }
  std::span<const double> span() const {
    return {array_.as<double>(), static_cast<std::size_t>(array_.size())};
  }
  // ValueError unless there are so many.
  std::span<const double> of_size(std::size_t size) const {
    if (span().size() != size) raise(errors::ValueError, "{} numbers are needed", size);
    return span();
  }

 private:
  nd::Array array_;
};

// A source and a target that can be told apart and fit.
struct Pair {
  Pair(const Parameters& p, bool same_size)
      : source(PixelRows::of_source(p[0])), target(PixelRows::of_target(p[1])) {
    target.check_fits(source, same_size);
  }
  bool is_empty() const {
    const Raster &a = source, &b = target;
    return a.width == 0 || a.height == 0 || b.width == 0 || b.height == 0;
  }
  PixelRows source, target;
};

void require_bytes(const Raster& raster, int bands) {
  if (raster.sample != Sample::kByte || (bands != 0 && raster.bands != bands))
    raise(errors::ValueError, "pixels have other samples than this work is made for");
}

std::int64_t to_size(const Value& value, std::int64_t least, std::int64_t most) {
  const std::int64_t size = to_int64(value);
  if (size < least || size > most)
    raise(errors::ValueError, "{} is not from {} to {}", size, least, most);
  return size;
}

std::int64_t whole(double value) {
  constexpr double kFarthest = 1 << 28;
  return static_cast<std::int64_t>(std::fmin(std::fmax(value, -kFarthest), kFarthest));
}

Value open(const Parameters&) {
  pictures_plugin();
  return Value::none();
}

pictures::Region to_region(const Value& value) {
  Numbers numbers(value);
  std::span<const double> box = numbers.of_size(4);
  return {box[0], box[1], box[2], box[3]};
}

bool lies_within(const pictures::Region& box, const Raster& source) {
  return box.left >= 0 && box.top >= 0 && box.right <= static_cast<double>(source.width) &&
         box.bottom <= static_cast<double>(source.height) && box.left < box.right &&
         box.top < box.bottom;
}

Value resample(const Parameters& p) {
  Pair pair(p, false);
  pictures::Region region = to_region(p[3]);
  if (pair.is_empty()) return Value::none();
  if (!lies_within(region, pair.source))
    raise(errors::ValueError, "the box does not lie within the picture");
  auto window = static_cast<pictures::Window>(to_size(p[2], 0, 4));
  guarded_pictures([&] { pictures_plugin().resample(pair.source, pair.target, window, region); });
  return Value::none();
}

Value reduce(const Parameters& p) {
  Pair pair(p, false);
  const std::int64_t x = to_size(p[2], 1, INT32_MAX), y = to_size(p[3], 1, INT32_MAX);
  pictures::Region region = to_region(p[4]);
  const Raster& target = pair.target;
  if (pair.is_empty()) return Value::none();
  if (!lies_within(region, pair.source) ||
      region.left + static_cast<double>((target.width - 1) * x) >= region.right ||
      region.top + static_cast<double>((target.height - 1) * y) >= region.bottom)
    raise(errors::ValueError, "the box does not lie within the picture");
  pictures_plugin().reduce(pair.source, target, x, y, region);
  return Value::none();
}

Value warp(const Parameters& p) {
  Pair pair(p, false);
  pictures::WarpOptions options;
  options.kind = static_cast<pictures::Warp>(to_size(p[2], 0, 2));
  options.pick = static_cast<pictures::Pick>(to_size(p[4], 0, 2));
  Numbers factors(p[3]), box(p[5]);
  std::copy_n(factors.of_size(8).begin(), 8, options.factors.begin());
  options.left = whole(box.of_size(4)[0]);
  options.top = whole(box.span()[1]);
  options.right = whole(box.span()[2]);
  options.bottom = whole(box.span()[3]);
  options.clear = truth(p[6]);
  if (!pair.is_empty()) pictures_plugin().warp(pair.source, pair.target, options);
  return Value::none();
}

Value convolve(const Parameters& p) {
  Pair pair(p, true);
  nd::Array weights = to_array(p[2], nd::DType::kFloat32).contiguous();
  if (weights.size() != 9 && weights.size() != 25) raise(errors::ValueError, "bad kernel size");
  if (!pair.is_empty())
    pictures_plugin().convolve(pair.source, pair.target,
                               {weights.as<float>(), static_cast<std::size_t>(weights.size())},
                               static_cast<float>(to_double(p[3])));
  return Value::none();
}

Value box_blur(const Parameters& p) {
  Pair pair(p, true);
  require_bytes(pair.source, 0);
  const double x = to_double(p[2]), y = to_double(p[3]);
  if (!(x >= 0 && y >= 0 && x < 1e6 && y < 1e6))
    raise(errors::ValueError, "Radius must be from 0 to 1000000");
  const int passes = static_cast<int>(to_size(p[4], 1, 100));
  if (!pair.is_empty())
    pictures_plugin().box_blur(pair.source, pair.target, static_cast<float>(x),
                               static_cast<float>(y), passes);
  return Value::none();
}

Value rank(const Parameters& p) {
  Pair pair(p, true);
  const std::int64_t size = to_size(p[2], 1, 8191);
  if (size % 2 == 0) raise(errors::ValueError, "bad filter size");
  const std::int64_t place = to_size(p[3], 0, size * size - 1);
  if (!pair.is_empty())
    guarded_pictures([&] {
      pictures_plugin().rank(pair.source, pair.target, static_cast<int>(size),
                             static_cast<int>(place));
    });
  return Value::none();
}

Value most_common(const Parameters& p) {
  Pair pair(p, true);
  require_bytes(pair.source, 0);
  pictures_plugin().most_common(pair.source, pair.target, static_cast<int>(to_size(p[2], 1, 8191)));
  return Value::none();
}

Value look_up(const Parameters& p) {
  Pair pair(p, true);
  require_bytes(pair.source, 0);
  nd::Array table = to_array(p[2], nd::DType::kUInt8).contiguous();
  if (table.size() != 256 * pair.source.raster().bands)
    raise(errors::ValueError, "wrong number of lut entries");
  pictures_plugin().look_up(pair.source, pair.target,
                            {table.as<std::uint8_t>(), static_cast<std::size_t>(table.size())});
  return Value::none();
}

Value count_samples(const Parameters& p) {
  PixelRows source = PixelRows::of_source(p[0]);
  require_bytes(source, 0);
  std::optional<PixelRows> mask;
  if (!p[1].is_none()) {
    mask = PixelRows::of_source(p[1]);
    require_bytes(*mask, 1);
    mask->require_size(source);
  }
  std::vector<std::int64_t> counts =
      pictures_plugin().count_samples(source, mask ? &mask->raster() : nullptr);
  return wrap(nd::Array::copy_of(counts.data(), static_cast<std::int64_t>(counts.size()),
                                 nd::DType::kInt64));
}

Value multiply_alpha(const Parameters& p) {
  Pair pair(p, true);
  require_bytes(pair.source, 0);
  pictures_plugin().multiply_alpha(pair.source, pair.target, truth(p[2]));
  return Value::none();
}

Value mix(const Parameters& p) {
  PixelRows below = PixelRows::of_source(p[0]), above = PixelRows::of_source(p[1]);
  PixelRows part = PixelRows::of_source(p[2]), target = PixelRows::of_target(p[3]);
  for (const PixelRows* each : {&below, &above, &part}) {
    require_bytes(*each, 0);
    each->require_size(target);
  }
  require_bytes(target, below.raster().bands);
  if (above.raster().bands < below.raster().bands) raise(errors::ValueError, "images do not match");
  pictures_plugin().mix(below, above, part, target);
  return Value::none();
}

Value compose(const Parameters& p) {
  PixelRows below = PixelRows::of_source(p[0]), above = PixelRows::of_source(p[1]);
  PixelRows target = PixelRows::of_target(p[2]);
  for (const PixelRows* each : {&below, &above}) target.check_fits(*each, true);
  require_bytes(target, 0);
  pictures_plugin().compose(below, above, target);
  return Value::none();
}

Value dither(const Parameters& p) {
  Pair pair(p, true);
  require_bytes(pair.source, 1);
  pictures_plugin().dither(pair.source, pair.target);
  return Value::none();
}

// Pixels of several bands and an array for the places of their colours.
struct ColourPair {
  explicit ColourPair(const Parameters& p)
      : source(PixelRows::of_source(p[0])), target(PixelRows::of_target(p[1])) {
    const Raster &a = source, &b = target;
    require_bytes(a, 0);
    require_bytes(b, 1);
    if (a.bands < 3 || a.width != b.width || a.height != b.height)
      raise(errors::ValueError, "source and target are pictures of different kinds");
  }
  PixelRows source, target;
};

Value nearest_colours(const Parameters& p) {
  ColourPair pair(p);
  nd::Array palette = to_array(p[2], nd::DType::kUInt8).contiguous();
  if (palette.rank() != 2 || palette.shape()[1] < 3 || palette.shape()[0] < 1 ||
      palette.shape()[0] > 256)
    raise(errors::ValueError, "a palette has up to 256 rows of three numbers or more");
  pictures_plugin().nearest_colours(
      pair.source, pair.target,
      {palette.as<std::uint8_t>(), static_cast<std::size_t>(palette.size())},
      static_cast<int>(palette.shape()[1]), truth(p[3]));
  return Value::none();
}

Value quantize(const Parameters& p) {
  ColourPair pair(p);
  auto choice = static_cast<pictures::Choice>(to_size(p[2], 0, 1));
  const int colours = static_cast<int>(to_size(p[3], 1, 256));
  const int rounds = static_cast<int>(to_size(p[4], 0, INT32_MAX));
  if (pair.source.raster().width == 0 || pair.source.raster().height == 0)
    raise(errors::ValueError, "there are no pixels to choose colours for");
  return guarded_pictures([&] {
    pictures::Palette palette =
        pictures_plugin().quantize(pair.source, pair.target, choice, colours, rounds);
    const auto count = static_cast<std::int64_t>(palette.colours.size());
    return Value(wrap(nd::Array::copy_of(palette.colours.data(), count, nd::DType::kUInt8)));
  });
}

// The argument target, and ink: the bytes of a pixel and whether they are mixed.
struct Drawing {
  Drawing(const Parameters& p, std::size_t ink_at) : target(PixelRows::of_target(p[0])) {
    std::string_view bytes = to_bytes(p[ink_at]);
    ink.blend = truth(p[ink_at + 1]);
    const std::size_t needed = ink.blend ? 4 : target.raster().pixel_size();
    if (bytes.size() < needed || bytes.size() > ink.bytes.size())
      raise(errors::ValueError, "ink has as many bytes as a pixel");
    if (ink.blend && (target.raster().bands < 3 || target.raster().sample != Sample::kByte))
      raise(errors::ValueError, "ink is mixed into pixels of three bytes or four");
    std::copy_n(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size(), ink.bytes.begin());
  }
  PixelRows target;
  pictures::Ink ink;
};

Value points(const Parameters& p) {
  Drawing drawing(p, 2);
  pictures_plugin().draw_points(drawing.target, Numbers(p[1]), drawing.ink);
  return Value::none();
}

Value lines(const Parameters& p) {
  Drawing drawing(p, 3);
  pictures_plugin().draw_lines(drawing.target, Numbers(p[1]), to_int64(p[2]), drawing.ink);
  return Value::none();
}

Value polygon(const Parameters& p) {
  Drawing drawing(p, 4);
  pictures_plugin().draw_polygon(drawing.target, Numbers(p[1]), truth(p[2]), to_int64(p[3]),
                                 drawing.ink);
  return Value::none();
}

Value rectangle(const Parameters& p) {
  Drawing drawing(p, 4);
  Numbers box(p[1]);
  pictures_plugin().draw_rectangle(drawing.target, box.of_size(4), truth(p[2]),
                                   to_size(p[3], INT32_MIN, 1 << 28), drawing.ink);
  return Value::none();
}

Value round_shape(const Parameters& p) {
  Drawing drawing(p, 7);
  Numbers numbers(p[2]);
  std::span<const double> box = numbers.of_size(4);
  pictures::RoundOptions options{
      static_cast<pictures::Round>(to_size(p[1], 0, 3)),
      whole(box[0]),
      whole(box[1]),
      whole(box[2]),
      whole(box[3]),
      to_double(p[3]),
      to_double(p[4]),
      truth(p[5]),
      to_size(p[6], INT32_MIN, 1 << 28),
  };
  if (options.right - options.left > 1 << 20 || options.bottom - options.top > 1 << 20)
    raise(errors::ValueError, "an ellipse of more than {} pixels in a direction", 1 << 20);
  pictures_plugin().draw_round(drawing.target, options, drawing.ink);
  return Value::none();
}

template <auto Function>
Value with_rows(const Parameters& p) {
  std::string_view rows = to_bytes(p[0]);
  const auto size = static_cast<std::size_t>(to_size(p[1], 0, INT64_MAX));
  const auto step = static_cast<std::size_t>(to_size(p[2], 1, 16));
  return guarded_pictures(
      [&] { return Value(make<Bytes>((pictures_plugin().*Function)(rows, size, step))); });
}

std::size_t to_count(const Value& value) {
  return static_cast<std::size_t>(to_size(value, 0, INT64_MAX));
}

Value unpack_gif(const Parameters& p) {
  const int bits = static_cast<int>(to_size(p[1], 1, 11));
  return guarded_pictures([&] {
    return Value(make<Bytes>(pictures_plugin().unpack_gif(to_bytes(p[0]), bits, to_count(p[2]))));
  });
}

Value pack_gif(const Parameters& p) {
  const int bits = static_cast<int>(to_size(p[1], 2, 8));
  return make<Bytes>(pictures_plugin().pack_gif(to_bytes(p[0]), bits));
}

Value unpack_tiff(const Parameters& p) {
  return guarded_pictures([&] {
    return Value(make<Bytes>(pictures_plugin().unpack_tiff(to_bytes(p[0]), to_count(p[1]))));
  });
}

Value pack_tiff(const Parameters& p) {
  return make<Bytes>(pictures_plugin().pack_tiff(to_bytes(p[0])));
}

Value unpack_runs(const Parameters& p) {
  const auto unit = static_cast<std::size_t>(to_size(p[1], 1, 16));
  return guarded_pictures([&] {
    return Value(make<Bytes>(
        pictures_plugin().unpack_runs(to_bytes(p[0]), unit, to_count(p[2]), truth(p[3]))));
  });
}

Value pack_runs(const Parameters& p) {
  const auto unit = static_cast<std::size_t>(to_size(p[1], 1, 16));
  return make<Bytes>(pictures_plugin().pack_runs(to_bytes(p[0]), unit, truth(p[2])));
}

const NativeRow kFunctions[] = {
    {"open()", open, "Opens the plug-in; ImportError where that fails."},
    {"resample(source, target, window, box, /)", resample,
     "Fills the target with the box in another size: means under a window."},
    {"reduce(source, target, x, y, box, /)", reduce, "Means of blocks of x * y pixels."},
    {"warp(source, target, kind, factors, pick, box, clear, /)", warp,
     "Pixels of the target from where eight factors say."},
    {"convolve(source, target, weights, offset, /)", convolve,
     "Weighted sums of 3 * 3 or 5 * 5 samples."},
    {"box_blur(source, target, x, y, passes, /)", box_blur, "Means of neighbours, several times."},
    {"rank(source, target, size, place, /)", rank,
     "The sample that stands at a place among its neighbours."},
    {"most_common(source, target, size, /)", most_common, "The sample found most often."},
    {"look_up(source, target, table, /)", look_up, "Bytes by a table of 256 for each band."},
    {"count_samples(source, mask, /)", count_samples,
     "How often each byte stands in each band, where the mask is not 0."},
    {"multiply_alpha(source, target, undo, /)", multiply_alpha,
     "Bytes times their alpha, or back again."},
    {"mix(below, above, part, target, /)", mix,
     "Bytes of two pictures, `part` of 255 of the second."},
    {"compose(below, above, target, /)", compose, "A picture with alpha laid over another."},
    {"dither(source, target, /)", dither, "Grey as 0 and 255."},
    {"nearest_colours(source, target, palette, dither, /)", nearest_colours,
     "Places of the nearest colours of a palette."},
    {"quantize(source, target, choice, colors, rounds, /)", quantize,
     "Chooses a palette: its colours of four bytes; writes their places."},
    {"points(target, xy, ink, blend, /)", points, "Puts ink on pixels."},
    {"lines(target, xy, width, ink, blend, /)", lines, "Joins points by lines."},
    {"polygon(target, xy, fill, width, ink, blend, /)", polygon, "A closed shape."},
    {"rectangle(target, box, fill, width, ink, blend, /)", rectangle, "A rectangle."},
    {"round(target, kind, box, start, end, fill, width, ink, blend, /)", round_shape,
     "An ellipse (0), an arc (1), a chord (2), a slice (3)."},
    {"png_unfilter(rows, size, step, /)", with_rows<&pictures::Pictures::png_unfilter>,
     "The bytes of PNG's filtered rows."},
    {"png_filter(rows, size, step, /)", with_rows<&pictures::Pictures::png_filter>,
     "Rows with the filters that make them smallest."},
    {"unpack_gif(codes, bits, count, /)", unpack_gif, "Bytes of GIF's codes."},
    {"pack_gif(data, bits, /)", pack_gif, "Codes of GIF."},
    {"unpack_tiff(codes, count, /)", unpack_tiff, "Bytes of TIFF's codes."},
    {"pack_tiff(data, /)", pack_tiff, "Codes of TIFF."},
    {"unpack_runs(codes, unit, count, packbits, /)", unpack_runs, "Bytes of runs."},
    {"pack_runs(data, unit, packbits, /)", pack_runs, "Runs of equal units."},
    {"read_jpeg(data, bands, scale, /)", read_jpeg,
     "Pixels, and whether the file ends before they do."},
    {"write_jpeg(pixels, options, /)", write_jpeg, "The bytes of a JPEG file."},
    {"read_webp(data, first, last, /)", read_webp,
     "Width, height, alpha, loops, background, frames and the times of their ends."},
    {"write_webp(pixels, options, /)", write_webp, "The bytes of a WebP file."},
    {"write_webp_film(frames, ends, options, film, /)", write_webp_film,
     "The bytes of a WebP file of several frames."},
    {"open_face(data, index, /)", open_face, "A number for a font's face."},
    {"face_facts(face, size, /)", face_facts,
     "Family, style, ascent and descent in 64ths of pixels."},
    {"text_box(face, points, size, stroke, filled, smooth, /)", text_box,
     "Left, bottom, right and top in pixels, y upwards, and the advance in 64ths of them."},
    {"draw_text(face, points, size, stroke, filled, smooth, x, y, target, /)", draw_text,
     "How much of each pixel letters cover."},
};

}  // namespace

const NativeModule kPicturesModule = {
    "_pictures", "Pixels: loops, drawing, packed files.", kFunctions, {}};

}  // namespace strider::lang
