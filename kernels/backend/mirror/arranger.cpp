// Slow and plain: what devices do is compared with it.
#include "kernels/backend/mirror/arranger.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <vector>

namespace strider::nd {
namespace {

// Calls body(offset) for every position of axes, in C order.
template <class Body>
void walk(const Dims& shape, const Dims& strides, int axis, std::int64_t offset, Body& body) {
  if (axis == shape.size()) return body(offset);
  for (std::int64_t i = 0; i < shape[axis]; ++i)
    walk(shape, strides, axis + 1, offset + i * strides[axis], body);
}

// Calls body(offset in bytes) for every element at `places`.
template <class Body>
void for_each_place(const Places& places, Body&& body) {
  auto outer = [&](std::int64_t before) {
    for (std::int64_t offset : places.offsets)
      walk(places.inner_shape, places.inner_strides, 0, before + offset, body);
  };
  walk(places.outer_shape, places.outer_strides, 0, 0, outer);
}

template <class T>
int class_of(T value) {
  if constexpr (requires { value.imag(); })
    return 2 * (value.real() != value.real()) + (value.imag() != value.imag());
  else if constexpr (std::is_same_v<T, Half>)
    return static_cast<float>(value) != static_cast<float>(value);
  else
    return value != value;
}

template <class T>
bool comes_before(T a, T b) {
  int class_a = class_of(a), class_b = class_of(b);
  if (class_a != class_b) return class_a < class_b;
  if constexpr (requires { a.imag(); })
    return a.real() < b.real() || (!(b.real() < a.real()) && a.imag() < b.imag());
  else if constexpr (std::is_same_v<T, Half>)
    return static_cast<float>(a) < static_cast<float>(b);
  else
    return a < b;
}

template <class T>
bool is_negative(T value) {
  if constexpr (std::is_same_v<T, Half>)
    return static_cast<float>(value) < 0 || 1 / static_cast<float>(value) < 0;
  else if constexpr (std::is_floating_point_v<T>)
    return value < 0 || 1 / value < 0;
  else
    return false;
}

template <class T>
bool is_zero(T value) {
  return !comes_before(value, T{}) && !comes_before(T{}, value) && !class_of(value);
}

class MirrorArranger : public Arranger {
 public:
  bool gather(const std::byte* base, const Places& places, std::byte* packed) override {
    auto item = static_cast<std::size_t>(places.item);
    for_each_place(places, [&](std::int64_t offset) {
      std::memcpy(packed, base + offset, item);
      packed += item;
    });
    return true;
  }

  bool scatter(std::byte* base, const Places& places, const std::byte* packed,
               bool repeat_one) override {
    auto item = static_cast<std::size_t>(places.item);
    for_each_place(places, [&](std::int64_t offset) {
      std::memcpy(base + offset, packed, item);
      if (!repeat_one) packed += item;
    });
    return true;
  }

  bool choose(const std::uint8_t* mask, std::int64_t size, const std::byte* values, int item,
              std::int64_t, std::byte* chosen) override {
    for (std::int64_t i = 0; i < size; ++i) {
      if (mask[i]) chosen = std::copy_n(values + i * item, item, chosen);
    }
    return true;
  }

  bool list(const std::uint8_t* mask, std::int64_t size, std::int64_t,
            std::int64_t* positions) override {
    for (std::int64_t i = 0; i < size; ++i) {
      if (mask[i]) *positions++ = i;
    }
    return true;
  }

  bool sort(DType dtype, std::byte* values, Lines lines) override {
    if (is_complex(dtype)) return false;
    dispatch(dtype, [&](auto zero) {
      using T = decltype(zero);
      auto* at = reinterpret_cast<T*>(values);
      auto before = [](T a, T b) {
        return comes_before(a, b) ||
               (is_zero(a) && is_zero(b) && is_negative(a) && !is_negative(b));
      };
      for (std::int64_t n = 0; n < lines.count; ++n, at += lines.length)
        std::stable_sort(at, at + lines.length, before);
    });
    return true;
  }

  bool order(DType dtype, const std::byte* values, Lines lines, std::int64_t* order) override {
    if (is_complex(dtype)) return false;
    dispatch(dtype, [&](auto zero) {
      using T = decltype(zero);
      auto* at = reinterpret_cast<const T*>(values);
      for (std::int64_t n = 0; n < lines.count; ++n, at += lines.length, order += lines.length) {
        std::iota(order, order + lines.length, std::int64_t{0});
        std::stable_sort(order, order + lines.length,
                         [at](auto i, auto k) { return comes_before(at[i], at[k]); });
      }
    });
    return true;
  }

  bool search(DType dtype, const std::byte* sorted, std::int64_t size, const std::byte* values,
              std::int64_t count, bool right, std::int64_t* places) override {
    dispatch(dtype, [&](auto zero) {
      using T = decltype(zero);
      auto *begin = reinterpret_cast<const T*>(sorted), *end = begin + size;
      auto* value = reinterpret_cast<const T*>(values);
      for (std::int64_t i = 0; i < count; ++i) {
        auto* found = right ? std::upper_bound(begin, end, value[i], comes_before<T>)
                            : std::lower_bound(begin, end, value[i], comes_before<T>);
        places[i] = found - begin;
      }
    });
    return true;
  }

  bool count(const std::int64_t* values, std::int64_t count, std::int64_t* counts,
             std::int64_t bins) override {
    std::fill_n(counts, bins, 0);
    for (std::int64_t i = 0; i < count; ++i) ++counts[values[i]];
    return true;
  }

  bool add_runs(const double* values, const std::int64_t* starts, std::int64_t runs,
                double* sums) override {
    for (std::int64_t run = 0; run < runs; ++run) {
      sums[run] = 0;
      for (std::int64_t i = starts[run]; i < starts[run + 1]; ++i) sums[run] += values[i];
    }
    return true;
  }
};

}  // namespace

Arranger& mirror_arranger() {
  static MirrorArranger instance;
  return instance;
}

}  // namespace strider::nd
