// The module _front: what the front of the session (a notebook, a prompt) can show and ask, for the
// modules of the library that prepare it. Without a front nothing is shown.
#include <termios.h>
#include <unistd.h>

#include "interpreter/builtins/documentation.h"
#include "interpreter/builtins/facts.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Front* present_front() { return Interpreter::current().front; }

Front& required_front() {
  Front* front = present_front();
  if (!front) raise(errors::RuntimeError, "there is no notebook or prompt to show this in");
  return *front;
}

// Pairs (MIME type, text), with the size of an image behind them.
MimeBundle bundle_of(const Value& forms, const Value& width, const Value& height) {
  MimeBundle bundle;
  Iteration pairs(forms);
  Value pair;
  while (pairs.next(pair)) {
    Value type = get_item(pair, Value::integer(0)), data = get_item(pair, Value::integer(1));
    bundle.forms.push_back({std::string(to_text(type, "a MIME type")),
                            std::string(to_text(data, "the text of a form"))});
  }
  bundle.width = static_cast<int>(to_clamped_index(width));
  bundle.height = static_cast<int>(to_clamped_index(height));
  return bundle;
}

Value is_present(const Parameters&) { return Value::boolean(present_front() != nullptr); }

Value owns_streams(const Parameters&) { return Value::boolean(stream_front() != nullptr); }

Value shows(const Parameters& p) {
  Front* front = present_front();
  return Value::boolean(front && front->shows(to_text(p[0], "a MIME type")));
}

Value show_value(const Parameters& p) {
  required_front().show(bundle_of(p[0], p[2], p[3]), static_cast<int>(to_clamped_index(p[1])));
  return Value::none();
}

Value display(const Parameters& p) {
  required_front().display(bundle_of(p[0], p[2], p[3]), std::string(to_text(p[1], "display_id")));
  return Value::none();
}

Value update(const Parameters& p) {
  required_front().update(bundle_of(p[0], p[2], p[3]), std::string(to_text(p[1], "display_id")));
  return Value::none();
}

Value clear(const Parameters& p) {
  required_front().clear(truth(p[0]));
  return Value::none();
}

Value page(const Parameters& p) {
  required_front().page(bundle_of(p[0], Value::integer(0), Value::integer(0)));
  return Value::none();
}

// Keeps a terminal from showing what is typed while in scope.
class HiddenTyping {
 public:
  HiddenTyping() : hides_(tcgetattr(STDIN_FILENO, &usual_) == 0) {
    termios silent = usual_;
    silent.c_lflag = (silent.c_lflag & ~static_cast<tcflag_t>(ECHO)) | ECHONL;
    if (hides_) tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
  }
  ~HiddenTyping() {
    if (hides_) tcsetattr(STDIN_FILENO, TCSAFLUSH, &usual_);
  }
  HiddenTyping(const HiddenTyping&) = delete;

 private:
  termios usual_ = {};
  bool hides_;
};

// Asked on the terminal where there is no front; sys.stdin is read, which may hold lines already.
Value read_hidden_line(const std::string& prompt) {
  flush_standard_streams();
  HiddenTyping hidden;
  write_to(standard_error(), prompt);
  return call_method(get_attribute(import_module("sys"), intern("stdin")), intern("readline"));
}

Value ask_hidden(const Parameters& p) {
  std::string prompt(to_text(p[0], "prompt"));
  std::string line;
  if (stream_front()) {
    line = StandardInput().read_line(prompt, true);
  } else {
    require_outside();
    line = std::string(to_text(read_hidden_line(prompt), "a line"));
  }
  if (line.empty()) raise(errors::EOFError, "EOF when reading a line");
  if (line.ends_with('\n')) line.pop_back();
  return make_str(std::move(line));
}

Value modules(const Parameters&) {
  std::vector<std::string_view> known;
  list_importable_modules(known);
  Values items;
  for (std::string_view name : known) items.emplace_back(make_str(name));
  return make_list(std::move(items));
}

const NativeRow kFunctions[] = {
    {"is_present()", is_present, "Whether a notebook or a prompt shows what the program makes."},
    {"owns_streams()", owns_streams, "Whether standard streams go there too."},
    {"shows(type, /)", shows, "Whether a form of this MIME type would be seen as more than text."},
    {"show(forms, number, width=0, height=0)", show_value, "Shows the value of entry `number`."},
    {"display(forms, display_id='', width=0, height=0)", display,
     "Shows pairs of MIME type and text, the richest of which is seen."},
    {"update(forms, display_id, width=0, height=0)", update,
     "Replaces what was displayed with this id."},
    {"clear(wait=False)", clear, "Takes away what the entry has shown."},
    {"page(forms)", page, "Shows a long text beside the output."},
    {"describe(object, detail=0, /)",
     [](const Parameters& p) {
       return Value(make_str(describe_object(p[0], static_cast<int>(to_clamped_index(p[1])))));
     },
     "Signature, type, shape, place and documentation, without computing anything."},
    {"ask_hidden(prompt, /)", ask_hidden, "A line that is not seen while it is typed."},
    {"documentation(object, /)",
     [](const Parameters& p) { return Value(make_str(documentation_text(p[0]))); },
     "Name, signature and documentation of an object."},
    {"signature(object, /)",
     [](const Parameters& p) { return Value(make_str(signature_text(p[0]))); },
     "'sum(a, axis=None)'; empty where it is not known."},
    {"modules()", modules, "The names of modules that can be imported without a file."},
};

}  // namespace

const NativeModule kFrontModule = {"_front", "The front of the session.", kFunctions, {}};

}  // namespace strider::lang
