// Samples by themselves: looked up, counted, multiplied by their alpha, mixed.
#include <array>

#include "pictures/loops.h"

namespace strider::pictures {

void look_up(const Raster& source, const Raster& target, std::span<const std::uint8_t> table) {
  const std::int64_t count = source.width * source.height;
  const auto* from = source.row<std::uint8_t>(0);
  auto* to = target.row<std::uint8_t>(0);
  for (std::int64_t i = 0; i < count; ++i)
    for (int band = 0; band < source.bands; ++band, ++from, ++to)
      *to = table[static_cast<std::size_t>(band * 256 + *from)];
}

std::vector<std::int64_t> count_samples(const Raster& source, const Raster* mask) {
  const auto bands = static_cast<std::size_t>(source.bands);
  std::vector<std::int64_t> counts(bands * 256);
  const std::int64_t size = source.width * source.height;
  const auto* samples = source.row<std::uint8_t>(0);
  const std::uint8_t* seen = mask ? mask->row<std::uint8_t>(0) : nullptr;
  for (std::int64_t i = 0; i < size; ++i, samples += bands) {
    if (seen && seen[i] == 0) continue;
    for (std::size_t band = 0; band < bands; ++band) ++counts[band * 256 + samples[band]];
  }
  return counts;
}

namespace {

std::uint8_t undone(unsigned value, unsigned alpha) {
  if (alpha == 0 || alpha == 255) return static_cast<std::uint8_t>(value);
  return static_cast<std::uint8_t>(std::min(255 * value / alpha, 255U));
}

}  // namespace

void multiply_alpha(const Raster& source, const Raster& target, bool undo) {
  const std::int64_t count = source.width * source.height;
  const int bands = source.bands;
  const auto* from = source.row<std::uint8_t>(0);
  auto* to = target.row<std::uint8_t>(0);
  for (std::int64_t i = 0; i < count; ++i, from += bands, to += bands) {
    const unsigned alpha = from[bands - 1];
    for (int band = 0; band + 1 < bands; ++band)
      to[band] = undo ? undone(from[band], alpha) : scaled(from[band], alpha);
    to[bands - 1] = from[bands - 1];
  }
}

void mix(const Raster& below, const Raster& above, const Raster& part, const Raster& target) {
  const std::int64_t count = below.width * below.height;
  const bool shared = part.bands == 1;
  const auto* first = below.row<std::uint8_t>(0);
  const auto* second = above.row<std::uint8_t>(0);
  const auto* weight = part.row<std::uint8_t>(0);
  auto* to = target.row<std::uint8_t>(0);
  for (std::int64_t i = 0; i < count; ++i, weight += shared ? 1 : below.bands)
    for (int band = 0; band < below.bands; ++band, ++first, ++second, ++to) {
      const unsigned share = weight[shared ? 0 : band];
      const unsigned sum = *first * (255 - share) + *second * share + 128;
      *to = static_cast<std::uint8_t>((sum + (sum >> 8)) >> 8);
    }
}

void compose(const Raster& below, const Raster& above, const Raster& target) {
  const std::int64_t count = below.width * below.height;
  const int bands = below.bands, last = bands - 1;
  const auto* under = below.row<std::uint8_t>(0);
  const auto* over = above.row<std::uint8_t>(0);
  auto* to = target.row<std::uint8_t>(0);
  for (std::int64_t i = 0; i < count; ++i, under += bands, over += bands, to += bands) {
    const unsigned alpha = over[last];
    if (alpha == 0) {
      std::copy_n(under, bands, to);
      continue;
    }
    const unsigned whole = alpha * 255 + under[last] * (255 - alpha);
    const unsigned share = alpha * 255 * 255 * 128 / whole, rest = 255 * 128 - share;
    for (int band = 0; band < last; ++band) {
      const unsigned sum = over[band] * share + under[band] * rest + (0x80 << 7);
      to[band] = static_cast<std::uint8_t>((((sum >> 8) + sum) >> 8) >> 7);
    }
    const unsigned sum = whole + 0x80;
    to[last] = static_cast<std::uint8_t>(((sum >> 8) + sum) >> 8);
  }
}

}  // namespace strider::pictures
