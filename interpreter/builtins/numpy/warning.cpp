// Warnings from C++: through the module warnings where the program uses it, else printed directly,
// once per place.
#include <set>

#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/import.h"
#include "interpreter/runtime/interpreter.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/types/dict.h"
#include "interpreter/types/str.h"

namespace strider::lang {
namespace {

struct Place {
  std::string file = "sys";
  int line = 1;
  std::string source_line;
  std::string module = "sys";
};

// Where the program is, outside the library's own npx files.
Place current_place() {
  Place place;
  const Frame* frame = Interpreter::current().frame;
  while (frame && frame->caller && frame->code->source->file_name().starts_with("<stdlib>"))
    frame = frame->caller;
  if (!frame || !frame->code) return place;
  const syntax::Source& source = *frame->code->source;
  place.file = source.file_name();
  if (frame->at) place.line = static_cast<int>(source.line_of(frame->at->span.begin));
  if (Value* name = frame->globals->find(names().name); name && is_str(*name))
    place.module = std::string(text_of(*name));
  if (place.file != "<string>") {
    std::string_view line = source.line_text(static_cast<std::uint32_t>(place.line));
    std::size_t start = line.find_first_not_of(" \t");
    if (start != line.npos) place.source_line = std::string(line.substr(start));
  }
  return place;
}

void print_once(const Place& place, const Type& category, std::string_view message) {
  static std::set<std::string>& seen = *new std::set<std::string>;
  std::string text =
      fmt::format("{}:{}: {}: {}\n", place.file, place.line, category.name(), message);
  if (!seen.insert(text).second) return;
  if (!place.source_line.empty()) text += "  " + place.source_line + "\n";
  write_to(standard_error(), text);
}

bool is_loaded(std::string_view module) {
  return Interpreter::current().modules->find(Value(make_str(module))) != nullptr;
}

}  // namespace

void warn(Type& category, std::string_view message) {
  Place place = current_place();
  if (!is_loaded("warnings")) return print_once(place, category, message);
  Value module = import_module("warnings");
  call_method(module, intern("warn_explicit"), Value(make_str(message)), Value(&category),
              Value(make_str(place.file)), Value::integer(place.line),
              Value(make_str(place.module)));
}

}  // namespace strider::lang
