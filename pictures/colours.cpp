// Fewer colours: black and white, the nearest of a palette.
#include <array>
#include <cstdlib>
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

int square(int value) { return value * value; }

// The place of the nearest colour, found once for each group of colours that agree in the upper
// six bits, among those that can be nearest to some of the same upper three.
class NearestColours {
 public:
  NearestColours(std::span<const std::uint8_t> palette, int stride)
      : palette_(palette),
        stride_(static_cast<std::size_t>(stride)),
        found_(1 << 18, -1),
        candidates_(1 << 9) {}

  std::uint8_t find(int red, int green, int blue) {
    std::int16_t& place =
        found_[static_cast<std::size_t>(red >> 2 << 12 | green >> 2 << 6 | blue >> 2)];
    if (place < 0) place = search({red & ~3, green & ~3, blue & ~3});
    return static_cast<std::uint8_t>(place);
  }
  const std::uint8_t* colour(std::size_t place) const { return &palette_[place * stride_]; }

 private:
  using Colour = std::array<int, 3>;

  // Places whose colours may be nearest to one of the 32 * 32 * 32 colours from `low` on.
  std::vector<std::int16_t> places_near(const Colour& low) const {
    std::vector<int> nearest;
    int least = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < palette_.size() / stride_; ++i) {
      int near = 0, far = 0;
      for (std::size_t band = 0; band < 3; ++band) {
        const int value = colour(i)[band], high = low[band] + 31;
        near += square(std::clamp(value, low[band], high) - value);
        far += square(std::max(std::abs(value - low[band]), std::abs(value - high)));
      }
      nearest.push_back(near);
      least = std::min(least, far);
    }
    std::vector<std::int16_t> places;
    for (std::size_t i = 0; i < nearest.size(); ++i)
      if (nearest[i] <= least) places.push_back(static_cast<std::int16_t>(i));
    return places;
  }

  std::int16_t search(const Colour& wanted) {
    auto& places = candidates_[static_cast<std::size_t>(wanted[0] >> 5 << 6 | wanted[1] >> 5 << 3 |
                                                        wanted[2] >> 5)];
    if (places.empty()) places = places_near({wanted[0] & ~31, wanted[1] & ~31, wanted[2] & ~31});
    int least = std::numeric_limits<int>::max();
    std::int16_t best = 0;
    for (std::int16_t place : places) {
      const std::uint8_t* each = colour(static_cast<std::size_t>(place));
      const int apart =
          square(wanted[0] - each[0]) + square(wanted[1] - each[1]) + square(wanted[2] - each[2]);
      if (apart < least) least = apart, best = place;
    }
    return best;
  }

  std::span<const std::uint8_t> palette_;
  std::size_t stride_;
  std::vector<std::int16_t> found_;
  std::vector<std::vector<std::int16_t>> candidates_;
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
