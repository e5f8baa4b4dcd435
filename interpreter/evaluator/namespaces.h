// Namespaces that code runs in beside its slots: of modules, of class bodies, of eval().
#pragma once

#include "interpreter/runtime/value/name.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Dict;
class Node;

// The value of a name in a namespace; empty where it has none. Dicts of classes of their own, as
// __prepare__ or a caller of eval() may give them, are asked for the item.
Value find_in_names(Dict& space, Name name);
// Whether a node reads a variable or a constant and does nothing else.
bool reads_variable(const Node* node);

}  // namespace strider::lang
