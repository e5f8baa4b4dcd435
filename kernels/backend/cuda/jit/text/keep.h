// Rows that a block of a pass keeps in shared memory, one behind the other.
#pragma once

namespace strider::nd::device {

inline char* row_memory() {
#ifdef __CUDACC_RTC__
  extern __shared__ Pair<std::uint64_t> kept_rows[];
#else
  static Pair<std::uint64_t> kept_rows[1 << 12];
#endif
  return reinterpret_cast<char*>(kept_rows);
}

// Copies bytes in units of T, several of which are under way together.
template <class T>
inline void keep_bytes(char* to, const char* from, unsigned bytes) {
  constexpr unsigned kTogether = 8;
  const unsigned step = blockDim.x * sizeof(T);
  for (unsigned first = threadIdx.x * sizeof(T); first < bytes; first += kTogether * step) {
    T some[kTogether];
#pragma unroll
    for (unsigned i = 0; i < kTogether; ++i) {
      const unsigned at = first + i * step;
      some[i] = load<T>(from + (at < bytes ? at : first));
    }
#pragma unroll
    for (unsigned i = 0; i < kTogether; ++i) {
      if (first + i * step < bytes) store<T>(to + first + i * step, some[i]);
    }
  }
}

// Copies a row, by sixteen bytes where it lies at a multiple of them.
template <class T>
inline void keep_row(char* to, const char* from, Index points) {
  const unsigned bytes = static_cast<unsigned>(points * sizeof(T));
  if ((reinterpret_cast<unsigned long>(from) | bytes) % 16 == 0)
    keep_bytes<Pair<std::uint64_t>>(to, from, bytes);
  else
    keep_bytes<T>(to, from, bytes);
}

}  // namespace strider::nd::device
