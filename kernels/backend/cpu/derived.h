// The loop of elementary functions. Vector code computes lanes that nobody asked for, so conditions
// follow from arguments and results, not from the processor's status.
#pragma once

#include <immintrin.h>

#include <algorithm>

#include "kernels/instructions/conditions.h"
#include "kernels/instructions/elementary.h"
// The rows' expressions are over what stands above.
#include "kernels/backend/cpu/loops.h"
#include "kernels/backend/cpu/vector_math.h"

namespace strider::nd::STRIDER_TARGET::STRIDER_GROUP {

inline constexpr std::int64_t kDerivedChunk = 512;

template <Op kOp, class T>
bool has_odd(const T* result, std::int64_t count) {
  int odd = 0;
  for (std::int64_t i = 0; i < count; ++i) odd |= !is_finite(result[i]);
  if constexpr (may_underflow(kOp)) {
    for (std::int64_t i = 0; i < count; ++i) {
      odd |= std::fabs(result[i]) < std::numeric_limits<T>::min();
    }
  }
  return odd != 0;
}

// Results of the row for contiguous float or double arguments that do not overlap `out`. Whether
// conditions are to be looked for.
template <Op kOp, class T>
bool compute(const T* x, const T* y, T* out, std::int64_t count) {
  if constexpr (VectorRoutine<kOp, T>::kExists) {
    return compute_vectors<kOp, T>(x, y, out, count);
  } else {
    for (std::int64_t i = 0; i < count; ++i) out[i] = Row<kOp>::first(x[i], y[i], x[i]);
    return has_odd<kOp>(out, count);
  }
}

template <Op kOp, class T>
std::uint8_t compute_and_classify(const T* x, const T* y, T* out, std::int64_t count) {
  if (!compute<kOp, T>(x, y, out, count)) return 0;
  std::uint8_t flags = 0;
  for (std::int64_t i = 0; i < count; ++i) flags |= classify<kOp, T>(x[i], y[i], out[i]);
  return flags;
}

template <Op kOp, class T>
std::uint8_t derive_chunk(const T* x, const T* y, T* out, std::int64_t count) {
  if (out != x && out != y) return compute_and_classify<kOp>(x, y, out, count);
  T result[kDerivedChunk];
  std::uint8_t flags = compute_and_classify<kOp>(x, y, result, count);
  std::copy_n(result, count, out);
  return flags;
}

template <Op kOp, class T>
void map_derived(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  auto* x = reinterpret_cast<const T*>(inputs[0]);
  auto* y = reinterpret_cast<const T*>(Row<kOp>::kInputs > 1 ? inputs[1] : inputs[0]);
  auto* out = reinterpret_cast<T*>(outputs[0]);
  std::uint8_t flags = 0;
  unsigned status = _mm_getcsr();
  for (std::int64_t i = 0; i < count; i += kDerivedChunk) {
    flags |= derive_chunk<kOp>(x + i, y + i, out + i, std::min(kDerivedChunk, count - i));
  }
  _mm_setcsr(status);
  if (flags) raise_floating_errors({flags});
}

}  // namespace strider::nd::STRIDER_TARGET::STRIDER_GROUP
