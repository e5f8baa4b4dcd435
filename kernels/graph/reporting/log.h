// What the graph tells the log (STRIDER_DEBUG). Nothing is put into words unless it is asked for.
#pragma once

#include "kernels/backend/backend.h"
#include "kernels/core/log.h"
#include "kernels/graph/plan/passes.h"

namespace strider::nd {

// A pass: what it will do, told before it runs; then what it took.
class PassLog {
 public:
  PassLog(const Pass& pass, const Backend& backend) {
    if (is_logged(LogSubject::kPasses)) [[unlikely]]
      begin(pass, backend);
  }
  void finish(const Pass& pass) {
    if (is_logged(LogSubject::kPasses)) [[unlikely]]
      end(pass);
  }

 private:
  void begin(const Pass& pass, const Backend& backend);
  void end(const Pass& pass);
  const Backend* backend_ = nullptr;
  Stopwatch watch_;
  std::int64_t bytes_read_ = 0;
  std::int64_t bytes_written_ = 0;
};

void tell_expression(const char* what, const Expression& expression);
// "record multiply float64 (1000,1000) at program.npx:3".
inline void log_expression(const char* what, const Expression& expression) {
  if (is_logged(LogSubject::kRecording)) [[unlikely]]
    tell_expression(what, expression);
}

}  // namespace strider::nd
