// What a backend fulfils.
#pragma once

#include "kernels/backend/loop.h"

namespace strider::nd {

class Backend {
 public:
  virtual ~Backend() = default;
  // Runs the loop. Outputs may share memory with an input only element by element. Returns the
  // conditions of watched steps; throws what an interrupt throws, unless `whole`, when the loop
  // runs to its end.
  virtual StepConditions run(const FusedLoop& loop, const LoopMemory& memory, bool whole) = 0;
};

// The backend that is always there.
Backend& cpu_backend();

}  // namespace strider::nd
