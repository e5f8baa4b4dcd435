// The ready-made kernels that the plug-in was built with.
#pragma once

#include <string_view>

namespace strider::nd::cuda {

// For ReadyPack.
std::string_view packed_kernels();

}  // namespace strider::nd::cuda
