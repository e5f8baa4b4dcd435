// Discrete Fourier transforms along one axis, of any length, in float32 or float64.
#pragma once

#include <strider/nd/array.h>

namespace strider::nd {

// Complex to complex: complex64 stays complex64, everything else becomes complex128 (float16 and
// float32 become complex64). The axis is cut or padded with zeros to `length`; the result is
// multiplied by `factor`. kValue "Invalid number of FFT data points (0) specified."
Array fft_c2c(const Array& array, std::int64_t length, int axis, bool forward, double factor);
// Real to complex: length / 2 + 1 values; `forward` false conjugates them.
Array fft_r2c(const Array& array, std::int64_t length, int axis, bool forward, double factor);
// Complex (length / 2 + 1 values, cut or padded) to real of `length`.
Array fft_c2r(const Array& array, std::int64_t length, int axis, bool forward, double factor);

}  // namespace strider::nd
