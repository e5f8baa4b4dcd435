// The cast loops: one per pair of element types.
#include <algorithm>
#include <cstring>

#include "kernels/backend/cpu/halves.h"
#include "kernels/backend/cpu/kernels.h"
#include "kernels/core/convert.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

constexpr std::int64_t kChunk = 512;

// A float that a half is rounded from.
template <class From>
inline float to_float(From value) {
  if constexpr (std::is_same_v<From, double>)
    return round_sticky(value);
  else
    return convert<float>(value);
}

template <class From, class To>
inline void cast_dense(const From* in, To* out, std::int64_t count) {
  if constexpr (std::is_same_v<From, Half> && std::is_same_v<To, float>) {
    widen_halves(in, out, count);
  } else if constexpr (std::is_same_v<From, Half> && !std::is_same_v<To, bool>) {
    float wide[kChunk];
    for (std::int64_t i = 0; i < count; i += kChunk) {
      std::int64_t part = std::min(kChunk, count - i);
      widen_halves(in + i, wide, part);
      for (std::int64_t k = 0; k < part; ++k) out[i + k] = convert<To>(wide[k]);
    }
  } else if constexpr (std::is_same_v<To, Half> && !is_complex_type<From>) {
    float wide[kChunk];
    for (std::int64_t i = 0; i < count; i += kChunk) {
      std::int64_t part = std::min(kChunk, count - i);
      for (std::int64_t k = 0; k < part; ++k) wide[k] = to_float(in[i + k]);
      narrow_floats(wide, out + i, part);
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) out[i] = convert<To>(in[i]);
  }
}

template <class From, class To>
void cast_row(const std::byte* source, std::int64_t source_step, std::byte* target,
              std::int64_t target_step, std::int64_t count) {
  if (source_step == sizeof(From) && target_step == sizeof(To)) {
    return cast_dense(reinterpret_cast<const From*>(source), reinterpret_cast<To*>(target), count);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    From value = *reinterpret_cast<const From*>(source + i * source_step);
    auto* result = reinterpret_cast<To*>(target + i * target_step);
    if constexpr (std::is_same_v<To, Half> && std::is_floating_point_v<From>) {
      const float wide = to_float(value);
      narrow_floats(&wide, result, 1);
    } else {
      *result = convert<To>(value);
    }
  }
}

// Every kStep-th element; the compiler turns small constant steps into shuffles.
template <std::int64_t kStep, class T>
void pack_every(const T* source, T* target, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) target[i] = source[i * kStep];
}

// Elements `step` bytes apart side by side, four to a store.
template <class T>
void pack_apart(const std::byte* source, std::int64_t step, T* target, std::int64_t count) {
  auto at = [&](std::int64_t i) { return *reinterpret_cast<const T*>(source + i * step); };
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    T four[4] = {at(i), at(i + 1), at(i + 2), at(i + 3)};
    std::memcpy(target + i, four, sizeof four);
  }
  for (; i < count; ++i) target[i] = at(i);
}

// Elements as plain bits, so that a bool stays a byte and a half is copied as a number is.
struct Pair {
  std::uint64_t low, high;
};
template <std::size_t kSize>
struct BitsOf {
  using Type = Pair;
};
template <>
struct BitsOf<1> {
  using Type = std::uint8_t;
};
template <>
struct BitsOf<2> {
  using Type = std::uint16_t;
};
template <>
struct BitsOf<4> {
  using Type = std::uint32_t;
};
template <>
struct BitsOf<8> {
  using Type = std::uint64_t;
};

template <class T>
void pack_row(const std::byte* source, std::int64_t step, T* target, std::int64_t count) {
  constexpr std::int64_t kSize = sizeof(T);
  const auto* from = reinterpret_cast<const T*>(source);
  if (step == 0) return static_cast<void>(std::fill_n(target, count, *from));
  if (step == 2 * kSize) return pack_every<2>(from, target, count);
  if (step == -kSize) return pack_every<-1>(from, target, count);
  pack_apart(source, step, target, count);
}

// Loops of one type to itself.
template <class T>
void copy_row(const std::byte* source, std::int64_t source_step, std::byte* target,
              std::int64_t target_step, std::int64_t count) {
  if (target_step == sizeof(T)) {
    if (source_step == sizeof(T)) {
      std::memcpy(target, source, static_cast<std::size_t>(count) * sizeof(T));
      return;
    }
    using Bits = typename BitsOf<sizeof(T)>::Type;
    return pack_row(source, source_step, reinterpret_cast<Bits*>(target), count);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(target + i * target_step, source + i * source_step, sizeof(T));
  }
}

// Bools are converted as the bytes 0 and 1, which compilers do in vectors.
template <class From>
using Number = std::conditional_t<std::is_same_v<From, bool>, std::uint8_t, From>;

template <class From>
void fill_row(CastLoop (&row)[kDTypeCount]) {
#define DTYPE(id, type, name, kind, code, category)          \
  if constexpr (std::is_same_v<From, type>) {                \
    row[static_cast<int>(DType::id)] = copy_row<From>;       \
  } else {                                                   \
    row[static_cast<int>(DType::id)] =                       \
        cast_row<Number<From>, type>;                        \
  }
#include "kernels/table/dtypes.def"
}

}  // namespace

void fill_casts(KernelTable& table) {
#define DTYPE(id, type, name, kind, code, category) \
  fill_row<type>(table.casts[static_cast<int>(DType::id)]);
#include "kernels/table/dtypes.def"
}

}  // namespace strider::nd::STRIDER_TARGET
