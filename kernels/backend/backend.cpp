// The choice between backends.
#include "kernels/backend/backend.h"

#include <cstdlib>
#include <cstring>

#include "kernels/backend/mirror/mirror.h"
#include "kernels/backend/plugin.h"
#include "kernels/backend/reference/reference.h"

namespace strider::nd {

namespace {

// Tests ask for renderers by name.
bool renderer_is(const char* name) {
  const char* asked = std::getenv("STRIDER_RENDERER");
  return asked && std::strcmp(asked, name) == 0;
}

}  // namespace

Backend& host_backend() {
  static Backend& backend = renderer_is("reference") ? reference_backend() : cpu_backend();
  return backend;
}

Backend* open_cuda_backend(int number, std::string* reason) {
  if (renderer_is("mirror")) {
    if (number < kMirrors) return &mirror_backend(number);
    *reason = "there are " + std::to_string(kMirrors) + " mirrors";
    return nullptr;
  }
  const Plugin* plugin = cuda_plugin(reason);
  return plugin ? plugin->open(number, *reason) : nullptr;
}

}  // namespace strider::nd
