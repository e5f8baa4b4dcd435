// FrameObject: what programs hold of a running function (types.FrameType): its code, line and
// variables while it runs and, where somebody still holds it, as they were when it ended.
#pragma once

#include <memory>

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

class FrameObject final : public Container {
 public:
  FrameObject(std::shared_ptr<const Code> frame_code, Frame* running, int last_line);
  static Type& type_object();
  void traverse(Visitor& visitor) override;
  void clear_references() override;

  const std::shared_ptr<const Code> code;
  Frame* frame;  // null: it has ended, or only its line is known
  int line;      // of one that is not running
  std::int64_t place = -1;  // in its source, of one that is not running
  Value globals, locals;
  Value back = Value::none();    // of one that is not running
  Value tracer = Value::none();  // f_trace
  bool traces_lines = true;      // f_trace_lines
  bool traces_opcodes = false;   // f_trace_opcodes
  int told_line = 0;             // of which the tracer was told
  Value told_of;                 // the exception of which it was told
};

// The object of a frame, made when it is first asked for; None for null.
Value describe_frame(Frame* frame);
// The frame has ended: its object, if somebody holds it, keeps what it shows.
void retire_frame(Frame& frame);
// The line that a frame is at; where its definition begins if it is at none.
int line_of(const Frame& frame);
// The variables of a frame: a module's and a class body's own dict, a function's in a new one.
Ref<Dict> frame_variables(const Frame& frame);
// What f_locals of a running function is: the same dict whenever it is asked for, brought up to
// date; what a program has put there beside the variables stays.
Value show_variables(FrameObject& object);
// What locals() gives: the dict that f_locals is, which exec() writes to.
Value shared_variables(Frame& frame);
// Gives the variables the values that a program has put there.
void store_variables(FrameObject& object);

}  // namespace strider::lang
