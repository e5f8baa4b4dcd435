// Arguments that a subclass of a built-in type keeps for itself.
#pragma once

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

// The built-in type whose layout instances of a class have.
inline const Type& builtin_behind(const Type& cls) {
  const Type* builtin = &cls;
  while (builtin->has(Type::kUserDefined)) builtin = builtin->base();
  return *builtin;
}

// The arguments of a call for the built-in type behind a class: without keywords where the class
// has a method of its own (`__init__` beside a built-in `__new__`, or the other way) to take them.
inline Arguments arguments_for_builtin(const Arguments& arguments, const Type& cls, Name method) {
  const Value *own = cls.lookup(method), *inherited = builtin_behind(cls).lookup(method);
  bool overridden = own && !(inherited && identical(*own, *inherited));
  return overridden ? Arguments(arguments.values, arguments.count) : arguments;
}

}  // namespace strider::lang
