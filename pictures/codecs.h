// Files of JPEG and WebP, by the libraries that pack them.
#pragma once

#include "pictures/pictures.h"

namespace strider::pictures {

Decoded read_jpeg(std::string_view file, int bands, int scale);
std::string write_jpeg(const Raster& source, const JpegOptions& options);
Film read_webp(std::string_view file, std::int64_t first, std::int64_t last);
std::string write_webp(const Raster& source, const WebpOptions& options);
std::string write_webp_film(std::span<const Raster> frames, std::span<const std::int64_t> ends,
                            std::span<const WebpOptions> options, const FilmOptions& film);

}  // namespace strider::pictures
