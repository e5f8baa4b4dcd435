// What native modules share: functions made from tables on demand, types made once.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

// The function of the row with this name, belonging to `module`; Empty if no row has it.
Value make_native_function(std::span<const NativeRow> rows, Name name, std::string_view module);
// Appends the names of all rows.
void list_function_names(std::span<const NativeRow> rows, std::vector<std::string_view>& names);
// A function that isolated sessions refuse.
template <Value (*kFunction)(const Parameters&)>
Value outside(const Parameters& parameters) {
  require_outside();
  return kFunction(parameters);
}
// Makes a built-in class one of a module: messages show the module before its name.
void place_in_module(Type& type, const char* module);
// The name of a class without the module that messages show.
std::string_view plain_name(const Type& type);
// A built-in class of a module, kept for the life of the process.
Type& make_module_type(std::string_view name, const char* module, Type& base = Type::object_type());

}  // namespace strider::lang
