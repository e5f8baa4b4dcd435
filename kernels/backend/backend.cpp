// The choice between backends.
#include "kernels/backend/backend.h"

#include <strider/nd/settings.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <vector>

#include "kernels/backend/mirror/mirror.h"
#include "kernels/backend/plugin.h"
#include "kernels/backend/reference/reference.h"

namespace strider::nd {

namespace {

// The backends of devices that were asked for.
class Opened {
 public:
  void add(Backend* backend) {
    std::lock_guard<std::mutex> guard(lock_);
    bool known = std::find(backends_.begin(), backends_.end(), backend) != backends_.end();
    if (backend && !known) backends_.push_back(backend);
  }
  KernelCounts count() {
    std::lock_guard<std::mutex> guard(lock_);
    KernelCounts all;
    for (Backend* backend : backends_) all += backend->kernel_counts();
    return all;
  }

  void stop_compiling() {
    std::lock_guard<std::mutex> guard(lock_);
    for (Backend* backend : backends_) backend->stop_compiling();
  }

 private:
  std::mutex lock_;
  std::vector<Backend*> backends_;
};

Opened& opened() {
  static auto* instance = new Opened;
  return *instance;
}

// Tests ask for renderers by name.
bool renderer_is(std::string_view name) { return renderer_setting() == name; }

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
  Backend* backend = plugin ? plugin->open(number, *reason) : nullptr;
  opened().add(backend);
  return backend;
}

bool may_have_device() { return renderer_is("mirror") || has_nvidia_driver(); }

void stop_compiling() { opened().stop_compiling(); }

KernelCounts kernel_counts() { return opened().count(); }

KernelCounts& KernelCounts::operator+=(const KernelCounts& other) {
  hits += other.hits;
  ready += other.ready;
  from_disk += other.from_disk;
  compiled += other.compiled;
  compiling += other.compiling;
  failed += other.failed;
  dropped += other.dropped;
  waited += other.waited;
  unfused += other.unfused;
  compile_seconds += other.compile_seconds;
  return *this;
}

}  // namespace strider::nd
