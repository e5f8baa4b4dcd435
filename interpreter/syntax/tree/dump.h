// Writes a tree as text, for tests.
#pragma once

#include <string>

#include "interpreter/syntax/tree/ast.h"

namespace strider::syntax {

struct DumpOptions {
  bool spans = false;     // add @begin-end, byte offsets, outside f-strings
  bool bindings = false;  // add storage and slot to names, for a resolved tree
};

// The tree as ast.dump of Python writes it, but for constants: Int(1), Float(0.5),
// Str('a\xc3\xa9').
std::string dump(const Tree& tree, DumpOptions options = {});

// The frame layouts of a resolved tree, one line each:
// "function f.<locals>.g |parameters a |locals x |cells y |free z<0 |generator".
std::string dump_scopes(const Tree& tree);

}  // namespace strider::syntax
