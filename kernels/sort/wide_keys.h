// Keys of 8 bytes for elements of any real type.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/backend/cpu/sort/key_sort.h"
#include "kernels/sort/keys.h"

namespace strider::nd {

// The keys of the elements as signed integers that order as the elements do; equal elements, zeros
// of both signs among them, have equal keys, and all NaN the largest.
template <class T>
void make_keys(const T* values, std::int64_t count, std::int64_t* keys) {
  if constexpr (sizeof(T) < sizeof *keys) {
    for (std::int64_t i = 0; i < count; ++i) keys[i] = to_tied_key(values[i]);
  } else {
    auto* bytes = reinterpret_cast<std::byte*>(keys);
    std::memcpy(keys, values, static_cast<std::size_t>(count) * sizeof *keys);
    if constexpr (kIsFloating<T>) {
      key_sorts().eight_bytes.from_floats(bytes, count);
      key_sorts().packing.tie_floats(keys, count);
    } else if constexpr (std::is_unsigned_v<T>) {
      key_sorts().eight_bytes.turn_unsigned(bytes, count);
    }
  }
}

}  // namespace strider::nd
