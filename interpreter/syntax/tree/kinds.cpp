// Names of node kinds and operators, from the table.
#include "interpreter/syntax/tree/kinds.h"

namespace strider::syntax {

std::string_view kind_name(Kind kind) {
  static constexpr std::string_view kNames[] = {
#define STRIDER_NODE(group, name, python_name, fields) python_name,
#include "interpreter/syntax/tree/ast.def"
  };
  return kNames[static_cast<size_t>(kind)];
}

std::string_view operator_name(BinaryOperator op) {
  static constexpr std::string_view kNames[] = {
#define STRIDER_BINARY(name, symbol, precedence) #name,
#include "interpreter/syntax/tree/ast.def"
  };
  return kNames[static_cast<size_t>(op)];
}

std::string_view operator_name(UnaryOperator op) {
  static constexpr std::string_view kNames[] = {
#define STRIDER_UNARY(name, symbol) #name,
#include "interpreter/syntax/tree/ast.def"
  };
  return kNames[static_cast<size_t>(op)];
}

std::string_view operator_name(CompareOperator op) {
  static constexpr std::string_view kNames[] = {
#define STRIDER_COMPARE(name, symbol) #name,
#include "interpreter/syntax/tree/ast.def"
  };
  return kNames[static_cast<size_t>(op)];
}

std::string_view operator_name(BoolOperator op) { return op == BoolOperator::kAnd ? "And" : "Or"; }

std::string_view operator_symbol(BinaryOperator op) {
  static constexpr std::string_view kSymbols[] = {
#define STRIDER_BINARY(name, symbol, precedence) symbol,
#include "interpreter/syntax/tree/ast.def"
  };
  return kSymbols[static_cast<size_t>(op)];
}

std::string_view operator_symbol(UnaryOperator op) {
  static constexpr std::string_view kSymbols[] = {
#define STRIDER_UNARY(name, symbol) symbol,
#include "interpreter/syntax/tree/ast.def"
  };
  return kSymbols[static_cast<size_t>(op)];
}

std::string_view operator_symbol(CompareOperator op) {
  static constexpr std::string_view kSymbols[] = {
#define STRIDER_COMPARE(name, symbol) symbol,
#include "interpreter/syntax/tree/ast.def"
  };
  return kSymbols[static_cast<size_t>(op)];
}

}  // namespace strider::syntax
