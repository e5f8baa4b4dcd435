// Adjacent string literals, and f-strings: literal pieces and replacement fields.
#include <string>

#include "interpreter/syntax/lexer/string_scanner.h"
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

namespace {

constexpr int kMaxFormatLevel = 2;

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\n\r\f") == text.npos; }

bool is_space(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\f';
}

}  // namespace

// Swaps the token stream for that of an embedded expression, and back when it goes.
class Parser::Embedding {
 public:
  Embedding(Parser& parser, Span range)
      : parser_(parser),
        tokens_(std::move(parser.tokens_)),
        lexed_(std::move(parser.lexed_)),
        mark_(parser.mark()) {
    parser.lexed_ = tokenize(*parser.tree_.source, range, LexMode::kExpression);
    parser.tokens_ = std::move(parser.lexed_.tokens);
    parser.index_ = 0;
    parser.previous_end_ = range.begin;
    parser.bracket_depth_ = 1;
    ++parser.formatted_depth_;
  }
  ~Embedding() {
    parser_.tokens_ = std::move(tokens_);
    parser_.lexed_ = std::move(lexed_);
    parser_.rewind(mark_);
    --parser_.formatted_depth_;
  }
  Embedding(const Embedding&) = delete;
  Embedding& operator=(const Embedding&) = delete;

 private:
  Parser& parser_;
  std::vector<Token> tokens_;
  TokenList lexed_;
  Mark mark_;
};

Expr* Parser::parse_strings() {
  uint32_t start = begin();
  std::string_view source = tree_.source->text();
  JoinedPieces pieces;
  bool bytes = split_string(source, token().span).bytes;
  bool single = token(1).kind != TokenKind::kString;
  while (at(TokenKind::kString)) {
    Span place = token().span;
    StringParts parts = split_string(source, place);
    if (parts.bytes != bytes) fail("cannot mix bytes and nonbytes literals", place);
    advance();
    if (parts.formatted) {
      parse_formatted(pieces, parts, place);
      continue;
    }
    std::string_view body = text(parts.body);
    bool plain = body.find_first_of(bytes ? "\\\r\x80" : "\\\r") == body.npos && !bytes;
    if (plain && single) return make_string(from(start), body);
    append_string(pieces.literal, body, parts, place);
  }
  if (pieces.formatted) return finish_joined(pieces, from(start));
  auto* constant = make_string(from(start), tree_.arena.copy_text(pieces.literal));
  if (bytes) constant->value.type = ConstantType::kBytes;
  return constant;
}

Constant* Parser::make_string(Span span, std::string_view value) {
  auto* constant = make_at<Constant>(span);
  constant->value.type = ConstantType::kStr;
  constant->value.text = value;
  return constant;
}

void Parser::parse_formatted(JoinedPieces& pieces, const StringParts& parts, Span token) {
  Nesting nesting(*this);
  pieces.formatted = true;
  parse_format_pieces(pieces, parts, parts.body, token, 0);
}

// Where what is wrong with an f-string itself is shown: at what follows the texts side by side.
Span Parser::behind_strings() const {
  size_t ahead = 0;
  while (token(ahead).kind == TokenKind::kString) ++ahead;
  Span next = token(ahead).span;
  bool is_shown = token(ahead).kind != TokenKind::kNewline;
  return is_shown ? next : Span{next.begin, next.begin};
}

// Bytes of the backslash and what belongs to it; braces do not, but for those of \\N{...}.
uint32_t Parser::escape_width(Span rest) const {
  std::string_view tail = text(rest);
  if (tail.size() < 2 || tail[1] == '{' || tail[1] == '}') return 1;
  size_t close = tail.starts_with("\\N{") ? tail.find('}') : tail.npos;
  return close == tail.npos ? 2 : static_cast<uint32_t>(close + 1);
}

// Reads literal text and fields. Level 0 is the string, which ends with the range; deeper levels
// are formats, which end at '}'. Gives back where it stopped.
uint32_t Parser::parse_format_pieces(JoinedPieces& pieces, const StringParts& parts, Span range,
                                     Span token, int level) {
  std::string_view source = tree_.source->text();
  uint32_t position = range.begin;
  uint32_t literal_begin = position;
  auto take_literal = [&](uint32_t end) {
    append_string(pieces.literal, text({literal_begin, end}), parts, token);
  };
  while (position < range.end) {
    char byte = source[position];
    char next = position + 1 < range.end ? source[position + 1] : '\0';
    if (byte == '\\' && !parts.raw) {
      position += escape_width({position, range.end});
    } else if (byte != '{' && byte != '}') {
      ++position;
    } else if (level == 0 && next == byte) {
      take_literal(position + 1);
      position += 2;
      literal_begin = position;
    } else if (byte == '}') {
      if (level > 0) break;
      throw SyntaxError("f-string: single '}' is not allowed", behind_strings());
    } else {
      take_literal(position);
      position = parse_replacement(pieces, parts, {position, range.end}, token, level);
      literal_begin = position;
    }
  }
  take_literal(position);
  return position;
}

// Reads the field whose '{' is at `range.begin`; gives back the place behind its '}'.
uint32_t Parser::parse_replacement(JoinedPieces& pieces, const StringParts& parts, Span range,
                                   Span token, int level) {
  std::string_view source = tree_.source->text();
  if (level >= kMaxFormatLevel)
    throw SyntaxError("f-string: expressions nested too deeply", behind_strings());
  Span inner{range.begin + 1, range.end};
  FieldRules rules = tree_.source->is_retold() ? FieldRules::kOfTrees : FieldRules::kOfPrograms;
  ReplacementScan scan = scan_replacement(source, inner, rules);
  if (!scan.error.empty()) throw SyntaxError(scan.error, behind_strings());
  uint32_t position = scan.end;
  Expr* value = parse_embedded({inner.begin, position});
  bool debug = source[position] == '=';
  if (debug) {
    do {
      ++position;
    } while (position < range.end && is_space(source[position]));
    pieces.literal += text({inner.begin, position});
  }
  int conversion = read_conversion(position, range);
  Expr* spec = nullptr;
  if (position < range.end && source[position] == ':') {
    ++position;
    spec = parse_format_spec(position, parts, range, token, level);
  }
  if (position >= range.end || source[position] != '}')
    throw SyntaxError("f-string: expecting '}'", behind_strings());
  ++position;
  flush_literal(pieces, token);
  auto* field = make_at<FormattedValue>({range.begin, position});
  field->value = value;
  field->conversion = debug && !spec && conversion < 0 ? 'r' : conversion;
  field->format_spec = spec;
  pieces.values.push(field);
  return position;
}

// Parses an expression inside an f-string as if it stood in parentheses.
Expr* Parser::parse_embedded(Span range) {
  if (is_blank(text(range))) {
    char next = tree_.source->text()[range.end];
    std::string message = next == '}'
                              ? std::string("f-string: empty expression not allowed")
                              : std::string("f-string: expression required before '") + next + "'";
    throw SyntaxError(message, behind_strings());
  }
  Embedding embedding(*this, range);
  return parse_group_content(range.begin, TokenKind::kEndMarker);
}

// Reads `!r` and the like at `position`; -1 where there is none.
int Parser::read_conversion(uint32_t& position, Span range) const {
  std::string_view source = tree_.source->text();
  if (position >= range.end || source[position] != '!') return -1;
  ++position;
  if (position >= range.end) throw SyntaxError("f-string: expecting '}'", behind_strings());
  char letter = source[position];
  if (letter != 's' && letter != 'r' && letter != 'a') {
    throw SyntaxError("f-string: invalid conversion character: expected 's', 'r', or 'a'",
                      behind_strings());
  }
  ++position;
  return letter;
}

Expr* Parser::parse_format_spec(uint32_t& position, const StringParts& parts, Span range,
                                Span token, int level) {
  uint32_t start = position;
  JoinedPieces pieces;
  position = parse_format_pieces(pieces, parts, {position, range.end}, token, level + 1);
  return finish_joined(pieces, {start, position});
}

void Parser::flush_literal(JoinedPieces& pieces, Span token) {
  if (pieces.literal.empty()) return;
  pieces.values.push(make_string(token, tree_.arena.copy_text(pieces.literal)));
  pieces.literal.clear();
}

Expr* Parser::finish_joined(JoinedPieces& pieces, Span span) {
  flush_literal(pieces, span);
  auto* joined = make_at<JoinedStr>(span);
  joined->values = finish(pieces.values);
  return joined;
}

}  // namespace strider::syntax
