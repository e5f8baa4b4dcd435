// Fewer colours: black and white, the nearest of a palette.
#include <array>
#include <limits>

#include "pictures/loops.h"

namespace strider::pictures {
namespace {

// Errors of one band that wait for the row below, after Floyd and Steinberg: 7 parts of 16 go to
// the right, 3, 5 and 1 to the three below.
class Errors {
 public:
  explicit Errors(std::int64_t width) : below_(static_cast<std::size_t>(width) + 1) {}
  void begin_row() { right_ = left_ = middle_ = 0; }
  // The sample at `x` with what its neighbours have left it.
  int corrected(int sample, std::int64_t x) const {
    return std::clamp(sample + (right_ + below_[static_cast<std::size_t>(x) + 1]) / 16, 0, 255);
  }
  void spread(int error, std::int64_t x) {
    below_[static_cast<std::size_t>(x)] = 3 * error + left_;
    left_ = 5 * error + middle_;
    middle_ = error;
    right_ = 7 * error;
  }
  void end_row(std::int64_t width, int error) { below_[static_cast<std::size_t>(width)] = error; }
  int left() const { return left_; }
  int last() const { return middle_; }

 private:
  std::vector<int> below_;
  int right_ = 0, left_ = 0, middle_ = 0;
};

// The place of the nearest colour, found once for each group of colours that agree in the upper
// six bits.
class NearestColours {
 public:
  NearestColours(std::span<const std::uint8_t> palette, int stride)
      : palette_(palette), stride_(static_cast<std::size_t>(stride)), found_(1 << 18, -1) {}

  std::uint8_t find(int red, int green, int blue) {
    std::int16_t& place =
        found_[static_cast<std::size_t>(red >> 2 << 12 | green >> 2 << 6 | blue >> 2)];
    if (place < 0) place = search(red & ~3, green & ~3, blue & ~3);
    return static_cast<std::uint8_t>(place);
  }
  const std::uint8_t* colour(std::uint8_t place) const { return &palette_[place * stride_]; }

 private:
  std::int16_t search(int red, int green, int blue) const {
    int least = std::numeric_limits<int>::max();
    std::size_t best = 0;
    for (std::size_t i = 0; i < palette_.size() / stride_; ++i) {
      const std::uint8_t* colour = &palette_[i * stride_];
      const int r = red - colour[0], g = green - colour[1], b = blue - colour[2];
      const int distance = r * r + g * g + b * b;
      if (distance < least) least = distance, best = i;
    }
    return static_cast<std::int16_t>(best);
  }

  std::span<const std::uint8_t> palette_;
  std::size_t stride_;
  std::vector<std::int16_t> found_;
};

}  // namespace

void dither(const Raster& source, const Raster& target) {
  Errors errors(source.width);
  for (std::int64_t y = 0; y < source.height; ++y) {
    const auto* row = source.row<std::uint8_t>(y);
    auto* result = target.row<std::uint8_t>(y);
    errors.begin_row();
    for (std::int64_t x = 0; x < source.width; ++x) {
      const int value = errors.corrected(row[x], x);
      result[x] = value > 128 ? 255 : 0;
      errors.spread(value - result[x], x);
    }
    errors.end_row(source.width, errors.left());
  }
}

void nearest_colours(const Raster& source, const Raster& target,
                     std::span<const std::uint8_t> palette, int stride, bool dither) {
  NearestColours colours(palette, stride);
  std::array<Errors, 3> errors = {Errors(source.width), Errors(source.width), Errors(source.width)};
  for (std::int64_t y = 0; y < source.height; ++y) {
    const auto* pixel = source.row<std::uint8_t>(y);
    auto* result = target.row<std::uint8_t>(y);
    for (Errors& band : errors) band.begin_row();
    for (std::int64_t x = 0; x < source.width; ++x, pixel += source.bands) {
      std::array<int, 3> value = {pixel[0], pixel[1], pixel[2]};
      if (dither)
        for (std::size_t band = 0; band < 3; ++band)
          value[band] = errors[band].corrected(pixel[band], x);
      result[x] = colours.find(value[0], value[1], value[2]);
      if (dither)
        for (std::size_t band = 0; band < 3; ++band)
          errors[band].spread(value[band] - colours.colour(result[x])[band], x);
    }
    // At the end of a row all bands take what blue has left, as users of Pillow see it.
    errors[0].end_row(source.width, errors[2].left());
    errors[1].end_row(source.width, errors[2].last());
    errors[2].end_row(source.width, errors[2].last());
  }
}

}  // namespace strider::pictures
