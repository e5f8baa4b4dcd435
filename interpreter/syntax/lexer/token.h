// A token: a kind and the place of its text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "interpreter/syntax/source.h"

namespace strider::syntax {

enum class TokenKind : uint8_t {
#define STRIDER_TOKEN(name, description) k##name,
#define STRIDER_OPERATOR(name, text) k##name,
#define STRIDER_KEYWORD(name, text) k##name,
#include "interpreter/syntax/lexer/tokens.def"
};

struct Token {
  TokenKind kind;
  Span span;
};

// The token as written ("+=", "while"), or a description ("end of line").
std::string_view token_text(TokenKind kind);
// The keyword's kind if the word is one, else kName.
TokenKind keyword_kind(std::string_view word);
// Adds every keyword.
void list_keywords(std::vector<std::string_view>& names);
// Whether the kind is a keyword.
inline bool is_keyword(TokenKind kind) { return kind >= TokenKind::kFalse; }

}  // namespace strider::syntax
