// Values of literals: numbers, escapes of strings and bytes. Knows no tokens and no tree.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/syntax/source.h"
#include "interpreter/syntax/tree/arena.h"
#include "interpreter/syntax/tree/ast.h"

namespace strider::syntax {

// The parts of a string token.
struct StringParts {
  bool raw = false;
  bool bytes = false;
  bool formatted = false;
  Span body;  // between the quotes
};

// The value of a number the lexer accepted.
ConstantValue read_number(std::string_view text, Arena& arena);
// Prefix and body of a string token.
StringParts split_string(std::string_view source_text, Span token);
// Appends the value of literal text (escapes unless raw); `place` is its span, for errors.
void append_string(std::string& value, std::string_view text, const StringParts& parts, Span place);

}  // namespace strider::syntax
