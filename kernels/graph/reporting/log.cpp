// Passes and expressions as lines of the log.
#include "kernels/graph/reporting/log.h"

#include <strider/nd/eval.h>

#include <cstdio>

#include "kernels/backend/backend.h"
#include "kernels/graph/reporting/explain.h"

namespace strider::nd {
namespace {

std::string operation_text(const Expression& expression) {
  switch (expression.kind) {
    case Expression::Kind::kOperation:
      return std::string(facts(expression.op).name);
    case Expression::Kind::kSelect:
      return "where";
    case Expression::Kind::kConvert:
      return "convert";
    case Expression::Kind::kRange:
      return "range";
    case Expression::Kind::kBand:
      return "band";
    case Expression::Kind::kShortFold:
    case Expression::Kind::kFold:
      return "fold " + std::string(facts(expression.fold.op).name);
    case Expression::Kind::kProduct:
      return "product";
  }
  return "";
}

}  // namespace

void PassLog::begin(const Pass& pass, const Backend& backend) {
  backend_ = &backend;
  for (const PlannedLoop& planned : pass.loops) {
    ExplainedLoop loop = describe(planned, backend);
    bytes_read_ += loop.bytes_read;
    bytes_written_ += loop.bytes_written;
    if (is_logged(LogSubject::kLoops)) log_line("  " + title_of(loop));
    if (!is_logged(LogSubject::kInstructions)) continue;
    for (const std::string& line : lines_of(loop)) log_line("    " + line);
  }
  watch_ = Stopwatch();
}

void PassLog::end(const Pass& pass) {
  double seconds = watch_.seconds();
  std::size_t steps = 0;
  for (const PlannedLoop& planned : pass.loops) steps += planned.loop.steps.size();
  char rate[32];
  double bytes = static_cast<double>(bytes_read_ + bytes_written_);
  std::snprintf(rate, sizeof rate, "%.2f GB/s", bytes / seconds / 1e9);
  std::string loops = pass.loops.size() == 1 ? "" : std::to_string(pass.loops.size()) + " loops, ";
  log_line("pass " + std::to_string(evaluation_counts().passes) + " on " + backend_->name() +
           " over " + shape_text(pass.loops.back().loop.extents) + ", " + loops +
           std::to_string(steps) + (steps == 1 ? " step" : " steps") + ", reads " +
           bytes_text(static_cast<double>(bytes_read_)) + ", writes " +
           bytes_text(static_cast<double>(bytes_written_)) + ", " + time_text(seconds) + ", " +
           rate);
}

void tell_expression(const char* what, const Expression& expression) {
  std::string text = std::string(what) + " " + operation_text(expression) + " " +
                     std::string(name(expression.dtype)) + " " + shape_text(expression.shape);
  std::string place = to_text(expression.place);
  std::string now = recording().place ? to_text(recording().place()) : "";
  if (!place.empty()) text += " of " + place;
  if (!now.empty() && now != place) text += ", at " + now;
  log_line(text);
}

}  // namespace strider::nd
