// Imports: finding and running modules. Implemented by the builtins room, used by import
// statements.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/runtime/value/name.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Dict;

// The module with an absolute dotted name, imported if need be ("a.b" gives a.b).
// ModuleNotFoundError with a suggestion.
Value import_module(std::string_view dotted_name);
// The absolute name meant by `level` leading dots in a module with these globals.
std::string resolve_relative(std::string_view name, int level, Dict& globals);
// The __spec__ or __loader__ of a module with these globals, made when it is first asked for; empty
// where `name` is neither, or the globals are those of no module.
Value find_module_fact(Dict& globals, Name name);
// The variables of the module whose code is running; null when none is. Implemented by the
// evaluator.
Dict* current_globals();
// Shows a value that is not None and stores it in `_`.
void display_value(const Value& value);
// Called by REPL-style expression statements: does so, or what a program's sys.displayhook does.
void display_entry(const Value& value);

}  // namespace strider::lang
