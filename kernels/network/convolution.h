// Convolution in host memory and its gradients; see backend/networks.h. Neither the result nor a
// gradient depends on the number of threads: what is added up is cut by shapes alone.
#pragma once

#include "kernels/backend/networks.h"
#include "kernels/network/sheet.h"

namespace strider::nd {

template <class T>
void convolve(const Convolution& shape, const T* x, const T* w, const T* b, T* y);
template <class T>
void convolve_data_gradient(const Convolution& shape, const T* dy, const T* w, T* dx);
template <class T>
void convolve_weight_gradient(const Convolution& shape, const T* dy, const T* x, T* dw);

// The places of a window's taps before it moves, relative to the first element of the axis.
SheetAxis forward_axis(const WindowAxis& axis);

}  // namespace strider::nd
