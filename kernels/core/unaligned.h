// Values of known types at any address. Part of every target's code, so always inlined.
#pragma once

#include <cstddef>
#include <cstring>

namespace strider::nd {

template <class T>
[[gnu::always_inline]] inline T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
[[gnu::always_inline]] inline void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace strider::nd
