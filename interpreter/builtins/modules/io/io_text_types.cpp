// The classes of text files and their methods.
#include <unistd.h>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/io/io_binary.h"
#include "interpreter/builtins/modules/io/io_text.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

TextStream& stream_of(const Value& self) { return *self.as<TextStream>(); }
TextFile& file_of(const Value& self) { return *self.as<TextFile>(); }
StringFile& string_of(const Value& self) { return *self.as<StringFile>(); }

void check_open(const Value& self) {
  if (auto* memory = dynamic_cast<StringFile*>(self.object())) return memory->check_open();
  if (stream_of(self).closed()) raise_closed_file();
}

Value text_read(const Parameters& p) { return make_str(stream_of(p[0]).read(size_argument(p[1]))); }

Value text_readline(const Parameters& p) {
  return make_str(stream_of(p[0]).read_line(size_argument(p[1])));
}

Value text_readlines(const Parameters& p) {
  std::int64_t hint = size_argument(p[1]), total = 0;
  Ref<List> lines = make_list();
  for (;;) {
    std::string line = stream_of(p[0]).read_line(-1);
    if (line.empty()) return lines;
    Ref<Str> text = make_str(std::move(line));
    total += text->size();
    lines->items.emplace_back(text);
    if (hint > 0 && total >= hint) return lines;
  }
}

Value text_write(const Parameters& p) {
  if (!is_str(p[1])) {
    bool wrapper = is_instance(p[0], text_io_wrapper_type());
    raise(errors::TypeError, "{} argument {} str, not {}", wrapper ? "write()" : "string",
          wrapper ? "must be" : "expected, got", type_name(p[1]));
  }
  stream_of(p[0]).write(text_of(p[1]));
  return Value::integer(p[1].as<Str>()->size());
}

Value text_seek(const Parameters& p) {
  return Value::integer(stream_of(p[0]).seek(to_int64(p[1]), to_int64(p[2])));
}

template <void (TextStream::*kAction)()>
Value action(const Parameters& p) {
  (stream_of(p[0]).*kAction)();
  return Value::none();
}

template <bool (TextStream::*kQuestion)()>
Value answer(const Parameters& p) {
  check_open(p[0]);
  return Value::boolean((stream_of(p[0]).*kQuestion)());
}

bool text_next(const Value& self, Value& item) {
  std::string line = stream_of(self).read_line(-1);
  if (line.empty()) return false;
  item = make_str(std::move(line));
  return true;
}

const NativeRow kTextMethods[] = {
    {"read(self, size=-1, /)", text_read, "Up to `size` characters, all by default."},
    {"readline(self, size=-1, /)", text_readline, "The next line."},
    {"readlines(self, hint=-1, /)", text_readlines, "All lines as a list."},
    {"write(self, text, /)", text_write, "Writes text; returns the number of characters."},
    {"seek(self, cookie, whence=0, /)", text_seek, "Moves to a position."},
    {"tell(self)", [](const Parameters& p) { return Value::integer(stream_of(p[0]).tell()); },
     "The present position."},
    {"truncate(self, pos=None, /)",
     [](const Parameters& p) { return Value::integer(stream_of(p[0]).truncate(p[1])); },
     "Cuts the text off."},
    {"flush(self)", action<&TextStream::flush>, "Writes out what is buffered."},
    {"close(self)", action<&TextStream::close>, "Closes the file."},
    {"readable(self)", answer<&TextStream::readable>, "Whether it can be read."},
    {"writable(self)", answer<&TextStream::writable>, "Whether it can be written."},
    {"seekable(self)", answer<&TextStream::seekable>, "Whether it has positions."},
};

const PropertyRow kTextProperties[] = {
    {"closed", [](const Value& self) { return Value::boolean(stream_of(self).closed()); }, nullptr,
     "Whether the file is closed."},
    {"newlines", [](const Value& self) { return told_line_ends(stream_of(self).seen_ends()); },
     nullptr, "The line ends that were read: None, one, or a tuple of them."},
};

// --- TextIOWrapper ---

Value wrapper_construct(Type* cls, const Arguments&) { return make_instance<TextFile>(cls); }

void wrapper_initialize(const Value& self, const Arguments& arguments) {
  static const Signature signature(
      "TextIOWrapper(buffer, encoding=None, errors=None, newline=None, line_buffering=False, "
      "write_through=False)");
  Value slots[6];
  bind_constructor(signature, arguments, slots);
  TextSettings settings = read_text_settings(slots[1], slots[2], slots[3]);
  settings.by_line = truth(slots[4]);
  settings.at_once = truth(slots[5]);
  file_of(self).attach(slots[0], std::move(settings));
}

Value wrapper_fileno(const Parameters& p) {
  check_open(p[0]);
  return call_method(file_of(p[0]).buffer(), intern("fileno"));
}

Value wrapper_isatty(const Parameters& p) {
  check_open(p[0]);
  return call_method(file_of(p[0]).buffer(), intern("isatty"));
}

Value wrapper_reconfigure(const Parameters& p) {
  TextFile& file = file_of(p[0]);
  const TextSettings& present = std::as_const(file).settings();
  bool recoded = !p[1].is_none(), renewed = !p[3].is_empty();
  Value errors_name = !p[2].is_none() ? p[2]
                      : recoded       ? Value::none()  // strict, unless that is told, too
                                      : Value(make_str(present.errors));
  TextSettings changed = read_text_settings(recoded ? p[1] : Value(make_str(present.encoding)),
                                            errors_name, renewed ? p[3] : Value::none());
  if (!recoded) changed.shown_encoding = present.shown_encoding;
  if (!renewed) changed.newlines = present.newlines;
  changed.by_line = p[4].is_none() ? present.by_line : truth(p[4]);
  changed.at_once = p[5].is_none() ? present.at_once : truth(p[5]);
  file.change(std::move(changed), recoded || !p[2].is_none() || renewed);
  return Value::none();
}

const NativeRow kWrapperMethods[] = {
    {"detach(self)", [](const Parameters& p) { return file_of(p[0]).detach(); },
     "The binary file below, which is left alone from now on."},
    {"fileno(self)", wrapper_fileno, "The file descriptor."},
    {"isatty(self)", wrapper_isatty, "Whether it is a terminal."},
    {"reconfigure(self, *, encoding=None, errors=None, newline=<none>, line_buffering=None, "
     "write_through=None)",
     wrapper_reconfigure, "Changes how text is encoded and buffered."},
};

// What the stream below says; the streams may stand on each other in a ring.
Value asked_below(const Value& self, const char* attribute) {
  check_stack();
  return get_attribute(file_of(self).buffer(), intern(attribute));
}

Value wrapper_name(const Value& self) { return asked_below(self, "name"); }

Value wrapper_mode(const Value& self) {
  if (file_of(self).mode.empty()) return asked_below(self, "mode");
  return make_str(file_of(self).mode);
}

const PropertyRow kWrapperProperties[] = {
    {"buffer", [](const Value& self) { return file_of(self).buffer(); }, nullptr,
     "The binary file below."},
    {"name", wrapper_name, nullptr, "What was opened."},
    {"mode", wrapper_mode,
     [](const Value& self, const Value& mode) {
       file_of(self).mode = to_text(mode, "the mode of a file");
     },
     "How it was opened."},
    {"encoding",
     [](const Value& self) { return Value(make_str(file_of(self).settings().shown_encoding)); },
     nullptr, "The encoding's name."},
    {"errors", [](const Value& self) { return Value(make_str(file_of(self).settings().errors)); },
     nullptr, "What happens to characters that cannot be converted."},
    {"line_buffering",
     [](const Value& self) { return Value::boolean(file_of(self).settings().by_line); }, nullptr,
     "Whether each line is written at once."},
    {"write_through",
     [](const Value& self) { return Value::boolean(file_of(self).settings().at_once); }, nullptr,
     "Whether everything is written at once."},
};

Value wrapper_repr(const Value& self) {
  TextFile& file = file_of(self);
  std::string text = "<_io.TextIOWrapper";
  Value name = find_attribute(file.buffer(), intern("name"));
  if (!name.is_empty()) text += " name=" + repr_text(name);
  if (!file.mode.empty()) text += fmt::format(" mode='{}'", file.mode);
  return make_str(text + fmt::format(" encoding='{}'>", file.settings().shown_encoding));
}

// --- StringIO ---

Value string_construct(Type* cls, const Arguments&) { return make_instance<StringFile>(cls); }

void string_initialize(const Value& self, const Arguments& arguments) {
  static const Signature signature("StringIO(initial_value='', newline='\n')");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  if (!slots[0].is_none() && !is_str(slots[0]))
    raise(errors::TypeError, "initial_value must be str or None, not {}", type_name(slots[0]));
  StringFile& file = string_of(self);
  file.given_newline = slots[1].is_empty() ? Value(make_str("\n")) : slots[1];
  file.newlines = read_newlines(slots[1]);
  file.restart("");
  if (is_str(slots[0])) file.write(text_of(slots[0]));
  file.position = 0;
}

const NativeRow kStringMethods[] = {
    {"getvalue(self)",
     [](const Parameters& p) {
       string_of(p[0]).check_open();
       return Value(make_str(string_of(p[0]).text));
     },
     "The whole text."},
    {"__getstate__(self)",
     [](const Parameters& p) -> Value {
       StringFile& file = string_of(p[0]);
       file.check_open();
       return make_tuple({Value(make_str(file.text)), file.given_newline,
                          Value::integer(file.tell()), attributes_state(p[0])});
     },
     "Its text, how lines end, its position and its attributes."},
    {"__setstate__(self, state, /)",
     [](const Parameters& p) {
       Values state = state_parts(p[0], p[1], 4);
       StringFile& file = string_of(p[0]);
       file.given_newline = state[1];
       file.newlines = read_newlines(state[1]);
       file.restart(std::string(to_text(state[0], "initial_value")));
       file.seek(to_int64(state[2]), 0);
       restore_attributes(p[0], state[3]);
       return Value::none();
     },
     "Takes over what __getstate__() gave."},
};

const PropertyRow kStringProperties[] = {
    {"encoding", [](const Value&) { return Value::none(); }, nullptr, "None."},
    {"errors", [](const Value&) { return Value::none(); }, nullptr, "None."},
    {"line_buffering", [](const Value&) { return Value::boolean(false); }, nullptr, "False."},
};

Type& make_text_type(const char* name) {
  auto* type = new Type(name, &text_io_base_type());
  place_in_module(*type, "_io");
  type->instance_layout = Layout::kFile;
  type->set(Type::kSubclassable);
  type->set(Type::kHasInstanceDict);
  type->add(kTextMethods);
  type->add(kTextProperties);
  type->slots.next = text_next;
  return *type;
}

}  // namespace

Type& text_io_wrapper_type() {
  static Type& type = *[] {
    Type& made = make_text_type("TextIOWrapper");
    made.add(kWrapperMethods);
    made.add(outside_methods());
    made.add(kWrapperProperties);
    made.slots.repr = wrapper_repr;
    made.slots.construct = wrapper_construct;
    made.slots.initialize = wrapper_initialize;
    return &made;
  }();
  return type;
}

Type& string_io_type() {
  static Type& type = *[] {
    Type& made = make_text_type("StringIO");
    made.add(kStringMethods);
    made.add(kStringProperties);
    made.slots.construct = string_construct;
    made.slots.initialize = string_initialize;
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
