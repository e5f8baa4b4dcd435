// Letters of fonts as coverage of pixels.
#pragma once

#include "pictures/pictures.h"

namespace strider::pictures {

int open_face(std::string_view file, int index);
FaceFacts face_facts(int face, double size);
TextBox text_box(int face, std::u32string_view text, const TextOptions& options);
void draw_text(int face, std::u32string_view text, const TextOptions& options, double x, double y,
               const Raster& target);

}  // namespace strider::pictures
