// Joining: arrays put behind one another, repeated, rolled, turned round.
#pragma once

#include <strider/nd/array.h>

#include <optional>
#include <span>

namespace strider::nd {

// numpy.concatenate along `axis` (none: flattened). The result has `dtype`, else the promoted
// type; `out` is written instead of a new array. Errors are NumPy's.
Array concatenate(std::span<const Array> arrays, std::optional<int> axis,
                  const Array* out = nullptr, std::optional<DType> dtype = std::nullopt,
                  Casting casting = Casting::kSameKind);
// numpy.stack: joined along a new axis. kValue "all input arrays must have the same shape".
Array stack(std::span<const Array> arrays, int axis = 0, const Array* out = nullptr,
            std::optional<DType> dtype = std::nullopt, Casting casting = Casting::kSameKind);

// numpy.repeat; `counts` is an integer array of one element or one per slice.
Array repeat(const Array& array, const Array& counts, std::optional<int> axis);
// numpy.tile.
Array tile(const Array& array, const Dims& repetitions);
// numpy.roll: shifts along axes (none: of the flattened array, one shift); a copy.
Array roll(const Array& array, std::span<const std::int64_t> shifts, std::span<const int> axes);
Array roll(const Array& array, std::int64_t shift);
// numpy.flip: a view, reversed along the axes.
Array flip(const Array& array, std::span<const int> axes);
Array flip(const Array& array);

}  // namespace strider::nd
