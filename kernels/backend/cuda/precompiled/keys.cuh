// Keys on the device: unsigned integers that order as the values do, NaN last; and complex numbers
// compared as they are. The orders are those of the host's sorting.
#pragma once

#include <cstdint>

#include "kernels/backend/cuda/precompiled/kernels.h"

namespace strider::nd::cuda {

template <class Key>
__device__ constexpr Key top_bit() {
  return static_cast<Key>(Key{1} << (8 * sizeof(Key) - 1));
}

// The bits of +infinity of the floating type of this size (none has one byte).
template <class Key>
__device__ constexpr Key infinity_bits() {
  if constexpr (sizeof(Key) == 8) return 0x7ff0000000000000u;
  if constexpr (sizeof(Key) == 4) return 0x7f800000u;
  return static_cast<Key>(0x7c00u);
}

// The bits of the usual NaN, for which every NaN is taken.
template <class Key>
__device__ constexpr Key nan_bits() {
  constexpr Key kInfinity = infinity_bits<Key>();
  return static_cast<Key>(kInfinity | (kInfinity & (~kInfinity + 1)) >> 1);
}

// The key of a value's bits. `tied`: -0.0 equals 0.0, else it stands just before.
template <class Key>
__device__ Key to_key(Key bits, KeyKind kind, bool tied) {
  constexpr Key kTop = top_bit<Key>();
  if (kind == KeyKind::kUnsigned) return bits;
  if (kind == KeyKind::kSigned) return static_cast<Key>(bits ^ kTop);
  auto magnitude = static_cast<Key>(bits & static_cast<Key>(~kTop));
  if (magnitude > infinity_bits<Key>()) return static_cast<Key>(nan_bits<Key>() | kTop);
  if (tied && magnitude == 0) return kTop;
  return static_cast<Key>((bits & kTop) ? ~bits : bits | kTop);
}

// The bits of the value whose key this is.
template <class Key>
__device__ Key from_key(Key key, KeyKind kind) {
  constexpr Key kTop = top_bit<Key>();
  if (kind == KeyKind::kUnsigned) return key;
  if (kind == KeyKind::kSigned) return static_cast<Key>(key ^ kTop);
  return static_cast<Key>((key & kTop) ? key ^ kTop : ~key);
}

template <class Real>
struct Complex {
  Real real, imag;
};

// True when a comes before b: numbers, then those with NaN parts.
template <class Real>
__device__ bool comes_before(Complex<Real> a, Complex<Real> b) {
  int class_a = 2 * (a.real != a.real) + (a.imag != a.imag);
  int class_b = 2 * (b.real != b.real) + (b.imag != b.imag);
  if (class_a != class_b) return class_a < class_b;
  if (a.real < b.real) return true;
  if (b.real < a.real) return false;
  return a.imag < b.imag;
}

}  // namespace strider::nd::cuda
