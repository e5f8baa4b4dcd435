// Values of known types at any address. Part of every target's code, so always inlined.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace strider::nd {

template <class T>
[[gnu::always_inline]] inline T load(const std::byte* from) {
  if constexpr (std::is_same_v<T, bool>) {
    return load<unsigned char>(from) != 0;  // memory that nobody has written holds other bytes
  } else {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
}

template <class T>
[[gnu::always_inline]] inline void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace strider::nd
