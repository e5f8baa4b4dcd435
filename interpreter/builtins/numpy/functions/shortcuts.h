// Functions of numpy and numpy.linalg in npx that native code answers for plain arrays and numbers.
#pragma once

#include "interpreter/builtins/numpy/shortcut.h"

namespace strider::lang {

Shortcuts shape_shortcuts();   // atleast_1d, append, insert, broadcast_shapes, …
Shortcuts value_shortcuts();   // gradient, isscalar, …
Shortcuts linalg_shortcuts();  // det, inv, solve

}  // namespace strider::lang
