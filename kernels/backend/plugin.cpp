// Opens plug-ins.
#include "kernels/backend/plugin.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "kernels/core/blocked_signals.h"

namespace strider::nd {
namespace {

namespace fs = std::filesystem;

fs::path plugin_folder() {
  if (const char* folder = std::getenv("STRIDER_PLUGIN_FOLDER")) return folder;
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "lib" / "strider";
}

struct Opened {
  const Plugin* plugin = nullptr;
  std::string reason;

  explicit Opened(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) {
      reason = "this program was built without CUDA (there is no " + file.string() + ")";
      return;
    }
    BlockedSignals blocked;
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    auto* entry = handle ? reinterpret_cast<PluginEntry*>(dlsym(handle, kPluginEntry)) : nullptr;
    if (!entry) {
      reason = dlerror();
      return;
    }
    const Plugin* found = entry();
    bool ours = found->contract == kPluginContract &&
                std::strcmp(found->version, STRIDER_VERSION) == 0;
    if (ours) plugin = found;
    if (!ours) reason = file.string() + " belongs to another version of this program";
  }
};

}  // namespace

const Plugin* cuda_plugin(std::string* reason) {
  static const Opened opened(plugin_folder() / "libstrider_cuda.so");
  if (!opened.plugin) *reason = opened.reason;
  return opened.plugin;
}

bool has_nvidia_driver() {
  static void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  return driver != nullptr;
}

}  // namespace strider::nd
