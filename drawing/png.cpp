// Rows are filtered by whichever of three filters leaves the smallest numbers, then deflated (PNG
// specification, third edition).
#include "drawing/png.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "drawing/surface.h"

namespace strider::drawing {
namespace {

constexpr int kEffort = 4;  // of zlib, from 1 to 9
constexpr double kInchesPerMetre = 1 / 0.0254;
constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";

void put_number(std::string& file, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) file += static_cast<char>(number >> shift & 0xff);
}

void put_chunk(std::string& file, std::string_view kind, std::string_view data) {
  put_number(file, static_cast<std::uint32_t>(data.size()));
  std::size_t start = file.size();
  file.append(kind).append(data);
  put_number(
      file, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(file.data() + start),
                                             static_cast<uInt>(file.size() - start))));
}

// The row as filter 0 (as it is), 1 (less its left neighbour) or 2 (less the row above) leaves it.
void filter_row(int filter, const std::uint8_t* row, const std::uint8_t* above, std::size_t size,
                std::uint8_t* result) {
  result[0] = static_cast<std::uint8_t>(filter);
  for (std::size_t i = 0; i < size; ++i) {
    int before = filter == 1 ? (i >= 4 ? row[i - 4] : 0) : filter == 2 && above ? above[i] : 0;
    result[i + 1] = static_cast<std::uint8_t>(row[i] - before);
  }
}

long weight(const std::vector<std::uint8_t>& row) {
  long sum = 0;
  for (std::size_t i = 1; i < row.size(); ++i) sum += std::abs(static_cast<std::int8_t>(row[i]));
  return sum;
}

std::vector<std::uint8_t> filtered(const Picture& picture) {
  auto size = static_cast<std::size_t>(picture.width) * 4;
  std::vector<std::uint8_t> result;
  result.reserve((size + 1) * static_cast<std::size_t>(picture.height));
  std::array<std::vector<std::uint8_t>, 3> choices;
  choices.fill(std::vector<std::uint8_t>(size + 1));
  const std::uint8_t* above = nullptr;
  for (std::int64_t y = 0; y < picture.height; ++y) {
    const std::uint8_t* row = picture.bytes.data() + static_cast<std::size_t>(y) * size;
    std::size_t best = 0;
    for (std::size_t filter = 0; filter < choices.size(); ++filter) {
      filter_row(static_cast<int>(filter), row, above, size, choices[filter].data());
      if (weight(choices[filter]) < weight(choices[best])) best = filter;
    }
    result.insert(result.end(), choices[best].begin(), choices[best].end());
    above = row;
  }
  return result;
}

std::string deflated(const std::vector<std::uint8_t>& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string result(size, '\0');
  int status = compress2(reinterpret_cast<Bytef*>(result.data()), &size, bytes.data(), bytes.size(),
                         kEffort);
  if (status != Z_OK) throw std::runtime_error("a picture cannot be compressed");
  result.resize(size);
  return result;
}

}  // namespace

std::string png_file(const Picture& picture, double dpi) {
  std::string file(kSignature), header;
  put_number(header, static_cast<std::uint32_t>(picture.width));
  put_number(header, static_cast<std::uint32_t>(picture.height));
  header.append("\x08\x06\x00\x00\x00", 5);  // 8 bits, red, green, blue and alpha
  put_chunk(file, "IHDR", header);
  if (dpi > 0) {
    std::string resolution;
    auto per_metre = static_cast<std::uint32_t>(std::lround(dpi * kInchesPerMetre));
    put_number(resolution, per_metre);
    put_number(resolution, per_metre);
    resolution += '\x01';
    put_chunk(file, "pHYs", resolution);
  }
  put_chunk(file, "IDAT", deflated(filtered(picture)));
  put_chunk(file, "IEND", {});
  return file;
}

Picture read_png(std::string_view bytes) {
  auto take = [](void* source, unsigned char* target, unsigned int count) {
    auto& rest = *static_cast<std::string_view*>(source);
    if (rest.size() < count) return CAIRO_STATUS_READ_ERROR;
    std::copy_n(rest.data(), count, reinterpret_cast<char*>(target));
    rest.remove_prefix(count);
    return CAIRO_STATUS_SUCCESS;
  };
  Surface surface(cairo_image_surface_create_from_png_stream(take, &bytes));
  check(cairo_surface_status(surface.get()));
  cairo_format_t format = cairo_image_surface_get_format(surface.get());
  if (format != CAIRO_FORMAT_ARGB32 && format != CAIRO_FORMAT_RGB24)
    throw std::runtime_error("a PNG file with more than 8 bits per colour");
  return to_picture(surface.get());
}

std::string write_png(const Picture& picture) { return png_file(picture, 0); }

}  // namespace strider::drawing
