// Finds the kind of place that the cursor is at, then lists what belongs there.
#include "interpreter/session/completion.h"

#include <strider/nd/dtype.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "interpreter/builtins/documentation.h"
#include "interpreter/builtins/facts.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/suggestion.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/syntax/lexer/token.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using Names = std::vector<std::string_view>;

constexpr std::string_view kCommandNames[] = {
    "bash",   "capture", "cd",    "debug",    "env",      "explain",    "history",
    "html",   "load",    "ls",    "lsmagic",  "markdown", "matplotlib", "precision",
    "prun",   "pwd",     "reset", "run",      "script",   "sh",         "time",
    "timeit", "who",     "whos",  "writefile"};
constexpr std::size_t kMostPaths = 500;

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Collects what starts with the prefix.
class Collector {
 public:
  Collector(std::string_view prefix, std::size_t start, std::size_t end) : prefix_(prefix) {
    result.start = start;
    result.end = end;
  }

  void add(std::string_view name, std::string_view type, std::string detail = {}) {
    bool hidden = name.starts_with('_') && !prefix_.starts_with('_');
    if (!hidden && name.starts_with(prefix_))
      result.items.push_back({std::string(name), std::string(type), std::move(detail)});
  }
  void add_all(const Names& names, std::string_view type) {
    for (std::string_view name : names) add(name, type);
  }
  // With what is known of the value; only names that fit are looked at.
  void add_value(std::string_view name, const Value& value) {
    if (!name.starts_with(prefix_)) return;
    if (value.is_empty())
      add(name, "");
    else
      add(name, kind_of(value), short_detail(value));
  }

  Completions finish() {
    auto by_text = [](const auto& a, const auto& b) { return a.text < b.text; };
    auto same_text = [](const auto& a, const auto& b) { return a.text == b.text; };
    std::stable_sort(result.items.begin(), result.items.end(), by_text);
    result.items.erase(std::unique(result.items.begin(), result.items.end(), same_text),
                       result.items.end());
    return std::move(result);
  }

  Completions result;

 private:
  std::string_view prefix_;
};

// The module of that name if it is loaded or one of the library's, else Empty.
Value known_module(std::string_view name) {
  if (Value* found = Interpreter::current().modules->find(Value(make_str(name)))) return *found;
  Names known;
  list_importable_modules(known);
  bool ours = std::find(known.begin(), known.end(), name) != known.end();
  return ours ? import_module(name) : Value();
}

// The object in front of the dot that `text` ends with.
Value object_before_dot(const Scope& scope, std::string_view text) {
  text.remove_suffix(1);
  if (text.ends_with('"') || text.ends_with('\'')) return Value(make_str(""));
  std::string_view before = before_path(text);
  std::string_view path = text.substr(before.size());
  bool called_or_indexed = before.ends_with(')') || before.ends_with(']');
  if (path.empty() || path.front() == '.' || called_or_indexed) return Value();
  return peek_path(scope, path);
}

// An attribute that is there already: nothing is made to describe it.
Value stored_attribute(const Value& object, std::string_view name) {
  if (!object.has_layout(Layout::kModule)) return peek_attribute(object, intern(name));
  Value* found = object.as<Module>()->dict().find(Value(intern(name)));
  return found ? *found : Value();
}

void add_attributes(Collector& found, const Value& object) {
  for (std::string_view name : attribute_names(object))
    found.add_value(name, stored_attribute(object, name));
}

// The words of the statement that `text` ends in ("from", "numpy", "import").
Names statement_words(std::string_view text) {
  text.remove_prefix(text.find_last_of("\n;:") + 1);
  Names words;
  while (!text.empty()) {
    std::size_t start = text.find_first_not_of(" ,()");
    if (start == text.npos) break;
    std::size_t end = text.find_first_of(" ,()", start);
    words.push_back(text.substr(start, end - start));
    if (end == text.npos) break;
    text.remove_prefix(end);
  }
  return words;
}

// Names for an import statement; false if the text ends in none. `text` ends before the word.
bool add_imports(Collector& found, std::string_view text) {
  Names words = statement_words(text), known;
  if (words.empty()) return false;
  bool imports = words.front() == "import" && words.back() != "as";
  if (imports || (words.front() == "from" && words.size() == 1)) {
    list_importable_modules(known);
    found.add_all(known, "module");
  } else if (words.front() != "from") {
    return false;
  } else if (words.size() == 2) {
    found.add("import", "keyword");
  } else if (Value module = known_module(words[1]); !module.is_empty()) {
    add_attributes(found, module);
  }
  return true;
}

// Names of parameters out of "zeros(shape, dtype=None, *, order='C')".
Names parameter_names(std::string_view signature) {
  Names names;
  std::size_t open = signature.find('(');
  if (open == signature.npos) return names;
  int depth = 0;
  for (std::size_t i = open + 1, begin = i; i < signature.size(); ++i) {
    char c = signature[i];
    bool ends = depth == 0 && (c == ',' || c == ')');
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (!ends) continue;
    std::string_view part = signature.substr(begin, i - begin);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_first_of("=: "));
    bool named = !part.empty() && part != "/" && !part.starts_with('*') && part != "self";
    if (named) names.push_back(part);
    begin = i + 1;
  }
  return names;
}

// `dtype=` and its like inside a call.
void add_keyword_arguments(Collector& found, const Scope& scope, std::string_view before) {
  Enclosing call = find_enclosing(before);
  if (call.bracket != '(' || call.path.empty()) return;
  std::string_view last = without_blanks(call.arguments);
  if (!last.empty() && last.back() != ',') return;
  Value callee = peek_path(scope, call.path);
  if (callee.is_empty()) return;
  std::string signature = signature_text(callee);
  for (std::string_view name : parameter_names(signature))
    found.add(std::string(name) + "=", "param");
}

void add_names(Collector& found, const Scope& scope) {
  Names names;
  scope.main.list_names(names);
  for (std::string_view name : names) {
    Value* value = scope.main.dict().find(Value(intern(name)));
    found.add_value(name, value ? *value : Value());
  }
  names.clear();
  scope.builtins.list_names(names);
  found.add_all(names, "function");
  names.clear();
  syntax::list_keywords(names);
  found.add_all(names, "keyword");
}

void add_element_types(Collector& found) {
  for (int i = 0; i < nd::kDTypeCount; ++i) found.add(nd::name(static_cast<nd::DType>(i)), "dtype");
}

// Files and folders that continue a path.
void add_paths(Collector& found, std::string_view typed) {
  namespace fs = std::filesystem;
  std::size_t slash = typed.rfind('/');
  std::string folder(slash == typed.npos ? "" : typed.substr(0, slash + 1));
  std::string_view start = slash == typed.npos ? typed : typed.substr(slash + 1);
  std::error_code error;
  std::size_t count = 0;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end && count < kMostPaths; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with(start) || (name.starts_with('.') && start.empty())) continue;
    std::error_code ignored;
    found.result.items.push_back(
        {folder + name + (entry->is_directory(ignored) ? "/" : ""), "path", {}});
    ++count;
  }
}

// Keys of a dict in `names["`.
bool add_keys(Collector& found, const Scope& scope, std::string_view before_quote) {
  Enclosing subscript = find_enclosing(before_quote);
  if (subscript.bracket != '[' || subscript.path.empty() || !subscript.arguments.empty())
    return false;
  Value object = peek_path(scope, subscript.path);
  if (!is_dict(object)) return false;
  for (const Dict::Entry& entry : object.as<Dict>()->entries())
    if (is_str(entry.key)) found.add(text_of(entry.key), "key");
  return true;
}

Completions complete_string(const Scope& scope, std::string_view head, OpenString string) {
  std::string_view typed = head.substr(string.begin);
  Collector found(typed, string.begin, head.size());
  std::string_view before = head.substr(0, string.begin - 1);
  if (add_keys(found, scope, before)) return found.finish();
  std::string_view asked = without_blanks(before);
  if (asked.ends_with("dtype=") || asked.ends_with("astype(") || asked.ends_with("dtype("))
    add_element_types(found);
  else if (!Interpreter::current().isolated)
    add_paths(found, typed);
  return found.finish();
}

// `%ti` at the start of a line.
bool complete_command(std::string_view head, Completions& result) {
  std::string_view line = head.substr(head.rfind('\n') + 1);
  std::size_t first = line.find_first_not_of(' ');
  if (first == line.npos || line[first] != '%') return false;
  std::string_view name = line.substr(std::min(line.find_first_not_of('%', first), line.size()));
  if (name.find(' ') != name.npos) return false;
  Collector found(name, head.size() - name.size(), head.size());
  for (std::string_view each : kCommandNames) found.add(each, "command");
  result = found.finish();
  return true;
}

// Paths behind `!` and behind commands that take files: `%run ex`.
bool complete_command_path(std::string_view head, Completions& result) {
  std::string_view line = head.substr(head.rfind('\n') + 1);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  std::string_view name = line.substr(0, line.find(' '));
  bool takes_paths = line.starts_with('!') || name == "%cd" || name == "%run" || name == "%load" ||
                     name == "%ls" || name == "%%writefile";
  if (!takes_paths || line.find(' ') == line.npos || Interpreter::current().isolated) return false;
  std::string_view typed = head.substr(head.find_last_of(" '\"") + 1);
  Collector found(typed, head.size() - typed.size(), head.size());
  add_paths(found, typed);
  result = found.finish();
  return true;
}

}  // namespace

Completions complete_text(const Scope& scope, std::string_view text, std::size_t cursor) {
  std::string_view head = text.substr(0, std::min(cursor, text.size()));
  Completions commands;
  if (complete_command(head, commands) || complete_command_path(head, commands)) return commands;
  if (OpenString string = find_open_string(head); string.quote)
    return complete_string(scope, head, string);
  std::string_view before = before_word(head);
  Collector found(head.substr(before.size()), before.size(), head.size());
  if (before.ends_with('.')) {
    Value object = object_before_dot(scope, before);
    if (!object.is_empty()) add_attributes(found, object);
  } else if (without_blanks(before) == before || !add_imports(found, without_blanks(before))) {
    add_keyword_arguments(found, scope, before);
    add_names(found, scope);
  }
  return found.finish();
}

}  // namespace strider::lang
