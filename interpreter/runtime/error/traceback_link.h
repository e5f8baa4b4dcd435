// Tracebacks as values: what __traceback__ gives, and what it takes.
#pragma once

#include "interpreter/runtime/error/error.h"
#include "interpreter/types/objects/namespace.h"

namespace strider::lang {

// A line of a traceback as an object: tb_lineno, tb_frame, tb_next.
class TracebackLink : public SimpleNamespace {
 public:
  explicit TracebackLink(const TracebackEntry& entry) : entry(entry) {}
  void traverse(Visitor& visitor) override {
    SimpleNamespace::traverse(visitor);
    visitor.visit(entry.frame_object);
  }

  const TracebackEntry entry;
};

// Gives an exception the lines of a traceback, or none of None; TypeError for other values.
void set_traceback(Exception& exception, const Value& traceback);

}  // namespace strider::lang
