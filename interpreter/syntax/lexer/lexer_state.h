// The lexer's own state, shared by its translation units.
#pragma once

#include <string>
#include <vector>

#include "interpreter/syntax/lexer/lexer.h"

namespace strider::syntax {

class Lexer {
 public:
  Lexer(const Source& source, Span range, LexMode mode);
  TokenList run();

 private:
  struct Bracket {
    char open;
    uint32_t offset;
  };
  struct Indentation {
    int column;         // with tabs to multiples of eight
    int narrow_column;  // with tabs one wide
  };

  char peek(uint32_t ahead = 0) const {
    return position_ + ahead < end_ ? text_[position_ + ahead] : '\0';
  }
  bool at_end() const { return position_ >= end_; }
  bool at_line_end() const { return at_end() || peek() == '\n' || peek() == '\r'; }
  bool take(char wanted);
  void add(TokenKind kind, uint32_t begin) { list_.tokens.push_back({kind, {begin, position_}}); }
  [[noreturn]] void fail(const std::string& message, Span span,
                         ErrorClass error_class = ErrorClass::kSyntaxError,
                         bool incomplete = false) const;

  void lex_all();
  void lex_token();
  void finish();
  void skip_newline();
  void lex_newline();
  void lex_backslash();
  void continue_line();
  Indentation measure_indentation();
  void lex_indentation();
  void indent_to(Indentation wanted);
  void dedent_to(Indentation wanted);
  void lex_name();
  bool scan_identifier();
  void lex_strange_character();
  void lex_string(uint32_t begin);
  void lex_short_string(uint32_t begin, char quote);
  void lex_long_string(uint32_t begin, char quote);
  void lex_operator();
  TokenKind scan_operator();
  TokenKind choose(char next, TokenKind longer, TokenKind shorter);
  void open_bracket();
  void close_bracket();

  // Numbers (lexer_numbers.cpp).
  void lex_number();
  void scan_radix_number(char radix);
  void scan_leading_zero();
  void scan_digits();
  void scan_fraction_and_exponent();
  bool scan_exponent();
  void check_number_end(const char* kind);

  const Source& source_;
  std::string_view text_;
  uint32_t position_;
  uint32_t end_;
  LexMode mode_;
  bool at_line_start_;
  std::vector<Bracket> brackets_;
  std::vector<Indentation> indentations_;
  TokenList list_;
};

bool is_digit(char byte);
bool is_name_byte(char byte);

}  // namespace strider::syntax
