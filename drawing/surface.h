// Cairo's surfaces: made for a format, made of pixels and read as such. Knows nothing of what is
// drawn on them.
#pragma once

#include <cairo.h>

#include <memory>
#include <string>

#include "drawing/drawing.h"

namespace strider::drawing {

struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Surface = std::unique_ptr<cairo_surface_t, SurfaceDeleter>;

// std::runtime_error with cairo's words for what went wrong.
void check(cairo_status_t status);
// A surface of the page; SVG and PDF are written to `file` as they are finished.
Surface make_surface(const PageOptions& options, std::string& file);
// Pixels as cairo keeps them, and back.
Surface to_surface(const Picture& picture);
Picture to_picture(cairo_surface_t* surface);

}  // namespace strider::drawing
