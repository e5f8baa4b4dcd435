// The modules whose bodies run, and the threads that wait for one of another thread.
#pragma once

#include <string_view>

#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Notes that a module's body runs, while in scope.
class RunningBody {
 public:
  explicit RunningBody(std::string_view module);
  ~RunningBody();
  RunningBody(const RunningBody&) = delete;

 private:
  std::string_view module_;
  Value thread_;
};

// Waits while another thread runs the body of a module, unless that thread waits for one, too.
void wait_for_body(Interpreter& interpreter, std::string_view module);

}  // namespace strider::lang
