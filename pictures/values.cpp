// Samples by themselves: looked up, counted, multiplied by their alpha, mixed.
#include <array>

#include "pictures/loops.h"

namespace strider::pictures {

namespace {

// Calls `work` with the number of bands as a constant.
template <class Work>
auto with_bands(int bands, Work work) {
  if (bands == 1) return work.template operator()<1>();
  if (bands == 2) return work.template operator()<2>();
  if (bands == 3) return work.template operator()<3>();
  return work.template operator()<4>();
}

}  // namespace

void look_up(const Raster& source, const Raster& target, std::span<const std::uint8_t> table) {
  const std::int64_t count = source.width * source.height;
  with_bands(source.bands, [&]<int Bands>() {
    const std::uint8_t* __restrict from = source.row<std::uint8_t>(0);
    const std::uint8_t* __restrict values = table.data();
    std::uint8_t* __restrict to = target.row<std::uint8_t>(0);
    for (std::int64_t i = 0; i < count; ++i, from += Bands, to += Bands)
      for (int band = 0; band < Bands; ++band) to[band] = values[band * 256 + from[band]];
  });
}

// Neighbours are counted apart, so that one count need not wait for the other.
std::vector<std::int64_t> count_samples(const Raster& source, const Raster* mask) {
  const std::int64_t size = source.width * source.height;
  return with_bands(source.bands, [&]<int Bands>() {
    std::vector<std::int64_t> counts(2 * Bands * 256);
    const std::uint8_t* samples = source.row<std::uint8_t>(0);
    const std::uint8_t* seen = mask ? mask->row<std::uint8_t>(0) : nullptr;
    std::int64_t* halves = counts.data();
    for (std::int64_t i = 0; i < size; ++i, samples += Bands) {
      if (seen && seen[i] == 0) continue;
      std::int64_t* half = halves + (i & 1) * Bands * 256;
      for (int band = 0; band < Bands; ++band) ++half[band * 256 + samples[band]];
    }
    for (int i = 0; i < Bands * 256; ++i) counts[i] += counts[Bands * 256 + i];
    counts.resize(Bands * 256);
    return counts;
  });
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
  with_bands(below.bands, [&]<int Bands>() {
    const std::uint8_t* first = below.row<std::uint8_t>(0);
    const std::uint8_t* second = above.row<std::uint8_t>(0);
    const std::uint8_t* weight = part.row<std::uint8_t>(0);
    std::uint8_t* to = target.row<std::uint8_t>(0);
    const int step = above.bands, weight_step = part.bands;
    const bool shared = part.bands != Bands || Bands == 1;
    for (std::int64_t i = 0; i < count; ++i) {
      for (int band = 0; band < Bands; ++band) {
        const unsigned share = weight[shared ? weight_step - 1 : band];
        const unsigned sum = first[band] * (255 - share) + second[band] * share + 128;
        to[band] = static_cast<std::uint8_t>((sum + (sum >> 8)) >> 8);
      }
      first += Bands;
      second += step;
      weight += weight_step;
      to += Bands;
    }
  });
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
