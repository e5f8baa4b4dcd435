// Sequences: correlation, convolution, interpolation, and bits packed into bytes.
#pragma once

#include <strider/nd/array.h>

#include <optional>

namespace strider::nd {

enum class CorrelateMode : std::uint8_t { kValid, kSame, kFull };

// numpy.correlate(a, v, mode) of 1-d arrays, v conjugated. kValue "first array argument cannot be
// empty".
Array correlate(const Array& a, const Array& v, CorrelateMode mode = CorrelateMode::kValid);
// numpy.convolve.
Array convolve(const Array& a, const Array& v, CorrelateMode mode = CorrelateMode::kFull);

// numpy.interp at `x` (any shape) of the points (xp rising, fp); float64, or complex128 when fp is
// complex. `left` and `right` default to fp's ends.
Array interp(const Array& x, const Array& xp, const Array& fp, const Scalar* left = nullptr,
             const Scalar* right = nullptr);

// numpy.packbits and unpackbits along `axis` (none: flattened); `little` is bitorder='little'.
Array packbits(const Array& array, std::optional<int> axis, bool little = false);
Array unpackbits(const Array& array, std::optional<int> axis, std::optional<std::int64_t> count,
                 bool little = false);
// Reverses the bytes of each of the elements of `size` bytes that fill `count` bytes.
void reverse_bytes(std::byte* bytes, std::int64_t count, int size);

}  // namespace strider::nd
