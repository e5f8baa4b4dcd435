// The choice between backends.
#include "kernels/backend/backend.h"

#include <cstdlib>
#include <cstring>

#include "kernels/backend/reference/reference.h"

namespace strider::nd {

Backend& chosen_backend() {
  static Backend& backend = [&]() -> Backend& {
    const char* name = std::getenv("STRIDER_RENDERER");
    return name && std::strcmp(name, "reference") == 0 ? reference_backend() : cpu_backend();
  }();
  return backend;
}

}  // namespace strider::nd
