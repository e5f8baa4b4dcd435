// Built-in functions about objects: attributes, classes, calls, identity, text.
#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/builtins/functions.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/evaluator/frames/frame_object.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/error/suggestion.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Name attribute_name(const Value& value) {
  if (!is_str(value))
    raise(errors::TypeError, "attribute name must be string, not '{}'", type_name(value));
  return intern(value.as<Str>());
}

bool is_of_program_class(const Value& value) {
  return value.is_object() && value.object()->type()->has(Type::kUserDefined);
}

// What print() writes. Streams of the program's own are given every piece by itself; others are
// given all at once, but have what comes before a text that fails, or that the program makes.
class Pieces {
 public:
  explicit Pieces(const Value& stream)
      : stream_(stream), one_by_one_(is_of_program_class(stream)) {}

  void add(std::string_view text) {
    if (one_by_one_)
      write_to(stream_, text);
    else
      waiting_ += text;
  }

  void add_text_of(const Value& value) {
    if (is_of_program_class(value)) write_out();
    try {
      add(str(value)->text());
    } catch (...) {
      write_out();
      throw;
    }
  }

  void write_out() {
    if (!one_by_one_) write_to(stream_, std::exchange(waiting_, {}));
  }

 private:
  const Value& stream_;
  bool one_by_one_;
  std::string waiting_;
};

Value builtin_print(const Parameters& p) {
  Value stream = p[3].is_none() ? standard_output() : p[3];
  auto text_or = [](const Value& value, std::string_view fallback, const char* what) {
    if (value.is_none()) return fallback;
    if (!is_str(value))
      raise(errors::TypeError, "{} must be None or a string, not {}", what, type_name(value));
    return text_of(value);
  };
  std::string_view separator = text_or(p[1], " ", "sep");
  std::string_view end = text_or(p[2], "\n", "end");
  Pieces pieces(stream);
  bool first = true;
  for (const Value& value : p[0].as<Tuple>()->items()) {
    if (!first) pieces.add(separator);
    first = false;
    pieces.add_text_of(value);
  }
  pieces.add(end);
  pieces.write_out();
  if (truth(p[4])) call_method(stream, names().flush);
  return Value::none();
}

Value builtin_repr(const Parameters& p) { return repr(p[0]); }

Value builtin_ascii(const Parameters& p) {
  std::string text = repr_text(p[0]);
  std::string result;
  for (std::size_t offset = 0; offset < text.size();) {
    char32_t c = decode_code_point(text, offset);
    if (c < 128)
      result += static_cast<char>(c);
    else if (c < 256)
      result += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else if (c < 0x10000)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += fmt::format("\\U{:08x}", static_cast<unsigned>(c));
  }
  return make_str(std::move(result));
}

Value builtin_len(const Parameters& p) { return Value::integer(length(p[0])); }

Value builtin_id(const Parameters& p) {
  if (p[0].is_object()) return Value::integer(reinterpret_cast<std::int64_t>(p[0].object()));
  auto bits = static_cast<std::uint64_t>(hash(p[0]));
  return Value::integer(static_cast<std::int64_t>(bits * 32 + 0x10000));
}

Value builtin_hash(const Parameters& p) { return Value::integer(hash(p[0])); }
Value builtin_callable(const Parameters& p) { return Value::boolean(is_callable(p[0])); }

Value builtin_isinstance(const Parameters& p) { return Value::boolean(is_instance_of(p[0], p[1])); }
Value builtin_issubclass(const Parameters& p) { return Value::boolean(is_subclass_of(p[0], p[1])); }

Value builtin_getattr(const Parameters& p) {
  Name name = attribute_name(p[1]);
  if (!p.has(2)) return get_attribute(p[0], name);
  Value found = find_attribute(p[0], name);
  return found.is_empty() ? p[2] : found;
}

Value builtin_setattr(const Parameters& p) {
  set_attribute(p[0], attribute_name(p[1]), p[2]);
  return Value::none();
}

Value builtin_delattr(const Parameters& p) {
  delete_attribute(p[0], attribute_name(p[1]));
  return Value::none();
}

Value builtin_hasattr(const Parameters& p) {
  return Value::boolean(has_attribute(p[0], attribute_name(p[1])));
}

Frame& running_frame() {
  Frame* frame = Interpreter::current().frame;
  if (!frame) raise(errors::SystemError, "no running frame");
  return *frame;
}

Value builtin_globals(const Parameters&) { return Ref<Dict>(running_frame().globals); }

Value builtin_locals(const Parameters&) { return shared_variables(running_frame()); }

Value builtin_vars(const Parameters& p) {
  if (!p.has(0)) return builtin_locals(p);
  Value dict = find_attribute(p[0], names().dict);
  if (dict.is_empty()) raise(errors::TypeError, "vars() argument must have __dict__ attribute");
  if (p[0].has_layout(Layout::kModule))  // what is made when it is asked for, as dir() names it
    for (Name name : {names().spec, names().loader}) find_attribute(p[0], name);
  return dict;
}

// Adds names that all modules have, but that are made only when they are asked for.
void add_names_of_module(List& listed, Dict& globals) {
  Value* known_as = globals.find(names().name);
  Value* loaded = known_as ? Interpreter::current().modules->find(*known_as) : nullptr;
  if (!loaded || !loaded->has_layout(Layout::kModule) || &loaded->as<Module>()->dict() != &globals)
    return;
  std::vector<std::string_view> made = {"__loader__", "__spec__"};
  Value* file = globals.find(names().file);
  bool is_embedded = file && is_str(*file) && text_of(*file).starts_with('<');
  if (file && !is_embedded) made.push_back("__cached__");
  if (text_of(*known_as) == "__main__") made.push_back("__annotations__");
  for (std::string_view each : made)
    if (!globals.find(intern(each))) listed.items.emplace_back(make_str(each));
}

Value builtin_dir(const Parameters& p) {
  Value listed;
  Dict* globals = nullptr;
  if (p.has(0)) {
    auto* module = p[0].is_object() ? dynamic_cast<Module*>(p[0].object()) : nullptr;
    Value* own = module ? module->dict().find(names().dir) : nullptr;
    listed = call(own ? Value(*own) : find_special(p[0], names().dir));
    if (module && !own && type_of(p[0]) == &Module::type_object()) globals = &module->dict();
  } else {
    Frame& frame = running_frame();
    listed = frame_variables(frame);
    if (is_dict(listed) && listed.as<Dict>() == frame.globals) globals = frame.globals;
  }
  Ref<List> result = to_list(listed);
  if (globals) add_names_of_module(*result, *globals);
  std::sort(result->items.begin(), result->items.end(), less);
  return result;
}

// Asks whoever a front asks; nothing where the program has put streams of its own in place.
std::optional<std::string> ask_front(const Parameters& p) {
  Value stream = find_attribute(import_module("sys"), names().stdin_);
  bool own = !stream.is_object() || stream.object()->type() != &StandardInput::type_object();
  if (own || !stream_front()) return std::nullopt;
  return stream.as<StandardInput>()->read_line(p.has(0) ? str_text(p[0]) : std::string());
}

Value builtin_input(const Parameters& p) {
  if (std::optional<std::string> line = ask_front(p)) {
    if (line->empty()) raise(errors::EOFError, "EOF when reading a line");
    line->pop_back();
    return make_str(std::move(*line));
  }
  Value stream = find_attribute(import_module("sys"), names().stdin_);
  if (stream.is_none()) raise(errors::RuntimeError, "input(): lost sys.stdin");
  Value out = standard_output();
  if (out.is_none()) raise(errors::RuntimeError, "input(): lost sys.stdout");
  if (p.has(0)) write_to(out, str(p[0])->text());
  call_method(out, names().flush);
  Value line = call_method(stream, intern("readline"));
  std::string_view text = to_text(line, "object.readline()");
  if (text.empty()) raise(errors::EOFError, "EOF when reading a line");
  if (text.ends_with('\n')) text.remove_suffix(1);
  return make_str(text);
}

// Imports those parts of a package that are asked for by name and are modules.
void import_parts(const Value& package, const std::string& name, const Value& wanted) {
  Iteration parts(wanted);
  for (Value part; parts.next(part);) {
    std::string_view word = to_text(part, "Item in ``from list''");
    if (word == "*" || !find_attribute(package, intern(word)).is_empty()) continue;
    std::string whole = name + "." + std::string(word);
    try {
      import_module(whole);
    } catch (const Raised& raised) {
      // That there is no such part shows when it is used.
      const Exception& error = *raised.exception;
      Value* missing = const_cast<Exception&>(error).attributes()->find(intern("name"));
      bool about_it = error.type()->is_subclass_of(&errors::ModuleNotFoundError()) && missing &&
                      is_str(*missing) && text_of(*missing) == whole;
      if (!about_it) throw;
    }
  }
}

Value builtin_import(const Parameters& p) {
  std::string name(to_text(p[0], "__import__() argument 1"));
  std::int64_t level = to_int64(p[4]);
  if (level < 0) raise(errors::ValueError, "level must be >= 0");
  if (level == 0 && name.empty()) raise(errors::ValueError, "Empty module name");
  if (level > 0) {
    if (!is_dict(p[1])) raise(errors::KeyError, "'__name__' not in globals");
    name = resolve_relative(name, static_cast<int>(level), *p[1].as<Dict>());
  }
  Value module = import_module(name);
  if (!truth(p[3])) return level > 0 ? module : import_module(name.substr(0, name.find('.')));
  if (!find_attribute(module, names().path).is_empty()) import_parts(module, name, p[3]);
  return module;
}

Value builtin_format(const Parameters& p) {
  if (!is_str(p[1]))
    raise(errors::TypeError, "format() argument 2 must be str, not {}",
          p[1].is_none() ? "None" : type_name(p[1]));
  return format(p[0], p[1]);
}

}  // namespace

const NativeRow kObjectFunctions[] = {
    {"print(*args, sep=' ', end='\\n', file=None, flush=False)", builtin_print,
     "Writes values as text, separated by `sep`, followed by `end`."},
    {"repr(object, /)", builtin_repr, "The text that represents the object."},
    {"ascii(object, /)", builtin_ascii, "repr() with everything beyond ASCII escaped."},
    {"len(obj, /)", builtin_len, "The number of items."},
    {"id(obj, /)", builtin_id, "A number that is the object's own while it lives."},
    {"hash(obj, /)", builtin_hash, "The hash value."},
    {"callable(object, /)", builtin_callable, "Whether the object can be called."},
    {"isinstance(obj, class_or_tuple, /)", builtin_isinstance,
     "Whether the object is an instance of a class or of one of several."},
    {"issubclass(cls, class_or_tuple, /)", builtin_issubclass,
     "Whether a class derives from another."},
    {"getattr(object, name, default=<none>, /)", builtin_getattr, "An attribute by name."},
    {"setattr(object, name, value, /)", builtin_setattr, "Sets an attribute by name."},
    {"delattr(object, name, /)", builtin_delattr, "Deletes an attribute by name."},
    {"hasattr(object, name, /)", builtin_hasattr, "Whether there is such an attribute."},
    {"globals()", builtin_globals, "The variables of the module."},
    {"locals()", builtin_locals, "The variables of the running function."},
    {"vars(object=<none>, /)", builtin_vars, "The __dict__ of the object."},
    {"dir(object=<none>, /)", builtin_dir, "Attribute names, sorted."},
    {"input(prompt=<none>, /)", builtin_input, "Reads a line from standard input."},
    {"__import__(name, globals=None, locals=None, fromlist=(), level=0)", builtin_import,
     "Imports a module by name."},
    {"format(value, format_spec='', /)", builtin_format, "The value as text in a given format."},
};
const std::size_t kObjectFunctionCount = std::size(kObjectFunctions);

}  // namespace strider::lang
