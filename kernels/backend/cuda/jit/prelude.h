// The part of a kernel's text that stands before the loop: the library, the instructions, the rows
// that it uses. Knows nothing of layouts.
#pragma once

#include <string>
#include <string_view>

#include "kernels/backend/loop.h"

namespace strider::nd::cuda {

// The C++ name of an element type.
std::string_view type_name(DType dtype);
// "Op::kAdd"
std::string_view op_name(Op op);

// What the loop needs: `watches` whether any step's conditions are watched.
std::string prelude_text(const FusedLoop& loop, bool watches, bool wide);

}  // namespace strider::nd::cuda
