// Kinds of tree nodes and operators, from the table ast.def, and their names.
#pragma once

#include <cstdint>
#include <string_view>

namespace strider::syntax {

enum class Kind : uint8_t {
#define STRIDER_NODE(group, name, python_name, fields) k##name,
#include "interpreter/syntax/tree/ast.def"
};

enum class BinaryOperator : uint8_t {
#define STRIDER_BINARY(name, symbol, precedence) k##name,
#include "interpreter/syntax/tree/ast.def"
};

enum class UnaryOperator : uint8_t {
#define STRIDER_UNARY(name, symbol) k##name,
#include "interpreter/syntax/tree/ast.def"
};

enum class CompareOperator : uint8_t {
#define STRIDER_COMPARE(name, symbol) k##name,
#include "interpreter/syntax/tree/ast.def"
};

enum class BoolOperator : uint8_t { kAnd, kOr };
enum class ExprContext : uint8_t { kLoad, kStore, kDel };

// The class name of a kind in Python's ast module.
std::string_view kind_name(Kind kind);
// The class name of an operator in Python's ast module, e.g. "Add".
std::string_view operator_name(BinaryOperator op);
std::string_view operator_name(UnaryOperator op);
std::string_view operator_name(CompareOperator op);
std::string_view operator_name(BoolOperator op);
// The operator as written in source, e.g. "+".
std::string_view operator_symbol(BinaryOperator op);
std::string_view operator_symbol(UnaryOperator op);
std::string_view operator_symbol(CompareOperator op);

}  // namespace strider::syntax
