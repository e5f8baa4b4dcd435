// Gather and scatter: elements moved between an array and a packed block by a list of places.
// Knows bytes only; the places have been checked.
#pragma once

#include <strider/nd/dims.h>

#include <cstddef>
#include <span>

namespace strider::nd {

// Which bytes of an array are meant: for every position of the outer axes, every offset, every
// position of the inner axes, in this order.
struct Places {
  Dims outer_shape, outer_strides;
  std::span<const std::int64_t> offsets;
  Dims inner_shape, inner_strides;
  int item = 0;  // bytes per element
};

// Copies the elements at `places` of `base` one after another to `packed`.
void gather(const std::byte* base, const Places& places, std::byte* packed);
// Copies packed elements to `places` of `base`; `repeat_one` writes the one packed element to all.
void scatter(std::byte* base, const Places& places, const std::byte* packed, bool repeat_one);

}  // namespace strider::nd
