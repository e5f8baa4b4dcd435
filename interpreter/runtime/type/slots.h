// Slots: what a type can do, one function per protocol (the counterpart of the dunder methods). A
// null slot means the type does not take part. Classes written in the language get slots that call
// their dunder methods.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "interpreter/runtime/value/name.h"
#include "interpreter/runtime/value/value.h"
#include "interpreter/syntax/tree/ast.h"

namespace strider::lang {

using syntax::BinaryOperator;
using syntax::CompareOperator;
using syntax::UnaryOperator;

struct Arguments;

// A bit for each binary operator.
using OperatorSet = std::uint32_t;

// The operators of a text such as "+ * %".
constexpr OperatorSet operator_set(std::string_view symbols) {
  constexpr std::string_view kSymbols[] = {
#define STRIDER_BINARY(name, symbol, precedence) symbol,
#include "interpreter/syntax/tree/ast.def"
  };
  OperatorSet set = 0;
  while (!symbols.empty()) {
    std::size_t end = std::min(symbols.find(' '), symbols.size());
    for (std::size_t op = 0; op < std::size(kSymbols); ++op)
      if (symbols.substr(0, end) == kSymbols[op]) set |= OperatorSet(1) << op;
    symbols.remove_prefix(std::min(end + 1, symbols.size()));
  }
  return set;
}

// The operators that a type knows, for which it has methods; all, unless it says otherwise.
struct Operators {
  constexpr Operators() = default;
  constexpr Operators(std::string_view binaries, std::string_view reflections,
                      std::string_view changes)
      : binary(operator_set(binaries)),
        reflected(operator_set(reflections)),
        inplace(operator_set(changes)) {}
  OperatorSet binary = ~OperatorSet(0), reflected = binary, inplace = binary;
};

// `self` is always an instance of the type. An Empty result of an operator slot means
// NotImplemented.
struct Slots {
  Value (*repr)(const Value& self) = nullptr;  // a Str
  Value (*str)(const Value& self) = nullptr;   // a Str; null: as repr
  Value (*format)(const Value& self, const Value& spec) = nullptr;
  std::int64_t (*hash)(const Value& self) = nullptr;  // null: unhashable
  bool (*truth)(const Value& self) = nullptr;         // null: by length, else true
  std::int64_t (*length)(const Value& self) = nullptr;

  Value (*get_attribute)(const Value& self, Name name) = nullptr;  // null: the generic search
  void (*set_attribute)(const Value& self, Name name,
                        const Value& value) = nullptr;  // Empty: delete
  Value (*missing_attribute)(const Value& self,
                             Name name) = nullptr;  // __getattr__; Empty: not there

  Value (*get_item)(const Value& self, const Value& key) = nullptr;
  void (*set_item)(const Value& self, const Value& key,
                   const Value& value) = nullptr;                    // Empty: delete
  bool (*contains)(const Value& self, const Value& item) = nullptr;  // null: by iteration
  Value (*iterate)(const Value& self) = nullptr;                     // a new iterator
  bool (*next)(const Value& self, Value& item) = nullptr;            // false: exhausted

  Value (*call)(const Value& self, const Arguments& arguments) = nullptr;

  // The dunder semantics: binary is self OP other (__add__), reflected is other OP self (__radd__).
  Value (*binary)(BinaryOperator op, const Value& self, const Value& other) = nullptr;
  Value (*reflected)(BinaryOperator op, const Value& self, const Value& other) = nullptr;
  Value (*inplace)(BinaryOperator op, const Value& self, const Value& other) = nullptr;
  Operators operators = {};  // for which those three are
  Value (*unary)(UnaryOperator op, const Value& self) = nullptr;
  Value (*compare)(CompareOperator op, const Value& self, const Value& other) = nullptr;
  // The `is` operator for types whose values may be several objects; null: objects are compared.
  bool (*same)(const Value& self, const Value& other) = nullptr;

  Value (*to_int)(const Value& self) = nullptr;    // __int__
  Value (*to_float)(const Value& self) = nullptr;  // __float__
  Value (*to_index)(const Value& self) = nullptr;  // __index__

  // Descriptors: found on a class, asked through an instance (Empty: through the class itself).
  Value (*get)(const Value& self, const Value& instance, const Value& owner) = nullptr;
  void (*set)(const Value& self, const Value& instance, const Value& value) = nullptr;

  // cls(...): makes the object (__new__), then initialises it. `cls` may be a subclass.
  Value (*construct)(Type* cls, const Arguments& arguments) = nullptr;
  void (*initialize)(const Value& self, const Arguments& arguments) = nullptr;
};

}  // namespace strider::lang
