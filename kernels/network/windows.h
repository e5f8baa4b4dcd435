// Windows of convolution and pooling as the contract of backends has them, from what programs ask
// for.
#pragma once

#include <strider/nd/network.h>

#include "kernels/backend/networks.h"

namespace strider::nd {

struct WindowAxes {
  WindowAxis rows, columns;
};

// Windows of this size over images of these extents. kValue where one of the numbers is out of
// range or no window fits.
WindowAxes window_axes(const char* function, std::int64_t height, std::int64_t width,
                       const WindowPair& size, const WindowPair& stride, const WindowPair& dilation,
                       const WindowPadding& padding);

}  // namespace strider::nd
