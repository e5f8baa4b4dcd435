// Pictures in terminals: as images where the terminal shows them, else as coloured characters.
#pragma once

#include "drawing/drawing.h"

namespace strider::drawing {

std::string terminal_text(const Picture& picture, int columns, int rows);

}  // namespace strider::drawing
