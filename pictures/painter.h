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

  void point(std::int64_t x, std::int64_t y) {
    if (x >= 0 && x < target_.width && y >= 0 && y < target_.height) fill(pixel_at(x, y), 1);
  }

  // From `left` to `right`, both inside.
  void row(std::int64_t left, std::int64_t right, std::int64_t y) {
    if (y < 0 || y >= target_.height) return;
    left = std::max<std::int64_t>(left, 0);
    right = std::min(right, target_.width - 1);
    if (left <= right) fill(pixel_at(left, y), right - left + 1);
  }

 private:
  std::byte* pixel_at(std::int64_t x, std::int64_t y) const {
    return target_.data + static_cast<std::size_t>(y * target_.width + x) * size_;
  }

  void fill(std::byte* pixel, std::int64_t count) const {
    if (ink_.blend) {
      for (std::int64_t i = 0; i < count; ++i, pixel += size_)
        mix(reinterpret_cast<std::uint8_t*>(pixel));
    } else if (size_ == 1) {
      std::memset(pixel, static_cast<int>(ink_.bytes[0]), static_cast<std::size_t>(count));
    } else if (size_ == 2) {
      repeat<2>(pixel, count);
    } else if (size_ == 3) {
      repeat<3>(pixel, count);
    } else {
      repeat<4>(pixel, count);
    }
  }

  template <std::size_t Size>
  void repeat(std::byte* pixel, std::int64_t count) const {
    std::byte ink[Size];
    std::memcpy(ink, ink_.bytes.data(), Size);
    for (std::int64_t i = 0; i < count; ++i, pixel += Size) std::memcpy(pixel, ink, Size);
  }

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
