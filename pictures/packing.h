// Bytes as formats of pictures pack them. Knows no files.
#pragma once

#include "pictures/pictures.h"

namespace strider::pictures {

std::string png_unfilter(std::string_view rows, std::size_t row_size, std::size_t step);
std::string png_filter(std::string_view rows, std::size_t row_size, std::size_t step);
std::string unpack_gif(std::string_view codes, int bits, std::size_t count);
std::string pack_gif(std::string_view bytes, int bits);
std::string unpack_tiff(std::string_view codes, std::size_t count);
std::string pack_tiff(std::string_view bytes);
std::string unpack_runs(std::string_view codes, std::size_t unit, std::size_t count, bool packbits);
std::string pack_runs(std::string_view bytes, std::size_t unit, bool packbits);

}  // namespace strider::pictures
