// Where the libraries of a toolkit usually lie.
#include "kernels/backend/cuda/toolkit.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "kernels/core/blocked_signals.h"

namespace strider::nd::cuda {
namespace {

namespace fs = std::filesystem;

// Folders /usr/local/cuda*, the newest version first.
std::vector<fs::path> installed_toolkits() {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/local", error)) {
    if (entry.path().filename().string().starts_with("cuda")) found.push_back(entry.path());
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

// Where pip puts NVIDIA's packages, in the environment of the python3 that a shell would find:
// lib/python3.12/site-packages/nvidia/cudnn/lib.
void add_packages(const fs::path& root, std::vector<fs::path>& folders) {
  std::error_code error;
  for (const fs::directory_entry& python : fs::directory_iterator(root / "lib", error)) {
    if (!python.path().filename().string().starts_with("python3")) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      fs::path nvidia = python.path() / packages / "nvidia";
      for (const fs::directory_entry& package : fs::directory_iterator(nvidia, error))
        folders.push_back(package.path() / "lib");
    }
  }
}

void add_python_packages(std::vector<fs::path>& folders) {
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "";
  while (!rest.empty()) {
    std::size_t end = std::min(rest.find(':'), rest.size());
    fs::path folder = rest.substr(0, end);
    rest.erase(0, end + 1);
    std::error_code error;
    if (!folder.empty() && fs::exists(folder / "python3", error))
      return add_packages(folder.parent_path(), folders);
  }
}

std::vector<fs::path> library_folders() {
  std::vector<fs::path> roots;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME", "CUDNN_PATH"}) {
    const char* root = std::getenv(variable);
    if (root && *root) roots.emplace_back(root);
  }
  std::vector<fs::path> installed = installed_toolkits();
  std::vector<fs::path> folders;
  auto add = [&](const fs::path& root) {
    folders.push_back(root / "lib64");
    folders.push_back(root / "lib");
  };
  for (const fs::path& root : roots) add(root);
  folders.emplace_back(STRIDER_CUDA_LIBRARY_FOLDER);
  for (const fs::path& root : installed) add(root);
  add_python_packages(folders);
  return folders;
}

}  // namespace

ToolkitLibrary::ToolkitLibrary(const std::string& file) : file_(file) {
  BlockedSignals blocked;  // libraries may start threads
  handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_) return;
  reason_ = dlerror();
  for (const fs::path& folder : library_folders()) {
    std::error_code error;
    if (!fs::exists(folder / file, error)) continue;
    handle_ = dlopen((folder / file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_) return;
    reason_ = dlerror();
  }
}

void* ToolkitLibrary::find(const char* name) const {
  return handle_ ? dlsym(handle_, name) : nullptr;
}

}  // namespace strider::nd::cuda
