// The plug-in for pictures, opened when a program first needs it.
#pragma once

#include "pictures/pictures.h"

namespace strider::lang {

// ImportError, with the reason, where it cannot be opened: it was not built, or a library that it
// needs is not installed.
const pictures::Pictures& pictures_plugin();

}  // namespace strider::lang
