// Opening a library when it is first needed.
#pragma once

#include <memory>

#include "kernels/core/log.h"

namespace strider::nd::cuda {

// The opened library, or null: then the log has said why, once.
template <class Opened, class... Arguments>
Opened* open_once(std::unique_ptr<Opened>& kept, Arguments&... arguments) {
  if (!kept) {
    kept = std::make_unique<Opened>(arguments...);
    if (!kept->is_open())
      log_line("the host computes what a library of the GPU would: " + kept->reason());
  }
  return kept->is_open() ? kept.get() : nullptr;
}

}  // namespace strider::nd::cuda
