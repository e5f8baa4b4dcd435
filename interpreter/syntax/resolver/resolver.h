// Decides where every name lives and hangs the frame layouts (Scope) into the tree.
// Knows nothing of values or of how frames are built.
#pragma once

#include "interpreter/syntax/error.h"
#include "interpreter/syntax/tree/ast.h"

namespace strider::syntax {

// Fills in every Binding and Scope of the tree and checks the rules of names and of flow
// ('return' outside function, 'break' outside loop, ...); throws SyntaxError.
void resolve(Tree& tree);

}  // namespace strider::syntax
