// Text to tokens, indentation included. Knows nothing of grammar.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/syntax/error.h"
#include "interpreter/syntax/lexer/token.h"

namespace strider::syntax {

struct TokenList {
  std::vector<Token> tokens;         // ends with kEndMarker; kError before it where lexing stopped
  std::optional<SyntaxError> error;  // why it stopped
  bool unclosed_bracket = false;     // ... was the end of the text inside brackets
};

enum class LexMode : uint8_t {
  kStatements,
  kExpression,  // as inside parentheses: no line ends, no indentation
};

// Tokens of a range of the source. Never throws SyntaxError; the parser decides when it matters.
TokenList tokenize(const Source& source, Span range, LexMode mode);

}  // namespace strider::syntax
