// Makes every built-in exception class, so that their bases know them.
#include "interpreter/runtime/error/hierarchy.h"

#include <algorithm>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"

namespace strider::lang {
namespace {

// Those of the program stand behind all others, but ExceptionGroup, which CPython makes late.
std::string_view rank(const Type& type) {
  if (type.has(Type::kUserDefined) && type.name() != "BaseExceptionGroup") return "~";
  return type.name();
}

void make_all() {
#define EXCEPTION(name, base) errors::name();
#include "interpreter/runtime/error/exceptions.def"
  const Value& builtins = Interpreter::current().builtins_module;
  get_attribute(builtins, intern("ExceptionGroup"));
}

}  // namespace

std::vector<Type*> exception_subclasses(const Type& base) {
  make_all();
  std::vector<Type*> found = base.subclasses();
  std::ranges::stable_sort(found, {}, [](const Type* each) { return rank(*each); });
  return found;
}

}  // namespace strider::lang
