// Finds and opens plug-ins.
#include "interpreter/builtins/plugin_file.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace strider::lang {
namespace {

namespace fs = std::filesystem;

fs::path plugin_path(const char* file) {
  if (const char* folder = std::getenv("STRIDER_PLUGIN_FOLDER")) return fs::path(folder) / file;
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "lib" / "strider" / file;
}

}  // namespace

void* find_plugin_entry(const char* file, const char* entry, const char* needs,
                        std::string& reason) {
  const fs::path path = plugin_path(file);
  std::error_code error;
  if (!fs::exists(path, error)) {
    reason = std::string("this program was built without ") + needs + " (there is no " +
             path.string() + ")";
    return nullptr;
  }
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* found = handle ? dlsym(handle, entry) : nullptr;
  if (!found) reason = dlerror();
  return found;
}

}  // namespace strider::lang
