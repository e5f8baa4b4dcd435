// Response normalisation across channels in host memory and its gradient; see backend/networks.h.
#pragma once

#include "kernels/backend/networks.h"

namespace strider::nd {

template <class T>
void normalize_channels(const ResponseNorm& norm, const T* x, T* y);
template <class T>
void normalize_channels_gradient(const ResponseNorm& norm, const T* dy, const T* x, const T* y,
                                 T* dx);

}  // namespace strider::nd
