// PNG files: written here, with alpha and resolution; read by cairo.
#pragma once

#include <string>

#include "drawing/drawing.h"

namespace strider::drawing {

// `dpi` 0: the file says nothing of its resolution.
std::string png_file(const Picture& picture, double dpi);
Picture read_png(std::string_view bytes);
std::string write_png(const Picture& picture);

}  // namespace strider::drawing
