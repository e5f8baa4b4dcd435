// Looks names up in dicts and shapes; properties and user code are never called.
#include "interpreter/session/lookup.h"

#include <cctype>
#include <vector>

#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

bool is_word_character(char c) {
  auto byte = static_cast<unsigned char>(c);
  return c == '_' || std::isalnum(byte) || byte >= 0x80;
}

std::string_view before_word(std::string_view text) {
  while (!text.empty() && is_word_character(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view before_path(std::string_view text) {
  while (!text.empty() && (is_word_character(text.back()) || text.back() == '.'))
    text.remove_suffix(1);
  return text;
}

Value peek_attribute(const Value& object, Name name) {
  if (object.has_layout(Layout::kModule)) return object.as<Module>()->find(name);
  Attributes* attributes = object.is_object() ? object.object()->attributes() : nullptr;
  if (Value* found = attributes ? attributes->find(name) : nullptr) return *found;
  Type* type = object.has_layout(Layout::kType) ? object.as<Type>() : type_of(object);
  const Value* stored = type->lookup(name);
  return stored ? *stored : Value();
}

Value peek_path(const Scope& scope, std::string_view path) {
  std::size_t dot = path.find('.');
  Name first = intern(path.substr(0, dot));
  Value object = scope.main.find(first);
  if (object.is_empty()) object = scope.builtins.find(first);
  while (dot != path.npos && !object.is_empty()) {
    path.remove_prefix(dot + 1);
    dot = path.find('.');
    object = peek_attribute(object, intern(path.substr(0, dot)));
  }
  return object;
}

namespace {

// Goes through a text once; keeps which brackets and which string are open at its end.
struct Scan {
  std::vector<std::size_t> open;
  OpenString string;

  explicit Scan(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      char c = text[i];
      if (string.quote) {
        if (c == '\\')
          ++i;
        else if (c == string.quote || c == '\n')
          string = {};
      } else if (c == '#') {
        while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
      } else if (c == '"' || c == '\'') {
        string = {c, i + 1};
      } else if (c == '(' || c == '[' || c == '{') {
        open.push_back(i);
      } else if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
        open.pop_back();
      }
    }
  }
};

}  // namespace

Enclosing find_enclosing(std::string_view text) {
  Scan scan(text);
  if (scan.open.empty() || text[scan.open.back()] == '{') return {};
  std::size_t at = scan.open.back();
  std::string_view before = text.substr(0, at);
  std::string_view path = before.substr(before_path(before).size());
  if (path.starts_with('.') || path.ends_with('.')) path = {};
  return {text[at], path, text.substr(at + 1)};
}

OpenString find_open_string(std::string_view text) { return Scan(text).string; }

}  // namespace strider::lang
