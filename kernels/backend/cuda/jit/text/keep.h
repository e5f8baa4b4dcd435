// The threads that run a row of a pass together, a team of kTeam, and the rows that it keeps in
// shared memory, one behind the other. A team is a block, or part of a warp.
#pragma once

namespace strider::nd::device {

inline constexpr bool kWithinWarp = kTeam <= 32;

inline constexpr int kStep = kTeam;
inline unsigned team_lane() { return kWithinWarp ? threadIdx.x % kTeam : threadIdx.x; }
inline void wait_for_team() {
  if constexpr (kWithinWarp)
    __syncwarp();
  else
    __syncthreads();
}

// Where the team's rows begin; `bytes` are those of each team.
inline char* row_memory([[maybe_unused]] unsigned bytes) {
#ifdef STRIDER_EMULATED
  char* const first = strider_processor->shared;
#else
  extern __shared__ Pair<std::uint64_t> kept_rows[];
  char* const first = reinterpret_cast<char*>(kept_rows);
#endif
  return kWithinWarp ? first + threadIdx.x / kTeam * bytes : first;
}

// Copies bytes in units of T, several of which are under way together; the last one stands in for
// those that there are not, so that no branch parts the loads.
template <class T>
inline void keep_bytes(char* to, const char* from, unsigned bytes) {
  constexpr unsigned kTogether = 8, kApart = kTeam * sizeof(T);
  for (unsigned first = team_lane() * sizeof(T); first < bytes; first += kTogether * kApart) {
    const char* const source = from + first;
    char* const target = to + first;
    const unsigned last = bytes - sizeof(T) - first;
    T some[kTogether];
#pragma unroll
    for (unsigned i = 0; i < kTogether; ++i) {
      some[i] = load<T>(source + (i * kApart < last ? i * kApart : last));
    }
#pragma unroll
    for (unsigned i = 0; i < kTogether; ++i) {
      if (i * kApart <= last) store<T>(target + i * kApart, some[i]);
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
