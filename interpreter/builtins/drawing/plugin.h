// The plug-in that draws, opened when a program first needs it.
#pragma once

#include "drawing/drawing.h"

namespace strider::lang {

// ImportError, with the reason, where it cannot be opened: it was not built, or a library that it
// needs is not installed.
const drawing::Drawing& drawing_plugin();

}  // namespace strider::lang
