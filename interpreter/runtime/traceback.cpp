// Tracebacks as text: frames from the outermost to the innermost, carets, causes and contexts.
#include <cstring>

#include "interpreter/runtime/error.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/runtime/suggestion.h"
#include "interpreter/syntax/marks.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/namespace.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/syntax_error.h"

namespace strider::lang {
namespace {

constexpr std::size_t kMaxRepeats = 3;

bool same_place(const TracebackEntry& a, const TracebackEntry& b) {
  return a.source == b.source && a.span.begin == b.span.begin && a.function == b.function;
}

void append_entry(const TracebackEntry& entry, std::string& text) {
  if (!entry.source) return;
  text += fmt::format("  File \"{}\", line {}, in {}\n", entry.source->file_name(),
                      entry.source->line_of(entry.span.begin), entry.function);
  text += syntax::marked_line(*entry.source, entry.span) + "\n";
}

// The frames; a frame that repeats more than three times (recursion) is counted instead.
void append_entries(const std::vector<TracebackEntry>& entries, std::string& text) {
  std::size_t repeats = 0;
  for (std::size_t i = entries.size(); i-- > 0;) {
    bool again = i + 1 < entries.size() && same_place(entries[i], entries[i + 1]);
    repeats = again ? repeats + 1 : 0;
    if (repeats < kMaxRepeats) append_entry(entries[i], text);
    bool last = i == 0 || !same_place(entries[i], entries[i - 1]);
    if (last && repeats >= kMaxRepeats)
      text += fmt::format("  [Previous line repeated {} more time{}]\n", repeats - kMaxRepeats + 1,
                          repeats == kMaxRepeats ? "" : "s");
  }
}

// What stands behind the message: for a missing attribute, the one that was perhaps meant.
std::string hint_of(const Exception& exception) {
  if (!exception.hint.empty() || !exception.type()->is_subclass_of(&errors::AttributeError()))
    return exception.hint;
  auto& attributes = *const_cast<Exception&>(exception).attributes();
  const Value *name = attributes.find(intern("name")), *object = attributes.find(intern("obj"));
  if (!name || !object || !is_str(*name)) return {};
  return suggest_attribute(*object, text_of(*name));
}

void append_exception(const Exception& exception, std::string& text, int depth) {
  if (depth > 50) return;
  if (exception.cause) {
    append_exception(*exception.cause, text, depth + 1);
    text += "\nThe above exception was the direct cause of the following exception:\n\n";
  } else if (exception.context && !exception.suppress_context) {
    append_exception(*exception.context, text, depth + 1);
    text += "\nDuring handling of the above exception, another exception occurred:\n\n";
  }
  bool syntax = exception.type()->is_subclass_of(&errors::SyntaxError());
  if (!exception.traceback.empty()) {
    text += "Traceback (most recent call last):\n";
    append_entries(exception.traceback, text);
  }
  if (syntax) text += syntax_place(exception);
  text += describe(exception) + hint_of(exception) + "\n";
  auto& attributes = *const_cast<Exception&>(exception).attributes();
  if (Value* notes = attributes.find(names().notes); notes && is_list(*notes))
    for (const Value& note : notes->as<List>()->items) text += str_text(note) + "\n";
}

// A text for a failing __str__.
std::string safe_message(const Exception& exception) {
  try {
    if (exception.type()->is_subclass_of(&errors::SyntaxError())) return syntax_message(exception);
    return str_text(Value(const_cast<Exception*>(&exception)));
  } catch (const Raised&) {
  }
  return "<exception str() failed>";
}

}  // namespace

std::string describe(const Exception& exception) {
  const Type& type = *exception.type();
  std::string name = type.module == "builtins" || type.module == "__main__"
                         ? type.qualified_name
                         : type.module + "." + type.qualified_name;
  std::string message = safe_message(exception);
  return message.empty() ? name : name + ": " + message;
}

std::string format_traceback(const Exception& exception) {
  std::string text;
  append_exception(exception, text, 0);
  return text;
}

Value make_frame_record(std::string_view function, std::string_view file, int line) {
  Ref<SimpleNamespace> code = make<SimpleNamespace>();
  code->attributes()->set(intern("co_name"), make_str(function));
  code->attributes()->set(intern("co_filename"), make_str(file));
  Ref<SimpleNamespace> frame = make<SimpleNamespace>();
  frame->attributes()->set(intern("f_code"), code);
  frame->attributes()->set(intern("f_lineno"), Value::integer(line));
  return frame;
}

namespace {

// Where an entry stands in its source: text of the line, columns from 0 (in characters) of begin
// and end, line of the end.
void add_place(Attributes& fields, const TracebackEntry& entry) {
  syntax::Position begin = entry.source->position(entry.span.begin);
  syntax::Position end = entry.source->position(entry.span.end);
  fields.set(intern("_text"), make_str(entry.source->line_text(begin.line)));
  fields.set(intern("_columns"),
             make_tuple({Value::integer(begin.column - 1), Value::integer(end.line),
                         Value::integer(end.column - 1)}));
}

}  // namespace

Value traceback_object(const Exception& exception) {
  if (exception.traceback.empty()) return Value::none();
  Value chain = Value::none();
  for (const TracebackEntry& entry : exception.traceback) {
    Ref<SimpleNamespace> link = make<SimpleNamespace>();
    Attributes& fields = *link->attributes();
    int line = entry.source ? entry.source->line_of(entry.span.begin) : 0;
    fields.set(intern("tb_lineno"), Value::integer(line));
    fields.set(intern("tb_next"), chain);
    if (entry.source) add_place(fields, entry);
    fields.set(
        intern("tb_frame"),
        make_frame_record(entry.function, entry.source ? entry.source->file_name() : "", line));
    chain = link;
  }
  return chain;
}

}  // namespace strider::lang
