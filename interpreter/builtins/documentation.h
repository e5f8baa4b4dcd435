// Documentation: what help(x) prints and x? shows.
#pragma once

#include <string>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// "sum(a, axis=None)" of a function or class; empty when unknown.
std::string signature_text(const Value& callable);
// The same for people: defaults that have no value are written as `inspect` writes them.
std::string shown_signature(const Value& callable);
// The documentation string of an object; empty when it has none.
std::string docstring(const Value& object);
// Name, signature, documentation, and for classes and modules their members.
std::string documentation_text(const Value& object);

}  // namespace strider::lang
