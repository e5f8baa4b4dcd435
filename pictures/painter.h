// Ink put on pixels, one by one or in rows; what lies outside the picture is left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "pictures/loops.h"

namespace strider::pictures {

// A coordinate without its part behind the point, held where sums of it stay exact.
inline std::int64_t whole(double value) {
  constexpr double kFarthest = 1 << 28;
  return static_cast<std::int64_t>(
      std::clamp(std::isnan(value) ? 0 : value, -kFarthest, kFarthest));
}

class Painter {
 public:
  Painter(const Raster& target, const Ink& ink)
      : target_(target), ink_(ink), size_(target.pixel_size()) {}

  std::int64_t width() const { return target_.width; }
  std::int64_t height() const { return target_.height; }

  void point(std::int64_t x, std::int64_t y) { row(x, x, y); }

  // From `left` to `right`, both inside.
  void row(std::int64_t left, std::int64_t right, std::int64_t y) {
    if (y < 0 || y >= target_.height) return;
    left = std::max<std::int64_t>(left, 0);
    right = std::min(right, target_.width - 1);
    std::byte* pixel = target_.data + static_cast<std::size_t>(y * target_.width + left) * size_;
    for (; left <= right; ++left, pixel += size_) {
      if (ink_.blend)
        mix(reinterpret_cast<std::uint8_t*>(pixel));
      else
        std::memcpy(pixel, ink_.bytes.data(), size_);
    }
  }

 private:
  void mix(std::uint8_t* pixel) const {
    const auto* ink = reinterpret_cast<const std::uint8_t*>(ink_.bytes.data());
    const unsigned part = ink[3];
    for (int band = 0; band < 3; ++band) {
      const unsigned sum = pixel[band] * (255 - part) + ink[band] * part + 128;
      pixel[band] = static_cast<std::uint8_t>(((sum >> 8) + sum) >> 8);
    }
  }

  const Raster& target_;
  const Ink& ink_;
  std::size_t size_;
};

void draw_points(const Raster& target, std::span<const double> xy, const Ink& ink);
void draw_lines(const Raster& target, std::span<const double> xy, std::int64_t width,
                const Ink& ink);
void draw_polygon(const Raster& target, std::span<const double> xy, bool fill, std::int64_t width,
                  const Ink& ink);
void draw_rectangle(const Raster& target, std::span<const double> box, bool fill,
                    std::int64_t width, const Ink& ink);
void draw_round(const Raster& target, const RoundOptions& options, const Ink& ink);

}  // namespace strider::pictures
