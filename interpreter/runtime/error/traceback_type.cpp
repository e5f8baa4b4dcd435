// The type `traceback`: a chain of lines, outermost first.
#include "interpreter/runtime/error/traceback_link.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

TracebackLink& link_of(const Value& self) { return *self.as<TracebackLink>(); }

Value frame_of(const Value& self) {
  TracebackLink& link = link_of(self);
  if (link.frame.is_empty())
    link.frame = make_frame_record(link.entry.code, link.line, link.entry.span.begin);
  return link.frame;
}

Value text_of_line(const Value& self) {
  const TracebackEntry& entry = link_of(self).entry;
  if (!entry.source) return Value::none();
  return make_str(entry.source->line_text(entry.source->line_of(entry.span.begin)));
}

// Where the entry stands in its source: columns from 0 (in characters) of begin and end, line of
// the end.
Value columns_of(const Value& self) {
  const TracebackEntry& entry = link_of(self).entry;
  if (!entry.source) return make_tuple({Value::none(), Value::none(), Value::none()});
  syntax::Position begin = entry.source->position(entry.span.begin);
  syntax::Position end = entry.source->position(entry.span.end);
  return make_tuple(
      {Value::integer(begin.column - 1), Value::integer(end.line), Value::integer(end.column - 1)});
}

const Value& checked_next(const Value& value, const char* kinds) {
  if (value.is_none() || traceback_link(value)) return value;
  raise(errors::TypeError, "expected {}, got '{}'", kinds, type_name(value));
}

void set_next(const Value& self, const Value& value) {
  if (value.is_empty()) raise(errors::TypeError, "can't delete tb_next attribute");
  for (const TracebackLink* each = traceback_link(checked_next(value, "traceback object")); each;
       each = traceback_link(each->next))
    if (each == self.object()) raise(errors::ValueError, "traceback loop detected");
  link_of(self).next = value;
}

int to_c_int(const Value& value) {
  std::int64_t number = to_int64(value);
  if (number != static_cast<int>(number))
    raise(errors::OverflowError, "Python int too large to convert to C int");
  return static_cast<int>(number);
}

Value construct(Type*, const Arguments& arguments) {
  static const Signature& signature =
      *new Signature("TracebackType(tb_next, tb_frame, tb_lasti, tb_lineno)");
  Value slots[4];
  signature.bind(arguments, slots);
  to_c_int(slots[2]);
  int line = to_c_int(slots[3]);
  return make<TracebackLink>(entry_of_frame(slots[1], line), line, slots[1],
                             checked_next(slots[0], "traceback object or None"));
}

const PropertyRow kAttributes[] = {
    {"tb_frame", frame_of, nullptr, "The frame."},
    {"tb_lineno", [](const Value& self) { return Value::integer(link_of(self).line); }, nullptr,
     "The line that was running."},
    {"tb_lasti",
     [](const Value& self) {
       return Value::integer(static_cast<std::int64_t>(link_of(self).entry.span.begin));
     },
     nullptr, "The place in the program's text."},
    {"tb_next", [](const Value& self) { return link_of(self).next; }, set_next,
     "The next line, towards the error; None at the end."},
    {"_text", text_of_line, nullptr, "The text of the line."},
    {"_columns", columns_of, nullptr, "Where in the line, and in which, what failed ends."},
};

}  // namespace

TracebackLink::TracebackLink(TracebackEntry line_entry, int line_number, const Value& frame,
                             const Value& next)
    : Container(Layout::kOther, &type_object()),
      entry(std::move(line_entry)),
      line(line_number),
      frame(frame),
      next(next) {}

Type& TracebackLink::type_object() {
  static Type& type = *[] {
    auto* made = new Type("traceback", &Type::object_type());
    made->retain();
    made->instance_layout = Layout::kOther;
    made->slots.construct = construct;
    made->add(kAttributes);
    return made;
  }();
  return type;
}

void TracebackLink::traverse(Visitor& visitor) {
  visitor.visit(entry.frame_object);
  visitor.visit(frame);
  visitor.visit(next);
}

void TracebackLink::clear_references() {
  frame = Value();
  next = Value::none();
}

TracebackLink* traceback_link(const Value& value) {
  bool is_link = value.is_object() && value.object()->type() == &TracebackLink::type_object();
  return is_link ? value.as<TracebackLink>() : nullptr;
}

}  // namespace strider::lang
