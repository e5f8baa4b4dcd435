// Lowering: from the resolved syntax tree to executable nodes. Knows the tree and the factories,
// runs nothing.
#pragma once

#include <memory>

#include "interpreter/evaluator/node.h"
#include "interpreter/syntax/tree/ast.h"

namespace strider::lang {

enum class LoweringMode : std::uint8_t {
  kModule,       // a file or exec(): names are globals
  kInteractive,  // expression statements show their value
  kPrompt,       // the same, but not those that a ';' ends
  kCell,         // only a last expression statement shows its value, unless a ';' ends it
  kExpression,   // eval(): one expression, whose value is the result
};

// The code of a parsed and resolved module. `in_namespace`: names are looked up in a namespace dict
// first (exec and eval with locals). RecursionError for trees nested too deeply.
std::shared_ptr<const Code> lower_module(const syntax::Tree& tree, LoweringMode mode,
                                         bool in_namespace = false);

}  // namespace strider::lang
