// What the language and the plug-in for pictures agree on: loops over samples that are no array
// expressions, drawing into pictures, and files packed by libraries. Knows no modes and no names of
// formats: those are npx in stdlib/PIL/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strider::pictures {

// Grows by one when something that both sides compile in changes.
inline constexpr int kContract = 2;

enum class Sample : std::uint8_t { kByte, kShort, kInt, kFloat };  // unsigned 8, 16; signed 32

inline std::size_t sample_size(Sample sample) {
  return sample == Sample::kByte ? 1 : sample == Sample::kShort ? 2 : 4;
}

// Rows of pixels of `bands` samples, without gaps, the top row first. Does not own its samples.
struct Raster {
  std::byte* data = nullptr;
  std::int64_t width = 0, height = 0;
  int bands = 1;
  Sample sample = Sample::kByte;

  std::size_t pixel_size() const { return sample_size(sample) * static_cast<std::size_t>(bands); }
  template <class T>
  T* row(std::int64_t y) const {
    return reinterpret_cast<T*>(data) + y * width * bands;
  }
};

// The box of the source, in its pixels, that fills the target.
struct Region {
  double left = 0, top = 0, right = 0, bottom = 0;
};

enum class Window : std::uint8_t { kBox, kTriangle, kHamming, kCubic, kLanczos };

enum class Warp : std::uint8_t { kAffine, kPerspective, kQuad };
enum class Pick : std::uint8_t { kNearest, kLinear, kCubic };
// For each pixel of the target within the box, where in the source it comes from.
struct WarpOptions {
  Warp kind = Warp::kAffine;
  Pick pick = Pick::kNearest;
  std::array<double, 8> factors{};
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;
  bool clear = true;  // pixels that come from outside become zero
};

// The samples of a pixel, mixed by the fourth band where `blend` says so.
struct Ink {
  std::array<std::byte, 16> bytes{};
  bool blend = false;
};

enum class Round : std::uint8_t { kEllipse, kArc, kChord, kSlice };
struct RoundOptions {
  Round kind = Round::kEllipse;
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;
  double start = 0, end = 360;  // degrees, clockwise from the right
  bool fill = false;
  std::int64_t width = 1;  // of the outline
};

struct Palette {
  std::vector<std::uint8_t> colours;  // four bytes each
};
enum class Choice : std::uint8_t { kMedianCut, kOctree };

struct Decoded {
  std::int64_t width = 0, height = 0;
  int bands = 0;
  std::vector<std::uint8_t> bytes;
  bool cut_short = false;  // the file ended before the picture did
};

struct JpegOptions {
  int quality = 75;  // -1: the tables
  std::vector<std::vector<unsigned>> tables;
  int horizontal = 0, vertical = 0;  // of luminance, in units of chrominance; 0: the library's
  bool progressive = false, optimize = false;
  bool keep_rgb = false;  // in the file
  bool is_ycc = false;    // the samples are luminance and chrominance already
  int smooth = 0;
  int unit = 0, x_density = 0, y_density = 0;
  int restart_blocks = 0, restart_rows = 0;
  std::string markers;  // two bytes of length behind a byte for the kind, as they go into the file
};

struct WebpOptions {
  double quality = 80, alpha_quality = 100;
  int method = 4;
  bool lossless = false, exact = false;
};

struct Frame {
  Decoded picture;
  std::int64_t end = 0;  // milliseconds from the start
};
struct Film {
  std::int64_t width = 0, height = 0;
  int loops = 0;
  std::uint32_t background = 0;  // blue, green, red, alpha from the lowest byte
  bool alpha = false;
  std::vector<Frame> frames;  // four bands
};
struct FilmOptions {
  int loops = 0;
  std::uint32_t background = 0;
  int least_distance = -1, most_distance = -1;  // of key frames; negative: the library's
  bool smallest = false, mixed = false;
};

// Of the ink and the line that it stands on, in pixels from where the line begins, y upwards.
struct TextBox {
  std::int64_t left = 0, bottom = 0, right = 0, top = 0;
  std::int64_t advance = 0;  // in 64ths of pixels, as far as what follows
};
struct FaceFacts {
  std::string family, style;
  std::int64_t ascent = 0, descent = 0;  // of the line, in 64ths of pixels, the descent below 0
};
struct TextOptions {
  double size = 10;    // pixels
  double stroke = 0;   // pixels around the letters
  bool filled = true;  // with what is within the stroke
  bool smooth = true;  // grey at edges
};

struct Pictures {
  int contract = 0;
  const char* version = "";  // of the program that it belongs to
  // What fails throws std::runtime_error. Sources and targets do not overlap; their samples and
  // bands agree where nothing else is said.
  void (*resample)(const Raster& source, const Raster& target, Window window,
                   const Region& region) = nullptr;
  // Means of blocks of the source from (left, top) on.
  void (*reduce)(const Raster& source, const Raster& target, std::int64_t x_factor,
                 std::int64_t y_factor, const Region& region) = nullptr;
  void (*warp)(const Raster& source, const Raster& target, const WarpOptions& options) = nullptr;
  // 9 or 25 weights, row by row; borders stay as they are.
  void (*convolve)(const Raster& source, const Raster& target, std::span<const float> weights,
                   float offset) = nullptr;
  void (*box_blur)(const Raster& source, const Raster& target, float x_radius, float y_radius,
                   int passes) = nullptr;
  // The sample that stands at `place` among the size * size around each.
  void (*rank)(const Raster& source, const Raster& target, int size, int place) = nullptr;
  // The sample found most often among those around each.
  void (*most_common)(const Raster& source, const Raster& target, int size) = nullptr;
  // Bytes by a table of 256 for each band.
  void (*look_up)(const Raster& source, const Raster& target,
                  std::span<const std::uint8_t> table) = nullptr;
  // How often each byte stands in each band, where the mask is not 0.
  std::vector<std::int64_t> (*count_samples)(const Raster& source, const Raster* mask) = nullptr;
  // Bytes times their alpha, the last band; back again where `undo`.
  void (*multiply_alpha)(const Raster& source, const Raster& target, bool undo) = nullptr;
  // `part` of 255 of the second, which may have bands more; of each band where it has as many as
  // the first, else its last band. The target may be the first picture.
  void (*mix)(const Raster& below, const Raster& above, const Raster& part,
              const Raster& target) = nullptr;
  // A picture with alpha laid over another.
  void (*compose)(const Raster& below, const Raster& above, const Raster& target) = nullptr;
  // Grey to 0 and 255, errors handed on to neighbours.
  void (*dither)(const Raster& source, const Raster& target) = nullptr;
  // Three bands to the places of the nearest colours of a palette.
  void (*nearest_colours)(const Raster& source, const Raster& target,
                          std::span<const std::uint8_t> palette, int stride, bool dither) = nullptr;
  // With `rounds`, colours move on to the means of their pixels until fewer than that change.
  Palette (*quantize)(const Raster& source, const Raster& target, Choice choice, int colours,
                      int rounds) = nullptr;
  void (*draw_points)(const Raster& target, std::span<const double> xy, const Ink& ink) = nullptr;
  void (*draw_lines)(const Raster& target, std::span<const double> xy, std::int64_t width,
                     const Ink& ink) = nullptr;
  void (*draw_polygon)(const Raster& target, std::span<const double> xy, bool fill,
                       std::int64_t width, const Ink& ink) = nullptr;
  void (*draw_rectangle)(const Raster& target, std::span<const double> box, bool fill,
                         std::int64_t width, const Ink& ink) = nullptr;
  void (*draw_round)(const Raster& target, const RoundOptions& options, const Ink& ink) = nullptr;
  // Rows of PNG: `step` bytes lie between a byte and its left neighbour.
  std::string (*png_unfilter)(std::string_view rows, std::size_t row_size,
                              std::size_t step) = nullptr;
  std::string (*png_filter)(std::string_view rows, std::size_t row_size,
                            std::size_t step) = nullptr;
  // Codes of GIF (lowest bit first) and of TIFF; at most `count` bytes.
  std::string (*unpack_gif)(std::string_view codes, int bits, std::size_t count) = nullptr;
  std::string (*pack_gif)(std::string_view bytes, int bits) = nullptr;
  std::string (*unpack_tiff)(std::string_view codes, std::size_t count) = nullptr;
  std::string (*pack_tiff)(std::string_view bytes) = nullptr;
  // Runs of units of so many bytes, as in TGA (kTga) or as PackBits.
  std::string (*unpack_runs)(std::string_view codes, std::size_t unit, std::size_t count,
                             bool packbits) = nullptr;
  std::string (*pack_runs)(std::string_view bytes, std::size_t unit, bool packbits) = nullptr;
  // A file of JPEG at 1/`scale` of its size; bands: 1, 3 or 4.
  Decoded (*read_jpeg)(std::string_view file, int bands, int scale) = nullptr;
  std::string (*write_jpeg)(const Raster& source, const JpegOptions& options) = nullptr;
  // With the frames from `first` up to `last`; the others have no pixels.
  Film (*read_webp)(std::string_view file, std::int64_t first, std::int64_t last) = nullptr;
  std::string (*write_webp)(const Raster& source, const WebpOptions& options) = nullptr;
  std::string (*write_webp_film)(std::span<const Raster> frames, std::span<const std::int64_t> ends,
                                 std::span<const WebpOptions> options,
                                 const FilmOptions& film) = nullptr;
  // A number for the face of a font's file, which stays open.
  int (*open_face)(std::string_view file, int index) = nullptr;
  FaceFacts (*face_facts)(int face, double size) = nullptr;
  TextBox (*text_box)(int face, std::u32string_view text, const TextOptions& options) = nullptr;
  // Writes how much of each pixel is covered, the text's box moved by (x, y) from the upper left.
  void (*draw_text)(int face, std::u32string_view text, const TextOptions& options, double x,
                    double y, const Raster& target) = nullptr;
};

// The plug-in's one entry, and how it is looked up. What it returns stays.
extern "C" using PicturesEntry = const Pictures * ();
inline constexpr const char* kPicturesEntry = "strider_pictures";

}  // namespace strider::pictures
