// Copies of a few numbers, as the rows of images are: in steps of fixed sizes, without a call.
#pragma once

#include <cstdint>
#include <cstring>

namespace strider::nd {

template <class T>
inline void copy_few(const T* from, T* to, std::int64_t count) {
  auto step = [&](auto size) {
    std::memcpy(to, from, sizeof size);
    constexpr std::int64_t kNumbers = sizeof size / sizeof(T);
    from += kNumbers;
    to += kNumbers;
    count -= kNumbers;
  };
  struct Eight {
    T numbers[8];
  };
  struct Four {
    T numbers[4];
  };
  while (count >= 8) step(Eight());
  if (count >= 4) step(Four());
  while (count > 0) step(T());
}

template <class T>
inline void clear_few(T* to, std::int64_t count) {
  for (; count >= 4; count -= 4, to += 4) std::memset(to, 0, 4 * sizeof(T));
  for (; count > 0; --count) {
    std::memset(to, 0, sizeof(T));
    ++to;
  }
}

}  // namespace strider::nd
