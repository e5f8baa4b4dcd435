// Folds whose order does not matter: vectors side by side where elements are, else single elements.
// Knows no shapes and no types of arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strider::nd::STRIDER_TARGET {
namespace {  // other files of a target have lanes, too

template <class T>
struct Lanes {
  static constexpr int kCount = 64 / sizeof(T);
  typedef T Vector __attribute__((vector_size(64)));
};
template <class T>
using Vector = typename Lanes<T>::Vector;

template <class T>
inline T load(const std::byte* input, std::int64_t offset) {
  return *reinterpret_cast<const T*>(input + offset);
}
template <class T>
inline Vector<T> load_vector(const T* input) {
  Vector<T> value;
  std::memcpy(&value, input, sizeof value);
  return value;
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
};
struct Smallest {
  template <class V>
  static V combine(V x, V y) {
    return (x <= y) | (x != x) ? x : y;
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

// Any order: four vectors side by side. T is a type that vectors hold (unsigned for sums).
// Of equal zeros the first lane's is the result; without `kInOrder` any one may be.
template <class Way, class T, bool kInOrder = true>
void fold_any(const std::byte* input, std::int64_t step, std::int64_t count,
              std::byte* accumulator) {
  T total = load<T>(accumulator, 0);
  std::int64_t done = 0;
  constexpr std::int64_t kLanes = Lanes<T>::kCount;
  if (step == sizeof(T) && count >= 4 * kLanes) {
    auto* data = reinterpret_cast<const T*>(input);
    Vector<T> sums[4];
    for (int j = 0; j < 4; ++j) sums[j] = load_vector(data + j * kLanes);
    for (done = 4 * kLanes; done + 4 * kLanes <= count; done += 4 * kLanes) {
      for (int j = 0; j < 4; ++j) {
        sums[j] = Way::template combine<Vector<T>>(sums[j], load_vector(data + done + j * kLanes));
      }
    }
    Vector<T> all =
        Way::template combine<Vector<T>>(Way::template combine<Vector<T>>(sums[0], sums[1]),
                                         Way::template combine<Vector<T>>(sums[2], sums[3]));
    if constexpr (kInOrder) {
      for (int j = 0; j < kLanes; ++j) total = Way::template combine<T>(total, all[j]);
    } else {
      T lanes[kLanes];
      std::memcpy(lanes, &all, sizeof all);
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
