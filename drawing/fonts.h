// Fonts for cairo: DejaVu's files where they are installed, else whatever the system calls sans,
// serif and monospace. Knows nothing of pages.
#pragma once

#include <cairo.h>

#include "drawing/drawing.h"

namespace strider::drawing {

// Whether texts of this size, in pixels, can be set.
inline bool is_font_size(double size) { return size > 0.01 && size < 5000; }
// Sets face, size and slant on the context.
void select_font(cairo_t* context, const Font& font);
TextSize measure(std::string_view text, const Font& font);
Outline outline(std::string_view text, const Font& font);

}  // namespace strider::drawing
