// Finds the name or call at the cursor and tells what is known of it.
#include "interpreter/session/inspection.h"

#include <algorithm>

#include "interpreter/builtins/facts.h"

namespace strider::lang {
namespace {

// The path that the cursor is in or behind, or what the call around it calls.
std::string_view path_at(std::string_view text, std::size_t cursor) {
  std::size_t end = cursor;
  while (end < text.size() && is_word_character(text[end])) ++end;
  std::string_view head = text.substr(0, end);
  std::string_view path = head.substr(before_path(head).size());
  if (!path.empty() && !path.starts_with('.') && !path.ends_with('.')) return path;
  return {};
}

}  // namespace

Inspection inspect_text(const Scope& scope, std::string_view text, std::size_t cursor,
                        int detail) {
  cursor = std::min(cursor, text.size());
  Value object;
  std::string_view path = path_at(text, cursor);
  if (!path.empty()) object = peek_path(scope, path);
  if (object.is_empty()) {
    Enclosing call = find_enclosing(text.substr(0, cursor));
    if (call.bracket == '(' && !call.path.empty()) object = peek_path(scope, call.path);
  }
  Inspection result;
  if (object.is_empty()) return result;
  result.found = true;
  result.text.forms.push_back({"text/plain", describe_object(object, detail)});
  return result;
}

}  // namespace strider::lang
