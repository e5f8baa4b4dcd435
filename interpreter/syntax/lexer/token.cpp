// Token names and the keyword lookup, from the table.
#include "interpreter/syntax/lexer/token.h"

namespace strider::syntax {

namespace {

constexpr std::string_view kTexts[] = {
#define STRIDER_TOKEN(name, description) description,
#define STRIDER_OPERATOR(name, text) text,
#define STRIDER_KEYWORD(name, text) text,
#include "interpreter/syntax/lexer/tokens.def"
};

constexpr size_t kFirstKeyword = static_cast<size_t>(TokenKind::kFalse);
constexpr size_t kLongestKeyword = 8;

}  // namespace

std::string_view token_text(TokenKind kind) { return kTexts[static_cast<size_t>(kind)]; }

TokenKind keyword_kind(std::string_view word) {
  if (word.size() < 2 || word.size() > kLongestKeyword) return TokenKind::kName;
  for (size_t i = kFirstKeyword; i < std::size(kTexts); ++i) {
    if (kTexts[i][0] == word[0] && kTexts[i] == word) return static_cast<TokenKind>(i);
  }
  return TokenKind::kName;
}

void list_keywords(std::vector<std::string_view>& names) {
  names.insert(names.end(), std::begin(kTexts) + kFirstKeyword, std::end(kTexts));
}

}  // namespace strider::syntax
