// What a backend fulfils.
#pragma once

#include "kernels/backend/loop.h"

namespace strider::nd {

class Backend {
 public:
  virtual ~Backend() = default;
  // Runs the loop. Returns the conditions of watched steps. An interrupt ends it early with what
  // the interrupt throws, but not when it writes over its inputs.
  virtual StepConditions run(const FusedLoop& loop, const LoopMemory& memory) = 0;
};

// The backend that is always there.
Backend& cpu_backend();

}  // namespace strider::nd
