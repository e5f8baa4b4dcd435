// Warnings from C++: through the module warnings where the program uses it, else printed directly,
// once per place.
#include <set>

#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/place.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

struct WarnedPlace {
  std::string file = "sys";
  int line = 1;
  std::string source_line;
  std::string module = "sys";
};

WarnedPlace describe(const nd::Place& place) {
  WarnedPlace result;
  if (!place.known()) return result;
  const auto& text = static_cast<const SourceText&>(place.text());
  result.file = text.file();
  result.line = place.line();
  result.module = text.module();
  if (result.file != "<string>") {
    std::string_view line = text.source().line_text(result.line);
    std::size_t start = line.find_first_not_of(" \t");
    if (start != line.npos) result.source_line = std::string(line.substr(start));
  }
  return result;
}

void print_once(const WarnedPlace& place, const Type& category, std::string_view message) {
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

void warn(Type& category, std::string_view message) { warn_at(running_place(), category, message); }

void warn_at(const nd::Place& where, Type& category, std::string_view message) {
  WarnedPlace place = describe(where);
  if (!is_loaded("warnings")) return print_once(place, category, message);
  Value module = import_module("warnings");
  call_method(module, intern("warn_explicit"), Value(make_str(message)), Value(&category),
              Value(make_str(place.file)), Value::integer(place.line),
              Value(make_str(place.module)));
}

}  // namespace strider::lang
