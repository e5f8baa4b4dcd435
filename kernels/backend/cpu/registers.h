// Vectors as wide as the registers of one instruction set, for loops that keep tiles of results in
// them.
#pragma once

#include <cstring>

namespace strider::nd::STRIDER_TARGET {
namespace {

#if defined(__AVX512F__)
constexpr int kBytes = 64;
#elif defined(__AVX2__)
constexpr int kBytes = 32;
#else
constexpr int kBytes = 16;
#endif

template <class T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(kBytes)));
};
template <class T>
using Vector = typename VectorOf<T>::Type;

template <class T>
inline Vector<T> load(const T* from) {
  Vector<T> value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace
}  // namespace strider::nd::STRIDER_TARGET
