// SimpleNamespace: attributes given by keywords, shown and compared.
#include "interpreter/types/objects/namespace.h"

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

SimpleNamespace::SimpleNamespace(Type* type)
    : Container(Layout::kOther, type ? type : &type_object()) {}

namespace {

Ref<Dict> dict_of(const Value& value) { return value.as<SimpleNamespace>()->attributes()->dict(); }

Value namespace_repr(const Value& self) {
  bool exact = is_exactly(self, SimpleNamespace::type_object());
  std::string text(exact ? "namespace" : type_name(self));
  ReprGuard guard(self.object());
  if (guard.inside()) return make_str(text + "(...)");
  text += '(';
  bool first = true;
  for (const Dict::Entry& entry : Dict::Entries(dict_of(self)->entries())) {
    if (entry.key.is_empty()) continue;
    if (!first) text += ", ";
    first = false;
    text += str_text(entry.key) + "=" + repr_text(entry.value);
  }
  return make_str(text + ")");
}

Value namespace_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !is_instance(other, SimpleNamespace::type_object())) return Value();
  return compare(op, Value(dict_of(self)), Value(dict_of(other)));
}

// An instance of a class of the language keeps its class.
Value namespace_construct(Type* cls, const Arguments&) {
  if (cls->has(Type::kUserDefined)) return make<Attributed<SimpleNamespace>>(cls);
  return make<SimpleNamespace>(cls);
}

void namespace_initialize(const Value& self, const Arguments& arguments) {
  if (arguments.count > 0) raise(errors::TypeError, "no positional arguments expected");
  for (const KeywordArgument& keyword : arguments.named())
    self.as<SimpleNamespace>()->attributes()->set(keyword.name, keyword.value);
}

}  // namespace

Type& SimpleNamespace::type_object() {
  static bool ready = false;
  static Type& type = new_type("SimpleNamespace", Type::object_type());
  if (ready) return type;
  ready = true;
  type.module = "types";
  type.set_name("types.SimpleNamespace");
  type.set(Type::kSubclassable);
  type.set(Type::kHasInstanceDict);
  type.doc = "An object with the attributes it is given.";
  type.slots.repr = namespace_repr;
  type.slots.hash = nullptr;
  type.slots.compare = namespace_compare;
  type.slots.construct = namespace_construct;
  type.slots.initialize = namespace_initialize;
  return type;
}

}  // namespace strider::lang
