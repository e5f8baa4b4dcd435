// Opens lib/strider/libstrider_drawing.so beside the program, or in STRIDER_PLUGIN_FOLDER.
#include "interpreter/builtins/drawing/plugin.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "interpreter/runtime/error/error.h"

namespace strider::lang {
namespace {

namespace fs = std::filesystem;

fs::path plugin_file() {
  constexpr const char* kName = "libstrider_drawing.so";
  if (const char* folder = std::getenv("STRIDER_PLUGIN_FOLDER")) return fs::path(folder) / kName;
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "lib" / "strider" / kName;
}

struct Opened {
  const drawing::Drawing* plugin = nullptr;
  std::string reason;

  Opened() {
    const fs::path file = plugin_file();
    std::error_code error;
    if (!fs::exists(file, error)) {
      reason = "this program was built without cairo (there is no " + file.string() + ")";
      return;
    }
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    auto* entry =
        handle ? reinterpret_cast<drawing::DrawingEntry*>(dlsym(handle, drawing::kDrawingEntry))
               : nullptr;
    if (!entry) {
      reason = dlerror();
      return;
    }
    const drawing::Drawing* found = entry();
    bool ours =
        found->contract == drawing::kContract && std::strcmp(found->version, STRIDER_VERSION) == 0;
    if (ours) plugin = found;
    if (!ours) reason = file.string() + " belongs to another version of this program";
  }
};

}  // namespace

const drawing::Drawing& drawing_plugin() {
  static const Opened opened;
  if (!opened.plugin) raise(errors::ImportError, "figures cannot be drawn: {}", opened.reason);
  return *opened.plugin;
}

}  // namespace strider::lang
