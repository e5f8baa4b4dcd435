// The match statement and its patterns.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

using PatternBuilder = SequenceBuilder<Pattern*>;

// Whether the line is `match ...:` with a block of cases below; `match` is a plain name elsewhere.
bool Parser::at_match_statement() const {
  if (!at_word("match")) return false;
  TokenKind next = token(1).kind;
  if (!starts_expression(next) && next != TokenKind::kStar) return false;
  size_t line_end = index_;
  while (tokens_[line_end].kind != TokenKind::kNewline) {
    if (tokens_[line_end].kind == TokenKind::kEndMarker) return false;
    ++line_end;
  }
  if (tokens_[line_end - 1].kind == TokenKind::kColon) {
    bool cases_follow = tokens_[line_end + 1].kind == TokenKind::kIndent &&
                        text(tokens_[line_end + 2].span) == "case";
    bool nothing_follows = tokens_[line_end + 1].kind != TokenKind::kIndent;
    return cases_follow || nothing_follows;
  }
  return tokens_[line_end + 1].kind == TokenKind::kIndent &&
         text(tokens_[line_end + 2].span) == "case";
}

Stmt* Parser::parse_match() {
  uint32_t start = begin();
  advance();
  uint32_t subject_begin = begin();
  Expr* subject = parse_star_named_expression();
  bool comma = at(TokenKind::kComma);
  subject = parse_tuple_tail(subject_begin, subject, &Parser::parse_star_named_expression);
  if (subject->kind == Kind::kStarred && !comma) fail_invalid_syntax();
  expect_block_colon();
  expect(TokenKind::kNewline);
  if (!take(TokenKind::kIndent)) {
    if (at(TokenKind::kError)) fail_invalid_syntax();
    fail_indentation("expected an indented block after 'match' statement on line " +
                         std::to_string(line_of(start)),
                     token().span, token().span.begin >= tree_.source->text().size());
  }
  SequenceBuilder<MatchCase*> cases;
  while (at_word("case")) cases.push(parse_case());
  expect(TokenKind::kDedent);
  auto* statement = make<Match>(start);
  statement->subject = subject;
  statement->cases = finish(cases);
  return statement;
}

MatchCase* Parser::parse_case() {
  uint32_t start = begin();
  advance();
  Pattern* pattern = parse_top_pattern();
  Expr* guard = take(TokenKind::kIf) ? parse_named_expression() : nullptr;
  expect_block_colon();
  Body body = parse_block({"'case' statement", start});
  auto* branch = make<MatchCase>(start);
  branch->pattern = pattern;
  branch->guard = guard;
  branch->body = body;
  return branch;
}

// A pattern, or several without brackets: a sequence.
Pattern* Parser::parse_top_pattern() {
  uint32_t start = begin();
  Pattern* first = parse_sequence_element();
  if (!at(TokenKind::kComma)) {
    if (first->kind == Kind::kMatchStar) fail_invalid_syntax();
    return first;
  }
  PatternBuilder patterns;
  patterns.push(first);
  while (take(TokenKind::kComma) && !at(TokenKind::kColon) && !at(TokenKind::kIf)) {
    patterns.push(parse_sequence_element());
  }
  auto* sequence = make<MatchSequence>(start);
  sequence->patterns = finish(patterns);
  return sequence;
}

Pattern* Parser::parse_sequence_element() {
  return at(TokenKind::kStar) ? parse_star_pattern() : parse_pattern();
}

Pattern* Parser::parse_star_pattern() {
  uint32_t start = begin();
  advance();
  Identifier name = take_name();
  auto* star = make<MatchStar>(start);
  star->name = name == "_" ? Identifier{} : name;
  return star;
}

Pattern* Parser::parse_pattern() {
  Nesting nesting(*this);
  uint32_t start = begin();
  Pattern* inner = parse_or_pattern();
  if (!take(TokenKind::kAs)) return inner;
  if (at_word("_")) fail("cannot use '_' as a target", token().span);
  if (!at(TokenKind::kName) || token(1).kind == TokenKind::kDot ||
      token(1).kind == TokenKind::kLeftParenthesis) {
    fail("invalid pattern target", token().span);
  }
  Identifier name = take_name();
  auto* as = make<MatchAs>(start);
  as->pattern = inner;
  as->name = name;
  return as;
}

Pattern* Parser::parse_or_pattern() {
  uint32_t start = begin();
  Pattern* first = parse_closed_pattern();
  if (!at(TokenKind::kBar)) return first;
  PatternBuilder patterns;
  patterns.push(first);
  while (take(TokenKind::kBar)) patterns.push(parse_closed_pattern());
  auto* either = make<MatchOr>(start);
  either->patterns = finish(patterns);
  return either;
}

Pattern* Parser::parse_closed_pattern() {
  switch (kind()) {
    case TokenKind::kName:
      return parse_name_pattern();
    case TokenKind::kLeftParenthesis:
      return parse_bracket_pattern(TokenKind::kRightParenthesis);
    case TokenKind::kLeftBracket:
      return parse_bracket_pattern(TokenKind::kRightBracket);
    case TokenKind::kLeftBrace:
      return parse_mapping_pattern();
    default:
      return parse_literal_pattern();
  }
}

// A capture, the wildcard, a dotted value, or a class pattern.
Pattern* Parser::parse_name_pattern() {
  uint32_t start = begin();
  bool dotted = token(1).kind == TokenKind::kDot;
  bool call = token(1).kind == TokenKind::kLeftParenthesis;
  if (!dotted && !call) {
    Identifier name = take_name();
    auto* capture = make<MatchAs>(start);
    capture->pattern = nullptr;
    capture->name = name == "_" ? Identifier{} : name;
    return capture;
  }
  Expr* value = parse_dotted_value();
  if (at(TokenKind::kLeftParenthesis)) return parse_class_pattern(start, value);
  auto* pattern = make<MatchValue>(start);
  pattern->value = value;
  return pattern;
}

Expr* Parser::parse_dotted_value() {
  uint32_t start = begin();
  Identifier id = take_name();
  auto* name = make<Name>(start);
  name->id = id;
  Expr* value = name;
  while (at(TokenKind::kDot)) value = parse_attribute(start, value);
  return value;
}

Pattern* Parser::parse_literal_pattern() {
  uint32_t start = begin();
  bool singleton = at(TokenKind::kNone) || at(TokenKind::kTrue) || at(TokenKind::kFalse);
  if (singleton) {
    Expr* constant = parse_atom();
    auto* pattern = make<MatchSingleton>(start);
    pattern->value = node_as<Constant>(constant)->value;
    return pattern;
  }
  Expr* value = at(TokenKind::kString) ? parse_strings() : parse_pattern_number();
  if (value->kind == Kind::kJoinedStr) {
    fail("patterns may only match literals and attribute lookups", value->span);
  }
  auto* pattern = make<MatchValue>(start);
  pattern->value = value;
  return pattern;
}

Expr* Parser::parse_signed_number() {
  uint32_t start = begin();
  bool negative = take(TokenKind::kMinus);
  if (!at(TokenKind::kNumber)) fail_invalid_syntax();
  Expr* number = parse_number();
  if (!negative) return number;
  auto* node = make<UnaryOp>(start);
  node->op = UnaryOperator::kUSub;
  node->operand = number;
  return node;
}

// A number, or `real + imaginary`.
Expr* Parser::parse_pattern_number() {
  uint32_t start = begin();
  Expr* real = parse_signed_number();
  bool plus = at(TokenKind::kPlus);
  if (!plus && !at(TokenKind::kMinus)) return real;
  auto is_imaginary = [](Expr* number) {
    if (auto* unary = node_if<UnaryOp>(number)) number = unary->operand;
    return node_as<Constant>(number)->value.type == ConstantType::kComplex;
  };
  if (is_imaginary(real)) fail("real number required in complex literal", real->span);
  Span op_span = token().span;
  advance();
  if (!at(TokenKind::kNumber)) fail_invalid_syntax();
  Expr* imaginary = parse_number();
  if (!is_imaginary(imaginary)) {
    fail("imaginary number required in complex literal", imaginary->span);
  }
  auto* node = make<BinOp>(start);
  node->left = real;
  node->op = plus ? BinaryOperator::kAdd : BinaryOperator::kSub;
  node->right = imaginary;
  node->op_span = op_span;
  return node;
}

// `[...]`, `(...)`: a sequence; one pattern in parentheses without a comma is a group.
Pattern* Parser::parse_bracket_pattern(TokenKind closing) {
  uint32_t start = begin();
  open_bracket(kind());
  PatternBuilder patterns;
  bool comma = false;
  while (!at(closing)) {
    patterns.push(parse_sequence_element());
    if (!take(TokenKind::kComma)) break;
    comma = true;
  }
  close_bracket(closing);
  bool group = closing == TokenKind::kRightParenthesis && patterns.size() == 1 && !comma &&
               patterns[0]->kind != Kind::kMatchStar;
  if (group) return patterns[0];
  auto* sequence = make<MatchSequence>(start);
  sequence->patterns = finish(patterns);
  return sequence;
}

Expr* Parser::parse_mapping_key() {
  switch (kind()) {
    case TokenKind::kNone:
    case TokenKind::kTrue:
    case TokenKind::kFalse:
      return parse_atom();
    case TokenKind::kString: {
      Expr* key = parse_strings();
      if (key->kind == Kind::kJoinedStr) {
        fail("mapping pattern keys may only match literals and attribute lookups", key->span);
      }
      return key;
    }
    case TokenKind::kName:
      if (token(1).kind != TokenKind::kDot) fail_invalid_syntax();
      return parse_dotted_value();
    default:
      return parse_pattern_number();
  }
}

Pattern* Parser::parse_mapping_pattern() {
  uint32_t start = begin();
  open_bracket(TokenKind::kLeftBrace);
  ExprBuilder keys;
  PatternBuilder patterns;
  Identifier rest;
  while (!at(TokenKind::kRightBrace)) {
    if (take(TokenKind::kDoubleStar)) {
      if (at_word("_")) fail_invalid_syntax();
      rest = take_name();
      take(TokenKind::kComma);
      break;
    }
    keys.push(parse_mapping_key());
    expect(TokenKind::kColon);
    patterns.push(parse_pattern());
    if (!take(TokenKind::kComma)) break;
  }
  close_bracket(TokenKind::kRightBrace);
  auto* mapping = make<MatchMapping>(start);
  mapping->keys = finish(keys);
  mapping->patterns = finish(patterns);
  mapping->rest = rest;
  return mapping;
}

Pattern* Parser::parse_class_pattern(uint32_t begin, Expr* cls) {
  open_bracket(TokenKind::kLeftParenthesis);
  PatternBuilder patterns, keyword_patterns;
  SequenceBuilder<Identifier, 4> keyword_names;
  while (!at(TokenKind::kRightParenthesis)) {
    bool named = at(TokenKind::kName) && token(1).kind == TokenKind::kAssign;
    if (named) {
      keyword_names.push(take_name());
      advance();
      keyword_patterns.push(parse_pattern());
    } else {
      uint32_t start = this->begin();
      patterns.push(parse_pattern());
      if (!keyword_names.empty()) {
        fail("positional patterns follow keyword patterns", from(start));
      }
    }
    if (!take(TokenKind::kComma)) break;
  }
  close_bracket(TokenKind::kRightParenthesis);
  auto* pattern = make<MatchClass>(begin);
  pattern->cls = cls;
  pattern->patterns = finish(patterns);
  pattern->kwd_attrs = finish(keyword_names);
  pattern->kwd_patterns = finish(keyword_patterns);
  return pattern;
}

}  // namespace strider::syntax
