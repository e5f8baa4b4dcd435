// Elements in memory, and numbers of points taken apart; `Index` is what the loop counts points in.
#pragma once

namespace strider::nd::device {

// Two neighbouring elements, moved at once.
template <class T>
struct alignas(2 * sizeof(T)) Pair {
  T first, second;
};

template <class T>
inline T load(const char* from) {
  return *reinterpret_cast<const T*>(from);
}
template <class T>
inline void store(char* to, T value) {
  *reinterpret_cast<T*>(to) = value;
}

// Elements that are not aligned.
template <class T>
inline T load_bytes(const char* from) {
  T value{};
  for (unsigned i = 0; i < sizeof(T); ++i) reinterpret_cast<char*>(&value)[i] = from[i];
  return value;
}
template <class T>
inline void store_bytes(char* to, T value) {
  for (unsigned i = 0; i < sizeof(T); ++i) to[i] = reinterpret_cast<const char*>(&value)[i];
}

// Quotients by multiplication; the host has found factor and shift.
inline unsigned divide_index(unsigned n, unsigned factor, unsigned shift) {
  return (__umulhi(n, factor) + n) >> shift;
}
inline unsigned long divide_index(unsigned long n, unsigned long factor, unsigned shift) {
  return (__umul64hi(n, factor) + n) >> shift;
}

// Bytes from an operand's first element.
inline long offset_of(unsigned at, int stride) {
  return static_cast<long>(static_cast<int>(at)) * stride;
}
inline long offset_of(unsigned long at, long stride) { return static_cast<long>(at) * stride; }
inline long offset_of(int at, int stride) { return static_cast<long>(at) * stride; }
inline long offset_of(int at, long stride) { return at * stride; }

// Or-s bits into a word that others write too, and that lies far away.
inline void tell(unsigned* word, unsigned bits) {
  if (bits != 0 && (bits & ~*const_cast<volatile unsigned*>(word)) != 0) atomicOr(word, bits);
}

}  // namespace strider::nd::device
