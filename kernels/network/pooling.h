// Pooling in host memory and its gradient; see backend/networks.h. Threads share planes.
#pragma once

#include "kernels/backend/networks.h"

namespace strider::nd {

template <class T>
void pool_planes(const Pooling& pooling, const T* x, T* y);
// x and y are null for averages.
template <class T>
void pool_planes_gradient(const Pooling& pooling, const T* dy, const T* x, const T* y, T* dx);

}  // namespace strider::nd
