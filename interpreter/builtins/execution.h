// Execution: from source text to effects: parse, resolve, lower, run. Syntax errors become
// exceptions.
#pragma once

#include <memory>
#include <string>

#include "interpreter/evaluator/lowering/lower.h"
#include "interpreter/runtime/value/value.h"
#include "interpreter/syntax/source.h"

namespace strider::lang {

class Dict;

// The tree of a text, whose names are not resolved; SyntaxError as an exception of the language.
syntax::Tree parse_source(const std::shared_ptr<const syntax::Source>& source, LoweringMode mode);
// The lowered code of a text; SyntaxError as an exception of the language, with its place.
std::shared_ptr<const Code> compile_source(const std::shared_ptr<const syntax::Source>& source,
                                           LoweringMode mode, bool in_namespace = false);
// Runs module code in a namespace; gives the value of an expression (kExpression) or None.
Value run_code(const std::shared_ptr<const Code>& code, Dict& globals,
               Dict* class_namespace = nullptr);

}  // namespace strider::lang
