// The door to the parser: text to tree. Names are not resolved here; see resolver.h.
#pragma once

#include <memory>

#include "interpreter/syntax/error.h"
#include "interpreter/syntax/tree/ast.h"

namespace strider::syntax {

enum class Mode : uint8_t {
  kFile,    // any number of statements
  kEval,    // one expression
  kSingle,  // one interactive statement
};

// Parses a whole text; throws SyntaxError. The tree shares the source.
Tree parse(std::shared_ptr<const Source> source, Mode mode = Mode::kFile);

}  // namespace strider::syntax
