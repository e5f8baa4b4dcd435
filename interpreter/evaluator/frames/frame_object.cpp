// Frames as objects: live ones are read when asked, ended ones keep what they showed.
#include "interpreter/evaluator/frames/frame_object.h"

#include "interpreter/evaluator/frames/function.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/error/traceback_link.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/code_facts.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

FrameObject& frame_of(const Value& self) { return *self.as<FrameObject>(); }

bool is_module(const Code& code) { return text_of(code.name) == "<module>"; }

// The variables of the module that a file belongs to; a new dict if there is none.
Value variables_of_file(const std::string& file) {
  for (const Dict::Entry& entry : Interpreter::current().modules->entries()) {
    if (entry.key.is_empty() || !entry.value.has_layout(Layout::kModule)) continue;
    const Ref<Dict>& dict = entry.value.as<Module>()->dict_ref();
    Value* found = dict->find(names().file);
    if (found && is_str(*found) && text_of(*found) == file) return dict;
  }
  return make_dict();
}

Value get_globals(const Value& self) {
  FrameObject& object = frame_of(self);
  if (object.frame) return Ref<Dict>(object.frame->globals);
  if (object.globals.is_empty()) {
    const syntax::Source* source = object.code->source.get();
    object.globals = variables_of_file(source ? std::string(source->file_name()) : "");
  }
  return object.globals;
}

// Calls act(name, variable) for each variable of a function, bound or not.
template <class Act>
void for_each_variable(const Frame& frame, const Act& act) {
  const Code& code = *frame.code;
  for (int slot = 0; slot < code.visible_locals; ++slot)
    act(code.local_names[static_cast<std::size_t>(slot)], frame.locals[slot]);
  for (std::size_t i = 0; i < code.cell_names.size(); ++i)
    act(code.cell_names[i], frame.cells[i]->value);
}

// Whether its variables lie in a dict anyway.
bool has_own_dict(const Frame& frame) { return frame.class_namespace || is_module(*frame.code); }

Value get_locals(const Value& self) {
  FrameObject& object = frame_of(self);
  if (object.frame) return show_variables(object);
  if (object.locals.is_empty()) object.locals = make_dict();
  return object.locals;
}

Value get_builtins(const Value& self) {
  Value globals = get_globals(self);
  Value* found = globals.as<Dict>()->find(names().builtins);
  if (found && is_dict(*found)) return *found;
  return get_attribute(Interpreter::current().builtins_module, names().dict);
}

Value get_back(const Value& self) {
  FrameObject& object = frame_of(self);
  return object.frame ? describe_frame(object.frame->caller) : object.back;
}

Value get_line(const Value& self) {
  FrameObject& object = frame_of(self);
  return Value::integer(object.frame ? line_of(*object.frame) : object.line);
}

void set_line(const Value&, const Value&) {
  raise(errors::ValueError, "a program goes on where it is: f_lineno cannot be set");
}

Value get_place(const Value& self) {
  FrameObject& object = frame_of(self);
  const NodeBase* at = object.frame ? object.frame->at : nullptr;
  if (!object.frame) return Value::integer(object.place);
  return Value::integer(at ? static_cast<std::int64_t>(at->span.begin) : -1);
}

// Telling begins with the next line.
void set_tracer(const Value& self, const Value& tracer) {
  FrameObject& object = frame_of(self);
  object.tracer = tracer.is_empty() ? Value::none() : tracer;
  if (!object.frame) return;
  object.frame->watched = !object.tracer.is_none();
  object.told_line = line_of(*object.frame);
}

template <bool FrameObject::*kFlag>
Value get_flag(const Value& self) {
  return Value::boolean(frame_of(self).*kFlag);
}
template <bool FrameObject::*kFlag>
void set_flag(const Value& self, const Value& flag) {
  frame_of(self).*kFlag = truth(flag);
}

Value clear_frame(const Parameters& p) {
  FrameObject& object = frame_of(p[0]);
  if (object.frame) raise(errors::RuntimeError, "cannot clear an executing frame");
  object.locals = Value();
  object.tracer = Value::none();
  return Value::none();
}

Value frame_repr(const Value& self) {
  FrameObject& object = frame_of(self);
  const syntax::Source* source = object.code->source.get();
  return make_str(fmt::format(
      "<frame at {}, file '{}', line {}, code {}>", fmt::ptr(static_cast<void*>(self.object())),
      source ? source->file_name() : "", get_line(self).as_int(), text_of(object.code->name)));
}

const NativeRow kMethods[] = {
    {"clear(self, /)", clear_frame, "Forgets the variables of a frame that has ended."},
};

const PropertyRow kAttributes[] = {
    {"f_code", [](const Value& self) { return Value(describe_code(frame_of(self).code)); }, nullptr,
     "The code that it runs."},
    {"f_globals", get_globals, nullptr, "The variables of its module."},
    {"f_locals", get_locals, nullptr, "Its own variables."},
    {"f_builtins", get_builtins, nullptr, "The built-in names."},
    {"f_back", get_back, nullptr, "The frame that called it, or None."},
    {"f_lineno", get_line, set_line, "The line that it is at."},
    {"f_lasti", get_place, nullptr, "Where in its source it is."},
    {"f_trace", [](const Value& self) { return frame_of(self).tracer; }, set_tracer,
     "What is called at each of its lines, or None."},
    {"f_trace_lines", get_flag<&FrameObject::traces_lines>, set_flag<&FrameObject::traces_lines>,
     "Whether its tracer is told of lines."},
    {"f_trace_opcodes", get_flag<&FrameObject::traces_opcodes>,
     set_flag<&FrameObject::traces_opcodes>, "Kept; there are no opcodes to tell of."},
};

}  // namespace

FrameObject::FrameObject(std::shared_ptr<const Code> frame_code, Frame* running, int last_line)
    : Container(Layout::kOther, &type_object()),
      code(std::move(frame_code)),
      frame(running),
      line(last_line) {}

Type& FrameObject::type_object() {
  static Type& type = *[] {
    Type& made = new_type("frame", Type::object_type());
    made.slots.repr = frame_repr;
    made.add(kMethods);
    made.add(kAttributes);
    return &made;
  }();
  return type;
}

void FrameObject::traverse(Visitor& visitor) {
  visitor.visit(globals);
  visitor.visit(locals);
  visitor.visit(back);
  visitor.visit(tracer);
  visitor.visit(told_of);
}

void FrameObject::clear_references() {
  globals = Value();
  locals = Value();
  back = Value::none();
  tracer = Value::none();
  told_of = Value();
}

int line_of(const Frame& frame) {
  const syntax::Source* source = frame.code->source.get();
  return source && frame.at ? source->line_of(frame.at->span.begin) : first_line(*frame.code);
}

Value describe_frame(Frame* frame) {
  if (!frame) return Value::none();
  if (!frame->object)
    frame->object = make<FrameObject>(frame->code->shared_from_this(), frame, 0).detach();
  frame->noted = true;
  return Ref<FrameObject>(frame->object);
}

void retire_frame(Frame& frame) {
  Ref<FrameObject> object(std::exchange(frame.object, nullptr));
  object->release();  // the frame's own reference
  if (object->references() > 1) {
    object->line = line_of(frame);
    if (frame.at) object->place = frame.at->span.begin;
    object->globals = Ref<Dict>(frame.globals);
    object->locals = get_locals(Value(object));
    object->back = describe_frame(frame.caller);
  }
  object->told_of = Value();
  object->frame = nullptr;
}

Value make_frame_record(const std::shared_ptr<const void>& code, int line, std::int64_t place) {
  Ref<FrameObject> record =
      make<FrameObject>(std::static_pointer_cast<const Code>(code), nullptr, line);
  record->place = place;
  return record;
}

namespace {

// A line of a text without the blanks around it; nothing where it is not of the text itself.
syntax::Span line_span(const syntax::Source& source, int line) {
  std::string_view whole = source.text(), text = source.line_text(line);
  std::size_t first = text.find_first_not_of(" \t\f"), last = text.find_last_not_of(" \t\f");
  bool inside = text.data() >= whole.data() && text.data() < whole.data() + whole.size();
  if (first == text.npos || !inside) return {};
  auto start = static_cast<std::uint32_t>(text.data() - whole.data());
  return {start + static_cast<std::uint32_t>(first), start + static_cast<std::uint32_t>(last + 1)};
}

}  // namespace

TracebackEntry entry_of_frame(const Value& frame, int line) {
  if (!frame.is_object() || frame.object()->type() != &FrameObject::type_object())
    raise(errors::TypeError, "TracebackType() argument 'tb_frame' must be frame, not {}",
          type_name(frame));
  const std::shared_ptr<const Code>& code = frame.as<FrameObject>()->code;
  syntax::Span place;
  if (code->source && line > 0) place = line_span(*code->source, line);
  return {code->source, place, std::string(text_of(code->name)), code, nullptr, frame};
}

Ref<Dict> frame_variables(const Frame& frame) {
  if (frame.class_namespace) return Ref<Dict>(frame.class_namespace);
  if (is_module(*frame.code)) return Ref<Dict>(frame.globals);
  Ref<Dict> result = make_dict();
  for_each_variable(frame, [&](Name name, const Value& variable) {
    if (!variable.is_empty()) result->set(name, variable);
  });
  return result;
}

Value show_variables(FrameObject& object) {
  const Frame& frame = *object.frame;
  if (object.locals.is_empty() || has_own_dict(frame)) {
    object.locals = frame_variables(frame);
    return object.locals;
  }
  Dict& shown = *object.locals.as<Dict>();
  for_each_variable(frame, [&](Name name, const Value& variable) {
    if (!variable.is_empty())
      shown.set(name, variable);
    else if (shown.find(name))
      shown.erase(Value(name));
  });
  return object.locals;
}

Value shared_variables(Frame& frame) {
  if (has_own_dict(frame)) return frame_variables(frame);
  return show_variables(*describe_frame(&frame).as<FrameObject>());
}

void store_variables(FrameObject& object) {
  if (object.locals.is_empty() || has_own_dict(*object.frame)) return;
  Dict& shown = *object.locals.as<Dict>();
  for_each_variable(*object.frame, [&](Name name, Value& variable) {
    if (const Value* found = shown.find(name)) variable = *found;
  });
}

}  // namespace strider::lang
