// What to say about broken source: the guesses behind "invalid syntax".
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

namespace {

const char* describe_constant(ConstantType type) {
  switch (type) {
    case ConstantType::kNone:
      return "None";
    case ConstantType::kFalse:
      return "False";
    case ConstantType::kTrue:
      return "True";
    case ConstantType::kEllipsis:
      return "ellipsis";
    default:
      return "literal";
  }
}

bool may_take_comparison_hint(const Expr* left) {
  switch (left->kind) {
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kGeneratorExp:
      return false;
    case Kind::kConstant: {
      ConstantType type = node_as<Constant>(left)->value.type;
      return type == ConstantType::kEllipsis || type >= ConstantType::kInt;
    }
    default:
      return true;
  }
}

// Whether the expression is one the grammar calls bitwise_or: no comparison, `not`, `and`, ...
bool binds_tighter_than_comparison(const Expr* node) {
  if (node->parenthesized) return true;
  if (const auto* unary = node_if<UnaryOp>(node)) return unary->op != UnaryOperator::kNot;
  return node->kind != Kind::kCompare && node->kind != Kind::kBoolOp &&
         node->kind != Kind::kIfExp && node->kind != Kind::kLambda;
}

}  // namespace

std::string describe_expression(const Expr* node) {
  switch (node->kind) {
    case Kind::kAttribute:
      return "attribute";
    case Kind::kSubscript:
      return "subscript";
    case Kind::kStarred:
      return "starred";
    case Kind::kName:
      return "name";
    case Kind::kList:
      return "list";
    case Kind::kTuple:
      return "tuple";
    case Kind::kLambda:
      return "lambda";
    case Kind::kCall:
      return "function call";
    case Kind::kBoolOp:
    case Kind::kBinOp:
    case Kind::kUnaryOp:
      return "expression";
    case Kind::kGeneratorExp:
      return "generator expression";
    case Kind::kYieldFrom:
      return node_as<YieldFrom>(node)->awaits ? "await expression" : "yield expression";
    case Kind::kYield:
      return "yield expression";
    case Kind::kListComp:
      return "list comprehension";
    case Kind::kSetComp:
      return "set comprehension";
    case Kind::kDictComp:
      return "dict comprehension";
    case Kind::kDict:
      return "dict literal";
    case Kind::kSet:
      return "set display";
    case Kind::kJoinedStr:
    case Kind::kFormattedValue:
      return "f-string expression";
    case Kind::kConstant:
      return describe_constant(node_as<Constant>(node)->value.type);
    case Kind::kCompare:
      return "comparison";
    case Kind::kIfExp:
      return "conditional expression";
    case Kind::kNamedExpr:
      return "named expression";
    default:
      return "expression";
  }
}

bool starts_expression(TokenKind kind) {
  using enum TokenKind;
  switch (kind) {
    case kName:
    case kNumber:
    case kString:
    case kLeftParenthesis:
    case kLeftBracket:
    case kLeftBrace:
    case kEllipsis:
    case kPlus:
    case kMinus:
    case kTilde:
    case kFalse:
    case kNone:
    case kTrue:
    case kLambda:
    case kNot:
    case kAwait:
      return true;
    default:
      return false;
  }
}

const char* SyntaxError::class_name() const {
  switch (error_class_) {
    case ErrorClass::kIndentationError:
      return "IndentationError";
    case ErrorClass::kTabError:
      return "TabError";
    default:
      return "SyntaxError";
  }
}

void Parser::fail(const std::string& message, Span span) {
  bool at_end = at(TokenKind::kEndMarker) || at(TokenKind::kDedent);
  bool incomplete = at_end && begin() >= tree_.source->text().size() && formatted_depth_ == 0;
  throw SyntaxError(formatted_depth_ > 0 ? "f-string: " + message : message, span,
                    ErrorClass::kSyntaxError, incomplete);
}

void Parser::fail_indentation(const std::string& message, Span span, bool incomplete) {
  throw SyntaxError(message, span, ErrorClass::kIndentationError, incomplete);
}

void Parser::fail_nesting() { fail("expression is nested too deeply", token().span); }

void Parser::fail_invalid_syntax() {
  Span here = token().span;
  if (trying_) throw SyntaxError("invalid syntax", here);
  if (at(TokenKind::kError)) {
    throw SyntaxError(lexed_.error->what(), lexed_.error->span(), lexed_.error->error_class(),
                      lexed_.error->incomplete() && formatted_depth_ == 0);
  }
  report_missing_comma();
  if (at(TokenKind::kIndent))
    fail_indentation("unexpected indent", {here.begin - 1, here.begin - 1}, false);
  if (at(TokenKind::kDedent)) fail_indentation("unexpected unindent", here, false);
  fail("invalid syntax", here);
}

// Runs a rule without moving on or reporting; whether it fits, and where it ended.
template <class Parse>
bool Parser::try_parse(Parse parse, uint32_t& end) {
  Mark start = mark();
  trying_ = true;
  bool fits = true;
  try {
    parse();
  } catch (const SyntaxError&) {
    fits = false;
  }
  trying_ = false;
  end = previous_end_;
  rewind(start);
  return fits;
}

// Inside brackets, two expressions in a row probably lack a comma.
void Parser::report_missing_comma() {
  bool adjacent = operand_ && operand_end_ == previous_end_ && starts_expression(kind());
  if (!adjacent || bracket_depth_ == 0) return;
  const auto* name = node_if<Name>(operand_);
  bool soft_keyword = name && (name->id == "match" || name->id == "case" || name->id == "_");
  if (soft_keyword || (name && at(TokenKind::kString))) return;
  uint32_t first = operand_begin_;
  uint32_t end = 0;
  bool parsed = try_parse([this] { parse_expression(); }, end);
  if (parsed) fail("invalid syntax. Perhaps you forgot a comma?", {first, end});
}

// `if x = 3:` and its like: an equals sign where an expression goes on.
void Parser::report_assignment_in_expression(Expr* left, uint32_t first) {
  if (trying_ || !binds_tighter_than_comparison(left) || !may_take_comparison_hint(left)) return;
  uint32_t end = 0;
  bool more = false;
  auto parse_right = [&] {
    advance();
    parse_binary(0);
    more = at(TokenKind::kAssign) || at(TokenKind::kWalrus);
  };
  bool parsed = try_parse(parse_right, end) && !more;
  if (!parsed) return;
  if (left->kind == Kind::kName) {
    fail("invalid syntax. Maybe you meant '==' or ':=' instead of '='?", {first, end});
  }
  fail("cannot assign to " + describe_expression(left) +
           " here. Maybe you meant '==' instead of '='?",
       left->span);
}

// `1 = x` at the start of a line.
void Parser::report_assignment_to_value(Expr* value, uint32_t first) {
  switch (value->kind) {
    case Kind::kName:
    case Kind::kAttribute:
    case Kind::kSubscript:
    case Kind::kTuple:
    case Kind::kList:
    case Kind::kStarred:
      return;
    default:
      report_assignment_in_expression(value, first);
  }
}

// `1: int`, or a statement's head written without its keyword.
void Parser::reject_annotation_of(const Expr* target) {
  uint32_t end = 0;
  auto parse_annotation = [this] {
    advance();
    parse_expression();
  };
  if (!try_parse(parse_annotation, end)) fail_invalid_syntax();
  fail("illegal target for annotation", target->span);
}

// `print x`: the statement of long ago.
void Parser::report_legacy_print() {
  bool legacy = at_word("print") || at_word("exec");
  if (!legacy || !starts_expression(token(1).kind)) return;
  if (token(1).kind == TokenKind::kLeftParenthesis || token(1).kind == TokenKind::kLeftBracket ||
      token(1).kind == TokenKind::kMinus || token(1).kind == TokenKind::kPlus) {
    return;
  }
  std::string name(text(token().span));
  uint32_t first = begin();
  uint32_t end = 0;
  auto parse_values = [this] {
    advance();
    parse_star_expressions();
  };
  bool parsed = try_parse(parse_values, end);
  if (parsed) {
    fail("Missing parentheses in call to '" + name + "'. Did you mean " + name + "(...)?",
         {first, end});
  }
}

// An error of the lexer further on usually explains better why the grammar did not fit.
SyntaxError Parser::prefer_lexer_error(const SyntaxError& error) const {
  if (!lexed_.error) return error;
  uint32_t lexer_place = lexed_.error->span().begin;
  bool hidden = lexed_.unclosed_bracket && line_of(begin()) <= line_of(lexer_place);
  return hidden ? error : *lexed_.error;
}

}  // namespace strider::syntax
