// What looks like a mistake although it is no wrong syntax: SyntaxWarning.
#include "interpreter/evaluator/lowering/lowering.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/syntax_error.h"

namespace strider::lang {

using syntax::ConstantType;
using syntax::Kind;

namespace {

const char* type_of_constant(ConstantType type) {
  switch (type) {
    case ConstantType::kNone:
      return "NoneType";
    case ConstantType::kFalse:
    case ConstantType::kTrue:
      return "bool";
    case ConstantType::kEllipsis:
      return "ellipsis";
    case ConstantType::kInt:
    case ConstantType::kBigInt:
      return "int";
    case ConstantType::kFloat:
      return "float";
    case ConstantType::kComplex:
      return "complex";
    case ConstantType::kStr:
      return "str";
    case ConstantType::kBytes:
      return "bytes";
  }
  return nullptr;
}

// The name of the type that an expression has without being evaluated; null if it shows none.
const char* type_shown(const syntax::Expr* node) {
  switch (node->kind) {
    case Kind::kConstant:
      return type_of_constant(node_as<syntax::Constant>(node)->value.type);
    case Kind::kTuple:
      return "tuple";
    case Kind::kList:
    case Kind::kListComp:
      return "list";
    case Kind::kDict:
    case Kind::kDictComp:
      return "dict";
    case Kind::kSet:
    case Kind::kSetComp:
      return "set";
    case Kind::kGeneratorExp:
      return "generator";
    case Kind::kLambda:
      return "function";
    case Kind::kJoinedStr:
    case Kind::kFormattedValue:
      return "str";
    default:
      return nullptr;
  }
}

// What errors call a number that is written so; null for what is none.
const char* kind_of_number(std::string_view literal) {
  bool begins = !literal.empty() && (literal[0] == '.' || (literal[0] >= '0' && literal[0] <= '9'));
  if (!begins || literal == "...") return nullptr;
  if ((literal.back() | 0x20) == 'j') return "imaginary";
  char radix = literal.size() > 1 ? static_cast<char>(literal[1] | 0x20) : '\0';
  if (literal[0] != '0') return "decimal";
  return radix == 'x'   ? "hexadecimal"
         : radix == 'o' ? "octal"
         : radix == 'b' ? "binary"
                        : "decimal";
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::count(names, name) > 0;
}

// Whether `is` compares a value that need not be the same object: a number, a text, a tuple of
// them.
bool is_literal(const syntax::Expr* node) {
  if (auto* tuple = node_if<syntax::Tuple>(node)) {
    for (const syntax::Expr* each : tuple->elts)
      if (each->kind != Kind::kConstant && !is_literal(each)) return false;
    return true;
  }
  auto* constant = node_if<syntax::Constant>(node);
  return constant && is_one_of(type_of_constant(constant->value.type),
                               {"int", "float", "complex", "str", "bytes"});
}

}  // namespace

void Lowering::warn(Span span, const std::string& message) const {
  Value function = get_attribute(import_module("warnings"), intern("warn_explicit"));
  Ref<Exception> failure;
  try {
    lang::call(function, Value(make_str(message)), Value(&errors::SyntaxWarning()),
               Value(make_str(source_->file_name())), Value::integer(source_->line_of(span.begin)));
    return;
  } catch (const Raised& raised) {
    if (raised.exception->type() != &errors::SyntaxWarning()) throw;
    failure = make_syntax_error(errors::SyntaxError(), message, *source_, span);
  }
  throw Raised{failure};
}

void Lowering::check_call(const syntax::Call* node) const {
  const char* type = type_shown(node->func);
  if (type && node->func->kind != Kind::kLambda)
    warn(node->span, fmt::format("'{}' object is not callable; perhaps you missed a comma?", type));
}

void Lowering::check_subscript(const syntax::Subscript* node) const {
  const char* type = type_shown(node->value);
  if (!type) return;
  if (is_one_of(type, {"NoneType", "bool", "ellipsis", "int", "float", "complex", "set",
                       "generator", "function"}))
    return warn(node->span,
                fmt::format("'{}' object is not subscriptable; perhaps you missed a comma?", type));
  const char* index = type_shown(node->slice);
  bool is_row = is_one_of(type, {"str", "bytes", "tuple", "list"});
  if (is_row && index && !is_one_of(index, {"int", "bool"}))
    warn(node->span,
         fmt::format("{} indices must be integers or slices, not {}; perhaps you missed a comma?",
                     type, index));
}

void Lowering::check_comparison(const syntax::Compare* node) const {
  const syntax::Expr* left = node->left;
  for (std::size_t i = 0; i < node->ops.size(); ++i) {
    const syntax::Expr* right = node->comparators[i];
    bool is = node->ops[i] == CompareOperator::kIs,
         is_not = node->ops[i] == CompareOperator::kIsNot;
    if ((is || is_not) && (is_literal(left) || is_literal(right)))
      warn(node->span, is ? "\"is\" with a literal. Did you mean \"==\"?"
                          : "\"is not\" with a literal. Did you mean \"!=\"?");
    left = right;
  }
}

// A number that a keyword follows without a blank.
void Lowering::check_end_of_number(const syntax::Constant* node) const {
  std::string_view text = source_->text();
  std::uint32_t end = node->span.end;
  if (end >= text.size() || text[end] < 'a' || text[end] > 'z') return;
  std::string_view literal = text.substr(node->span.begin, end - node->span.begin);
  if (const char* kind = kind_of_number(literal))
    warn({end - 1, end}, fmt::format("invalid {} literal", kind));
}

void Lowering::check_assertion(const syntax::Assert* node) const {
  auto* tuple = node_if<syntax::Tuple>(node->test);
  if (tuple && !tuple->elts.empty())
    warn(node->span, "assertion is always true, perhaps remove parentheses?");
}

}  // namespace strider::lang
