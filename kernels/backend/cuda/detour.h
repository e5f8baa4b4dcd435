// Detour: results of a loop that replace elements which other points still read, where the loop is
// no stencil that runs in place, or its kernel is not there yet. No order of points is kept on a
// device, so they wait in memory of their own and are copied when all are there.
#pragma once

#include "kernels/backend/cuda/workspace.h"
#include "kernels/backend/loop.h"

namespace strider::nd::cuda {

class Detour {
 public:
  // Of the loop's first output, on the device that it lies on.
  Detour(const BoundLoop& bound, Device& device);
  Detour(const Detour&) = delete;
  Detour& operator=(const Detour&) = delete;

  // The loop, with results that lie apart, and then the copy of these.
  BoundLoop computed, copied;

 private:
  FusedLoop copy_;
  Workspace room_;
};

}  // namespace strider::nd::cuda
