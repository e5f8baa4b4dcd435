// Paths as functions of os take them: a text or bytes, an os.PathLike, a descriptor where the
// function knows one; beside the descriptor of the folder that a relative path begins at.
#pragma once

#include <string>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class SystemPath {
 public:
  enum Kinds { kPath = 0, kDescriptor = 1, kNothing = 2 };

  // `function` and `argument` are named by the TypeError of what is no path; `folder`: a descriptor
  // or None. ValueError where a descriptor and a folder are given.
  SystemPath(const char* function, const Value& path, int kinds = kPath,
             const Value& folder = Value::none(), const char* argument = "path");

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  int folder() const { return folder_; }  // AT_FDCWD where none is given
  bool has_folder() const;
  bool in_bytes() const { return in_bytes_; }
  const std::string& text() const { return text_; }  // "." for None
  const char* name() const { return text_.c_str(); }
  // The OSError of the system's last error, with the path as it was given; or with two of them.
  [[noreturn]] void fail(int error) const;
  // The same without an exception of C++: Empty, for native code to return (see error.h).
  Value failed(int error) const;
  [[noreturn]] void fail(int error, const SystemPath& other) const;

 private:
  Value told_;  // None: the error names no path
  int descriptor_ = -1, folder_;
  bool in_bytes_ = false;
  std::string text_;
};

}  // namespace strider::lang
