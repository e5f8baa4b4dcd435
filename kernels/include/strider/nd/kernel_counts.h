// What became of the kernels that loops needed on devices.
#pragma once

#include <cstdint>

namespace strider::nd {

struct KernelCounts {
  std::int64_t hits = 0;   // found in memory
  std::int64_t ready = 0;  // taken from those that were made beforehand
  std::int64_t from_disk = 0;
  std::int64_t compiled = 0;
  std::int64_t compiling = 0;  // that are asked for and not done
  std::int64_t failed = 0;     // to be compiled
  std::int64_t dropped = 0;    // because there were too many
  std::int64_t waited = 0;     // how often the program waited for a compiler
  std::int64_t unfused = 0;    // loops that ran one instruction at a time meanwhile
  double compile_seconds = 0;

  KernelCounts& operator+=(const KernelCounts& other);
};

// Those of all devices since the start of the process.
KernelCounts kernel_counts();

}  // namespace strider::nd
