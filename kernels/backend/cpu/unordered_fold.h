// Folds whose order does not matter: vectors side by side where elements are, else single elements.
// Knows no shapes and no types of arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/backend/cpu/registers.h"

namespace strider::nd::STRIDER_TARGET {
namespace {  // other files of a target have lanes, too

template <class T>
inline T load(const std::byte* input, std::int64_t offset) {
  return *reinterpret_cast<const T*>(input + offset);
}
// The combinations whose order does not matter, on vectors and on single elements.
struct Plus {
  template <class V>
  static V combine(V x, V y) {
    return x + y;
  }
};
struct Times {
  template <class V>
  static V combine(V x, V y) {
    return x * y;
  }
};
struct Largest {
  template <class V>
  static V combine(V x, V y) {
    return (y <= x) | (x != x) ? x : y;
  }
  template <class V>
  static V combine_later(V x, V y) {
    return (y < x) | (x != x) ? x : y;
  }
};
struct Smallest {
  template <class V>
  static V combine(V x, V y) {
    return (x <= y) | (x != x) ? x : y;
  }
  template <class V>
  static V combine_later(V x, V y) {
    return (x < y) | (x != x) ? x : y;
  }
};
struct LargestNumber {
  template <class V>
  static V combine(V x, V y) {
    return (y <= x) | (y != y) ? x : y;
  }
};
struct SmallestNumber {
  template <class V>
  static V combine(V x, V y) {
    return (x <= y) | (y != y) ? x : y;
  }
};
struct And {
  template <class V>
  static V combine(V x, V y) {
    return x & y;
  }
};
struct Or {
  template <class V>
  static V combine(V x, V y) {
    return x | y;
  }
};
struct Xor {
  template <class V>
  static V combine(V x, V y) {
    return x ^ y;
  }
};

// Combinations of single elements that go on side by side, so that none waits for the one before.
constexpr int kApart = 8;

// Ways that take the later one of two equal zeros as single steps do.
template <class Way>
concept Extreme = requires { &Way::template combine_later<float>; };

// Of so few elements they do so here, too, as in NumPy: such folds may be steps of fused loops.
constexpr std::int64_t kFewExtremes = 8;

// Any order: four vectors side by side. T is a type that vectors hold (unsigned for sums).
// Of equal zeros the first lane's is the result, if there are many elements; without `kInOrder` any
// one may be.
template <class Way, class T, bool kInOrder = true>
void fold_any(const std::byte* input, std::int64_t step, std::int64_t count,
              std::byte* accumulator) {
  T total = load<T>(accumulator, 0);
  if constexpr (Extreme<Way> && std::is_floating_point_v<T>) {
    if (count <= kFewExtremes) {
      for (std::int64_t i = 0; i < count; ++i)
        total = Way::template combine_later<T>(total, load<T>(input, i * step));
      std::memcpy(accumulator, &total, sizeof total);
      return;
    }
  }
  std::int64_t done = 0;
  // Four times 64 bytes on every target, so that all fold in the same order: registers no wider
  // than the target's, which wider vectors would be taken apart from, element by element.
  constexpr int kParts = 64 / kBytes, kLanes = 64 / sizeof(T), kPartLanes = kLanes / kParts;
  if (step == sizeof(T) && count >= 4 * kLanes) {
    auto* data = reinterpret_cast<const T*>(input);
    auto both = [](Vector<T> x, Vector<T> y) { return Way::template combine<Vector<T>>(x, y); };
    Vector<T> sums[4 * kParts];
#pragma GCC unroll 16
    for (int j = 0; j < 4 * kParts; ++j) sums[j] = load(data + j * kPartLanes);
    for (done = 4 * kLanes; done + 4 * kLanes <= count; done += 4 * kLanes) {
#pragma GCC unroll 16
      for (int j = 0; j < 4 * kParts; ++j)
        sums[j] = both(sums[j], load(data + done + j * kPartLanes));
    }
    T lanes[kLanes];
#pragma GCC unroll 4
    for (int i = 0; i < kParts; ++i) {
      Vector<T> all = both(both(sums[i], sums[kParts + i]),
                         both(sums[2 * kParts + i], sums[3 * kParts + i]));
      std::memcpy(lanes + i * kPartLanes, &all, sizeof all);
    }
    if constexpr (kInOrder) {
      for (int j = 0; j < kLanes; ++j) total = Way::template combine<T>(total, lanes[j]);
    } else {
      for (int width = kLanes / 2; width > 0; width /= 2) {
        for (int j = 0; j < width; ++j)
          lanes[j] = Way::template combine<T>(lanes[j], lanes[j + width]);
      }
      total = Way::template combine<T>(total, lanes[0]);
    }
  }
  if (count - done >= 4 * kApart) {
    T sums[kApart];
    for (int j = 0; j < kApart; ++j) sums[j] = load<T>(input, (done + j) * step);
    for (done += kApart; done + kApart <= count; done += kApart) {
      for (int j = 0; j < kApart; ++j)
        sums[j] = Way::template combine<T>(sums[j], load<T>(input, (done + j) * step));
    }
    for (int j = 0; j < kApart; ++j) total = Way::template combine<T>(total, sums[j]);
  }
  for (; done < count; ++done) total = Way::template combine<T>(total, load<T>(input, done * step));
  std::memcpy(accumulator, &total, sizeof total);
}

}  // namespace
}  // namespace strider::nd::STRIDER_TARGET
