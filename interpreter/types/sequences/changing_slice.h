// Slices of sequences that the bounds' __index__ might change meanwhile. Private to this room.
#pragma once

#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {

// A bound of a slice as 64 bits, the nearest limit beyond; TypeError if it is no integer.
std::int64_t slice_index(const Value& bound);

// As resolve_slice; `length` is asked for when the bounds are plain integers.
template <class Length>
SliceBounds resolve_changing_slice(const Slice& slice, Length length) {
  auto plain = [](const Value& bound) {
    if (bound.is_none() || bound.is_int()) return bound;
    return Value::integer(slice_index(bound));
  };
  Slice concrete(plain(slice.start), plain(slice.stop), plain(slice.step));
  return resolve_slice(concrete, static_cast<std::int64_t>(length()));
}

}  // namespace strider::lang
