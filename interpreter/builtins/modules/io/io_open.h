// open(): from a path or descriptor and a mode to a file object.
#pragma once

#include <string>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

struct OpenRequest {
  Value file;
  std::string mode = "r";
  std::int64_t buffering = -1;
  Value encoding = Value::none();
  Value errors = Value::none();
  Value newline = Value::none();
  bool close_descriptor = true;
  Value opener = Value::none();
};

// Opens a file; OSError when the system refuses, ValueError and TypeError for bad arguments.
Value open_file(const OpenRequest& request);
// The builtin function open().
extern const NativeRow kOpenFunctions[];
extern const std::size_t kOpenFunctionCount;

}  // namespace strider::lang
