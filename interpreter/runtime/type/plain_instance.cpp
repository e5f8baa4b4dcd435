// Objects that are no more than a class and attributes.
#include "interpreter/runtime/type/plain_instance.h"

#include <algorithm>

#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Whether the library knows what objects of a class consist of.
bool is_described(const Type& type) {
  static const Name module_name = intern("__module__");
  const Value* module = type.own(module_name);
  if (!module) return !type.has(Type::kUserDefined);
  if (!is_str(*module)) return true;
  std::string_view name = text_of(*module);
  constexpr std::string_view kDescribed[] = {"collections", "functools", "random"};
  return name.starts_with("numpy") || std::ranges::count(kDescribed, name) > 0;
}

bool is_registered(const Type& type) {
  static const Name copyreg = intern("copyreg"), table = intern("dispatch_table");
  Value functions = get_attribute(import_module(text_of(copyreg)), table);
  return functions.as<Dict>()->find(Value(const_cast<Type*>(&type)));
}

}  // namespace

bool is_plain_instance(const Value& value) {
  static const Name kInherited[] = {intern("__reduce_ex__"), intern("__reduce__"),
                                    intern("__getstate__")};
  static const Name kAbsent[] = {intern("__getnewargs_ex__"), intern("__getnewargs__"),
                                 intern("__slots__")};
  if (!value.has_layout(Layout::kInstance)) return false;
  const Type& type = *type_of(value);
  const Type& object = Type::object_type();
  auto inherited = [&](Name name) { return type.owner_of(name) == &object; };
  auto absent = [&](Name name) { return !type.lookup(name); };
  auto described = [&](const Type* each) { return each != &object && is_described(*each); };
  return type.has(Type::kUserDefined) && !type.has(Type::kCustomGetAttribute) &&
         std::ranges::all_of(kInherited, inherited) && std::ranges::all_of(kAbsent, absent) &&
         std::ranges::none_of(type.mro(), described) && !is_registered(type);
}

Value reduced_parts(const Value& value) {
  static const Name by_protocol = intern("__reduce_ex__"), plain = intern("__reduce__");
  if (!value.is_object()) return Value();
  const Type& type = *type_of(value);
  if (type.has(Type::kUserDefined) || type.module.starts_with("numpy")) return Value();
  for (Type* each : type.mro()) {
    if (each == &Type::object_type()) break;
    const Value* own = each->own(by_protocol);
    const Value* method = own ? own : each->own(plain);
    if (!method) continue;
    if (is_registered(type)) return Value();
    return own ? call(*method, value, Value::integer(4)) : call(*method, value);
  }
  return Value();
}

Value copy_instance(const Value& value) {
  static const Name kTelling[] = {intern("__copy__"), intern("__setstate__")};
  if (!is_plain_instance(value)) return Value();
  Type* type = type_of(value);
  auto tells = [&](Name name) { return type->lookup(name) != nullptr; };
  if (std::ranges::any_of(kTelling, tells) ||
      type->owner_of(intern("__new__")) != &Type::object_type())
    return Value();
  Value made = make<Instance>(type);
  Attributes& attributes = *value.object()->attributes();
  std::vector<std::string_view> names;
  attributes.list_names(names);
  for (std::string_view name : names)
    made.object()->attributes()->set(intern(name), *attributes.find(intern(name)));
  return made;
}

Ref<Dict> copy_attributes(const Value& plain_instance) {
  Attributes& attributes = *plain_instance.object()->attributes();
  std::vector<std::string_view> names;
  attributes.list_names(names);
  Ref<Dict> result = make_dict();
  for (std::string_view name : names) result->set(intern(name), *attributes.find(intern(name)));
  return result;
}

}  // namespace strider::lang
