// Cairo keeps pixels as 32-bit numbers with colours multiplied by alpha.
#include "drawing/surface.h"

#include <cairo-pdf.h>
#include <cairo-ps.h>
#include <cairo-svg.h>

#include <algorithm>
#include <stdexcept>

namespace strider::drawing {
namespace {

constexpr double kPointsPerInch = 72;

cairo_status_t append(void* file, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(file)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

std::uint32_t packed(const std::uint8_t* pixel) {
  std::uint32_t alpha = pixel[3];
  auto part = [alpha](std::uint32_t value) { return (value * alpha + 127) / 255; };
  return alpha << 24 | part(pixel[0]) << 16 | part(pixel[1]) << 8 | part(pixel[2]);
}

void unpack(std::uint32_t value, std::uint8_t* pixel) {
  std::uint32_t alpha = value >> 24;
  auto part = [&](int shift) {
    std::uint32_t colour = value >> shift & 0xff;
    std::uint32_t whole = alpha == 0 ? 0 : (colour * 255 + alpha / 2) / alpha;
    return static_cast<std::uint8_t>(std::min(255u, whole));
  };
  pixel[0] = part(16);
  pixel[1] = part(8);
  pixel[2] = part(0);
  pixel[3] = static_cast<std::uint8_t>(alpha);
}

}  // namespace

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) throw std::runtime_error(cairo_status_to_string(status));
}

Surface make_surface(const PageOptions& options, std::string& file) {
  double scale = kPointsPerInch / options.dpi;
  double width = static_cast<double>(options.width) * scale;
  double height = static_cast<double>(options.height) * scale;
  Surface surface;
  if (options.format == Format::kPng)
    surface.reset(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(options.width),
                                             static_cast<int>(options.height)));
  else if (options.format == Format::kSvg)
    surface.reset(cairo_svg_surface_create_for_stream(append, &file, width, height));
  else if (options.format == Format::kPdf)
    surface.reset(cairo_pdf_surface_create_for_stream(append, &file, width, height));
  else
    surface.reset(cairo_ps_surface_create_for_stream(append, &file, width, height));
  if (options.format == Format::kEps) cairo_ps_surface_set_eps(surface.get(), 1);
  check(cairo_surface_status(surface.get()));
  return surface;
}

Surface to_surface(const Picture& picture) {
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(picture.width),
                                             static_cast<int>(picture.height)));
  check(cairo_surface_status(surface.get()));
  unsigned char* rows = cairo_image_surface_get_data(surface.get());
  int stride = cairo_image_surface_get_stride(surface.get());
  for (std::int64_t y = 0; y < picture.height; ++y) {
    auto* row = reinterpret_cast<std::uint32_t*>(rows + y * stride);
    const std::uint8_t* pixels = picture.bytes.data() + y * picture.width * 4;
    for (std::int64_t x = 0; x < picture.width; ++x) row[x] = packed(pixels + x * 4);
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

Picture to_picture(cairo_surface_t* surface) {
  cairo_surface_flush(surface);
  Picture picture;
  picture.width = cairo_image_surface_get_width(surface);
  picture.height = cairo_image_surface_get_height(surface);
  picture.bytes.resize(static_cast<std::size_t>(picture.width * picture.height * 4));
  const unsigned char* rows = cairo_image_surface_get_data(surface);
  int stride = cairo_image_surface_get_stride(surface);
  bool opaque = cairo_image_surface_get_format(surface) == CAIRO_FORMAT_RGB24;
  for (std::int64_t y = 0; y < picture.height; ++y) {
    const auto* row = reinterpret_cast<const std::uint32_t*>(rows + y * stride);
    std::uint8_t* pixels = picture.bytes.data() + y * picture.width * 4;
    for (std::int64_t x = 0; x < picture.width; ++x)
      unpack(opaque ? row[x] | 0xff000000u : row[x], pixels + x * 4);
  }
  return picture;
}

}  // namespace strider::drawing
