// Opening a library when it is first needed.
#pragma once

#include <memory>
#include <string>

#include "kernels/core/log.h"

namespace strider::nd::cuda {

// Says in the log why a library does not open.
inline void say_host_computes(const std::string& reason) {
  log_line("the host computes what a library of the GPU would: " + reason);
}

// The opened library, or null: then the log has said why, once.
template <class Opened, class... Arguments>
Opened* open_once(std::unique_ptr<Opened>& kept, Arguments&... arguments) {
  if (!kept) {
    kept = std::make_unique<Opened>(arguments...);
    if (!kept->is_open()) say_host_computes(kept->reason());
  }
  return kept->is_open() ? kept.get() : nullptr;
}

}  // namespace strider::nd::cuda
