// What an emulated kernel and whoever runs it share: where a thread is, what threads of a warp tell
// each other, and how one waits for the others. Compiled into both, over no library.
#pragma once

namespace strider::nd::cuda::emulator {

inline constexpr unsigned kMostThreads = 1024;
inline constexpr unsigned kSharedBytes = 228 << 10;
inline constexpr unsigned kWarpThreads = 32;

struct Triple {
  unsigned x = 1, y = 1, z = 1;
};

enum class Barrier : unsigned char { kNone, kWarp, kBlock };

struct Processor {
  Triple thread, block, threads, blocks;
  // What threads hand out, by turns, so that nobody overwrites what others still read.
  unsigned long handed[2][kMostThreads];
  unsigned char turn[kMostThreads];
  bool done[kMostThreads];
  void (*wait)(Processor& processor, Barrier barrier);
  unsigned short (*narrow)(float value);  // to a half, and back
  float (*widen)(unsigned short bits);
  alignas(16) char shared[kSharedBytes];  // as much as a launch asks for
};

}  // namespace strider::nd::cuda::emulator
