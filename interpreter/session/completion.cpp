// Finds the object in front of a dot by looking names up, never by evaluating.
#include "interpreter/session/completion.h"

#include <algorithm>
#include <cctype>

#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/import.h"
#include "interpreter/runtime/interpreter.h"
#include "interpreter/runtime/suggestion.h"
#include "interpreter/syntax/token.h"
#include "interpreter/types/bytes.h"
#include "interpreter/types/dict.h"
#include "interpreter/types/str.h"

namespace strider::lang {
namespace {

using Names = std::vector<std::string_view>;

bool is_word(char c) {
  auto byte = static_cast<unsigned char>(c);
  return c == '_' || std::isalnum(byte) || byte >= 0x80;
}

// The text without the word that it ends with.
std::string_view before_word(std::string_view text) {
  while (!text.empty() && is_word(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// What `object.name` is if that can be told without running anything, else Empty.
Value peek_attribute(const Value& object, Name name) {
  if (object.has_layout(Layout::kModule)) return object.as<Module>()->find(name);
  Attributes* attributes = object.is_object() ? object.object()->attributes() : nullptr;
  Value* found = attributes ? attributes->find(name) : nullptr;
  return found ? *found : Value();
}

// The value of a dotted path of names ("np.linalg"); Empty when one is not known.
Value peek_path(Module& main, Module& builtins, std::string_view path) {
  std::size_t dot = path.find('.');
  Name first = intern(path.substr(0, dot));
  Value object = main.find(first);
  if (object.is_empty()) object = builtins.find(first);
  while (dot != path.npos && !object.is_empty()) {
    path.remove_prefix(dot + 1);
    dot = path.find('.');
    object = peek_attribute(object, intern(path.substr(0, dot)));
  }
  return object;
}

// The loaded module of that name, or Empty.
Value loaded_module(std::string_view name) {
  Value* found = Interpreter::current().modules->find(Value(make_str(name)));
  return found ? *found : Value();
}

// The object in front of the dot that `text` ends with.
Value object_before_dot(Module& main, Module& builtins, std::string_view text) {
  text.remove_suffix(1);
  if (text.ends_with('"') || text.ends_with('\'')) return Value(make_str(""));
  std::size_t start = text.size();
  while (start > 0 && (is_word(text[start - 1]) || text[start - 1] == '.')) --start;
  std::string_view path = text.substr(start);
  bool called_or_indexed = start > 0 && (text[start - 1] == ')' || text[start - 1] == ']');
  if (path.empty() || path.front() == '.' || called_or_indexed) return Value();
  return peek_path(main, builtins, path);
}

// The words of the statement that `text` ends in ("from", "numpy", "import").
std::vector<std::string_view> statement_words(std::string_view text) {
  text.remove_prefix(text.find_last_of("\n;:") + 1);
  std::vector<std::string_view> words;
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
bool complete_import(std::string_view text, Names& known) {
  std::vector<std::string_view> words = statement_words(text);
  if (words.empty()) return false;
  if (words.front() == "import" && words.back() != "as") {
    list_importable_modules(known);
    return true;
  }
  if (words.front() != "from") return false;
  if (words.size() == 1) {
    list_importable_modules(known);
  } else if (words.size() == 2) {
    known.push_back("import");
  } else if (Value module = loaded_module(words[1]); !module.is_empty()) {
    known = attribute_names(module);
  }
  return true;
}

Names known_names(Module& main, Module& builtins, std::string_view text) {
  Names known;
  std::string_view before = before_word(text);
  if (before.ends_with('.')) {
    Value object = object_before_dot(main, builtins, before);
    if (!object.is_empty()) known = attribute_names(object);
  } else if (!complete_import(without_blanks(before) == before ? "" : before, known)) {
    main.list_names(known);
    builtins.list_names(known);
    syntax::list_keywords(known);
  }
  return known;
}

}  // namespace

std::vector<std::string> complete_text(Module& main, Module& builtins,
                                       std::string_view text) {
  std::string_view prefix = text.substr(before_word(text).size());
  std::vector<std::string> result;
  for (std::string_view name : known_names(main, builtins, text)) {
    bool hidden = name.starts_with('_') && !prefix.starts_with('_');
    if (!hidden && name.starts_with(prefix)) result.emplace_back(name);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace strider::lang
