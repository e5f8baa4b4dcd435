// Lookup: which object a piece of program text names, told without running any of the program.
#pragma once

#include <string_view>

#include "interpreter/runtime/program/module.h"

namespace strider::lang {

// Where names are looked up.
struct Scope {
  Module& main;
  Module& builtins;
};

bool is_word_character(char c);
// The text without the word, or the dotted path, that it ends with.
std::string_view before_word(std::string_view text);
std::string_view before_path(std::string_view text);

// What `object.name` is if that can be told without running anything, else Empty.
Value peek_attribute(const Value& object, Name name);
// The value of a dotted path of names ("np.linalg"); Empty when one is not known.
Value peek_path(const Scope& scope, std::string_view path);

// The innermost call or subscript that the end of `text` is inside of.
struct Enclosing {
  char bracket = 0;              // '(' or '[', or 0: none
  std::string_view path;         // what is called or subscripted, "" if that is no path
  std::string_view arguments;    // from behind the bracket to the end
};
Enclosing find_enclosing(std::string_view text);

// The quotation mark of the string literal that the end of `text` is inside of, and where its
// contents begin; 0: none.
struct OpenString {
  char quote = 0;
  std::size_t begin = 0;
};
OpenString find_open_string(std::string_view text);

}  // namespace strider::lang
