// Tracebacks as values: what __traceback__ gives, and what it takes.
#pragma once

#include <string_view>

#include "interpreter/runtime/error/error.h"

namespace strider::lang {

// A line of a traceback as an object: tb_lineno, tb_frame, tb_next.
class TracebackLink : public Container {
 public:
  // `frame` is Empty until somebody asks for it; `next` is None at the end.
  TracebackLink(TracebackEntry line_entry, int line_number, const Value& frame, const Value& next);
  static Type& type_object();
  void traverse(Visitor& visitor) override;
  void clear_references() override;

  const TracebackEntry entry;
  const int line;
  Value frame, next;
};

// The link that a value is; null for other values.
TracebackLink* traceback_link(const Value& value);
// What a traceback tells of a frame at a line; TypeError for values that are no frames. Defined by
// the evaluator, which knows frames.
TracebackEntry entry_of_frame(const Value& frame, int line);
// Gives an exception the lines of a traceback, or none of None; TypeError for other values.
void set_traceback(Exception& exception, const Value& traceback);

}  // namespace strider::lang
