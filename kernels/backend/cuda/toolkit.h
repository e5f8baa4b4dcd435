// The toolkit's shared libraries, opened when they are first needed. Knows none of their functions.
#pragma once

#include <string>

namespace strider::nd::cuda {

// A shared library of the CUDA toolkit that stays open.
class ToolkitLibrary {
 public:
  // Opens `file` ("libnvrtc.so.13") from the loader's path, $CUDA_PATH, $CUDA_HOME, $CUDNN_PATH,
  // the toolkit that the program was built with, /usr/local/cuda*, or the packages of the python3
  // that is in $PATH.
  explicit ToolkitLibrary(const std::string& file);

  bool is_open() const { return handle_ != nullptr; }
  // Why it is not open.
  const std::string& reason() const { return reason_; }
  // What is wrong with it, behind its name: "libnvrtc.so.13 lacks functions".
  std::string complaint(const std::string& what) const { return file_ + " " + what; }
  // A function of the library; null where it has none of this name.
  void* find(const char* name) const;

  template <class Function>
  void find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(find(name));
  }

 private:
  std::string file_;
  void* handle_ = nullptr;
  std::string reason_;
};

}  // namespace strider::nd::cuda
