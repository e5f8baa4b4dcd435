// Text to tokens: names, strings, operators, brackets; see lexer_lines.cpp, lexer_numbers.cpp.
#include "interpreter/syntax/lexer/lexer.h"

#include <algorithm>

#include "interpreter/syntax/lexer/lexer_state.h"
#include "interpreter/syntax/lexer/string_scanner.h"
#include "interpreter/syntax/names.h"
#include "interpreter/syntax/utf8.h"

namespace strider::syntax {

namespace {

constexpr size_t kMaxBrackets = 200;

bool is_name_start(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

bool is_string_prefix(std::string_view word) {
  if (word.size() == 1) return std::string_view("rRbBuUfF").find(word[0]) != word.npos;
  if (word.size() != 2) return false;
  char first = static_cast<char>(word[0] | 0x20);
  char second = static_cast<char>(word[1] | 0x20);
  if (first == 'r') return second == 'b' || second == 'f';
  return second == 'r' && (first == 'b' || first == 'f');
}

char closing_bracket(char open) {
  if (open == '(') return ')';
  return open == '[' ? ']' : '}';
}

bool is_printable(char32_t code) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range kHidden[] = {
      {0x0, 0x1F},      {0x7F, 0xA0},     {0xAD, 0xAD},     {0x1680, 0x1680},
      {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000},
      {0xE000, 0xF8FF}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0x10FFFF},
  };
  for (Range range : kHidden) {
    if (code >= range.first && code <= range.last) return false;
  }
  return true;
}

std::string code_point_name(char32_t code) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string hex;
  for (; code != 0 || hex.size() < 4; code >>= 4) hex.insert(hex.begin(), kDigits[code & 0xF]);
  return "U+" + hex;
}

}  // namespace

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool is_name_byte(char byte) {
  return is_name_start(byte) || is_digit(byte) || static_cast<unsigned char>(byte) >= 0x80;
}

TokenList tokenize(const Source& source, Span range, LexMode mode) {
  return Lexer(source, range, mode).run();
}

Lexer::Lexer(const Source& source, Span range, LexMode mode)
    : source_(source),
      text_(source.text()),
      position_(range.begin),
      end_(range.end),
      mode_(mode),
      at_line_start_(mode == LexMode::kStatements),
      indentations_{{0, 0}} {}

TokenList Lexer::run() {
  list_.tokens.reserve((end_ - position_) / 4 + 16);
  try {
    lex_all();
  } catch (const SyntaxError& error) {
    list_.error = error;
    list_.tokens.push_back({TokenKind::kError, error.span()});
    list_.tokens.push_back({TokenKind::kEndMarker, {end_, end_}});
  }
  return std::move(list_);
}

void Lexer::fail(const std::string& message, Span span, ErrorClass error_class,
                 bool incomplete) const {
  throw SyntaxError(message, span, error_class, incomplete);
}

bool Lexer::take(char wanted) {
  if (peek() != wanted || at_end()) return false;
  ++position_;
  return true;
}

void Lexer::lex_all() {
  while (true) {
    if (at_line_start_) lex_indentation();
    while (peek() == ' ' || peek() == '\t' || peek() == '\f') ++position_;
    if (peek() == '#') {
      while (!at_line_end()) ++position_;
    }
    if (at_end()) break;
    lex_token();
  }
  finish();
}

void Lexer::lex_token() {
  char byte = peek();
  if (is_name_start(byte)) return lex_name();
  if (is_digit(byte) || (byte == '.' && is_digit(peek(1)))) return lex_number();
  if (byte == '"' || byte == '\'') return lex_string(position_);
  if (byte == '\n' || byte == '\r') return lex_newline();
  if (byte == '\\') return lex_backslash();
  if (static_cast<unsigned char>(byte) >= 0x80) return lex_name();
  lex_operator();
}

void Lexer::finish() {
  if (!brackets_.empty()) {
    uint32_t open = brackets_.back().offset;
    list_.unclosed_bracket = true;
    fail(std::string("'") + text_[open] + "' was never closed", {open, open + 1},
         ErrorClass::kSyntaxError, true);
  }
  if (mode_ == LexMode::kStatements) {
    bool open_line = !list_.tokens.empty() && list_.tokens.back().kind != TokenKind::kNewline &&
                     list_.tokens.back().kind != TokenKind::kDedent;
    if (open_line) add(TokenKind::kNewline, position_);
    for (size_t i = 1; i < indentations_.size(); ++i) add(TokenKind::kDedent, position_);
  }
  add(TokenKind::kEndMarker, position_);
}

void Lexer::lex_name() {
  uint32_t begin = position_;
  if (!scan_identifier()) lex_strange_character();
  std::string_view word = text_.substr(begin, position_ - begin);
  bool quoted = peek() == '"' || peek() == '\'';
  if (quoted && is_string_prefix(word)) return lex_string(begin);
  add(keyword_kind(word), begin);
}

// Moves behind an identifier; false, at the offending character, where one cannot stand in a name.
bool Lexer::scan_identifier() {
  uint32_t begin = position_;
  while (is_name_byte(peek())) {
    if (static_cast<unsigned char>(peek()) < 0x80) {
      ++position_;
      continue;
    }
    DecodedCharacter next = decode_character(text_, position_);
    bool fits = position_ == begin ? starts_identifier(next.code) : continues_identifier(next.code);
    if (!fits && !(source_.is_retold() && is_stand_in(next.code))) return false;
    position_ += next.size;
  }
  return true;
}

void Lexer::lex_strange_character() {
  DecodedCharacter bad = decode_character(text_, position_);
  Span span{position_, position_ + bad.size};
  if (!is_printable(bad.code)) {
    fail("invalid non-printable character " + code_point_name(bad.code), span);
  }
  std::string shown(text_.substr(position_, bad.size));
  fail("invalid character '" + shown + "' (" + code_point_name(bad.code) + ")", span);
}

// The prefix from `begin` on is read already; the quote comes next.
void Lexer::lex_string(uint32_t begin) {
  char quote = peek();
  std::string_view prefix = text_.substr(begin, position_ - begin);
  if (source_.is_retold() && prefix.find_first_of("fF") != prefix.npos) {
    position_ = std::min(skip_formatted_string(text_, {position_, end_}), end_);
    return add(TokenKind::kString, begin);
  }
  if (peek(1) == quote && peek(2) == quote) {
    position_ += 3;
    lex_long_string(begin, quote);
  } else {
    ++position_;
    lex_short_string(begin, quote);
  }
  add(TokenKind::kString, begin);
}

void Lexer::lex_short_string(uint32_t begin, char quote) {
  while (!at_line_end()) {
    char byte = text_[position_++];
    if (byte == quote) return;
    if (byte != '\\') continue;
    if (at_end()) break;
    if (peek() == '\r' && peek(1) == '\n') ++position_;
    ++position_;
  }
  int line = source_.line_of(position_ == begin ? begin : position_ - 1);
  fail("unterminated string literal (detected at line " + std::to_string(line) + ")",
       {begin, begin + 1});
}

void Lexer::lex_long_string(uint32_t begin, char quote) {
  while (!at_end()) {
    char byte = text_[position_++];
    if (byte == '\\' && !at_end()) {
      ++position_;
    } else if (byte == quote && peek() == quote && peek(1) == quote) {
      position_ += 2;
      return;
    }
  }
  int line = source_.line_of(end_ > begin ? end_ - 1 : end_);
  fail("unterminated triple-quoted string literal (detected at line " + std::to_string(line) + ")",
       {begin, begin + 1}, ErrorClass::kSyntaxError, true);
}

void Lexer::lex_operator() {
  uint32_t begin = position_;
  char byte = peek();
  if (byte == '(' || byte == '[' || byte == '{') open_bracket();
  if (byte == ')' || byte == ']' || byte == '}') close_bracket();
  TokenKind kind = scan_operator();
  add(kind, begin);
}

void Lexer::open_bracket() {
  if (brackets_.size() >= kMaxBrackets) {
    fail("too many nested parentheses", {position_, position_ + 1});
  }
  brackets_.push_back({peek(), position_});
}

void Lexer::close_bracket() {
  char byte = peek();
  Span span{position_, position_ + 1};
  if (brackets_.empty()) fail(std::string("unmatched '") + byte + "'", span);
  Bracket open = brackets_.back();
  if (closing_bracket(open.open) != byte) {
    std::string message = std::string("closing parenthesis '") + byte +
                          "' does not match opening parenthesis '" + open.open + "'";
    int line = source_.line_of(open.offset);
    if (line != source_.line_of(position_)) message += " on line " + std::to_string(line);
    fail(message, span);
  }
  brackets_.pop_back();
}

TokenKind Lexer::choose(char next, TokenKind longer, TokenKind shorter) {
  return take(next) ? longer : shorter;
}

TokenKind Lexer::scan_operator() {
  using enum TokenKind;
  char byte = text_[position_++];
  switch (byte) {
    case '(':
      return kLeftParenthesis;
    case ')':
      return kRightParenthesis;
    case '[':
      return kLeftBracket;
    case ']':
      return kRightBracket;
    case '{':
      return kLeftBrace;
    case '}':
      return kRightBrace;
    case ',':
      return kComma;
    case ';':
      return kSemicolon;
    case '~':
      return kTilde;
    case ':':
      return choose('=', kWalrus, kColon);
    case '=':
      return choose('=', kEqual, kAssign);
    case '!':
      return choose('=', kNotEqual, kExclamation);
    case '+':
      return choose('=', kAddAssign, kPlus);
    case '%':
      return choose('=', kModAssign, kPercent);
    case '@':
      return choose('=', kMatMultAssign, kAt);
    case '&':
      return choose('=', kBitAndAssign, kAmpersand);
    case '|':
      return choose('=', kBitOrAssign, kBar);
    case '^':
      return choose('=', kBitXorAssign, kCaret);
    case '-':
      return take('>') ? kArrow : choose('=', kSubAssign, kMinus);
    case '*':
      if (take('*')) return choose('=', kPowAssign, kDoubleStar);
      return choose('=', kMultAssign, kStar);
    case '/':
      if (take('/')) return choose('=', kFloorDivAssign, kDoubleSlash);
      return choose('=', kDivAssign, kSlash);
    case '<':
      if (take('<')) return choose('=', kLShiftAssign, kLeftShift);
      return choose('=', kLessEqual, kLess);
    case '>':
      if (take('>')) return choose('=', kRShiftAssign, kRightShift);
      return choose('=', kGreaterEqual, kGreater);
    case '.':
      if (peek() == '.' && peek(1) == '.') {
        position_ += 2;
        return kEllipsis;
      }
      return kDot;
    case '$':
    case '?':
    case '`':
      return kExclamation;  // fits no rule, so the parser reports it
    default:
      --position_;
      lex_strange_character();
      return kError;
  }
}

}  // namespace strider::syntax
