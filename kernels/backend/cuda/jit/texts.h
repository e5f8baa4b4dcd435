// The files that are compiled on the device, embedded as text without their includes.
#pragma once

#include <string_view>

namespace strider::nd::cuda {

// The text of the file at this path in the repository; it must be one that CMake embeds.
std::string_view embedded_text(std::string_view path);

}  // namespace strider::nd::cuda
