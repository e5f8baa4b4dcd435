// `type`: calling a class, making classes at run time, the attributes of classes.
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/error/hierarchy.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/root_types.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/mappings/mapping_proxy.h"
#include "interpreter/types/objects/generic_alias.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value type_call(const Value& self, const Arguments& arguments) {
  return landed(self.as<Type>()->attempt_instance(arguments));
}

std::vector<Ref<Type>> class_list(const Value& bases) {
  std::vector<Ref<Type>> result;
  Iteration items(bases);
  Value base;
  while (items.next(base)) {
    if (!base.has_layout(Layout::kType))
      raise(errors::TypeError, "type() argument 2 must be a tuple of classes");
    result.emplace_back(base.as<Type>());
  }
  return result;
}

// Tells the parent class about its new subclass: super().__init_subclass__(**keywords).
void call_init_subclass(Type& type, const Arguments& arguments) {
  for (std::size_t i = 1; i < type.mro().size(); ++i) {
    const Value* hook = type.mro()[i]->own(names().init_subclass);
    if (!hook) continue;
    Arguments keywords;
    keywords.keywords = arguments.keywords;
    keywords.keyword_count = arguments.keyword_count;
    call(bind_descriptor(Value(*hook), Value(), &type), keywords);
    return;
  }
}

// The metatype, or that of a base if it derives from it.
Type* most_derived_metatype(Type* metatype, const std::vector<Ref<Type>>& bases) {
  for (const Ref<Type>& base : bases) {
    Type* candidate = base->type();
    if (candidate->is_subclass_of(metatype))
      metatype = candidate;
    else if (!metatype->is_subclass_of(candidate))
      raise(errors::TypeError,
            "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass "
            "of the metaclasses of all its bases");
  }
  return metatype;
}

Value type_construct(Type* metatype, const Arguments& arguments) {
  if (arguments.count != 3) raise(errors::TypeError, "type() takes 1 or 3 arguments");
  std::string name(to_text(arguments.values[0], "type.__new__() argument 1"));
  if (!is_tuple(arguments.values[1]))
    raise(errors::TypeError, "type.__new__() argument 2 must be tuple, not {}",
          type_name(arguments.values[1]));
  if (!is_dict(arguments.values[2]))
    raise(errors::TypeError, "type.__new__() argument 3 must be dict, not {}",
          type_name(arguments.values[2]));
  if (name.find('\0') != std::string::npos)
    raise(errors::ValueError, "type name must not contain null characters");
  Ref<Dict> space = arguments.values[2].as<Dict>();
  std::vector<Ref<Type>> bases = class_list(arguments.values[1]);
  Type* best = most_derived_metatype(metatype, bases);
  if (best != metatype && best->slots.construct != type_construct)
    return best->slots.construct(best, arguments);
  Ref<Type> type = make_class(name, bases, space, best);
  Dict* globals = space->find(names().module) ? nullptr : current_globals();
  if (Value* module = globals ? globals->find(names().name) : nullptr; module && is_str(*module))
    type->module = text_of(*module);
  call_init_subclass(*type, arguments);
  return type;
}

Value type_repr(const Value& self) {
  auto* type = self.as<Type>();
  std::string prefix = type->module == "builtins" ? "" : type->module + ".";
  return make_str(fmt::format("<class '{}{}'>", prefix, type->qualified_name));
}

void type_set_attribute(const Value& self, Name name, const Value& value) {
  auto* type = self.as<Type>();
  const Value* meta = type_of(self)->lookup(name);
  if (meta && type_of(*meta)->slots.set)
    return type_of(*meta)->slots.set(Value(*meta), self, value);
  if (!type->has(Type::kUserDefined))
    raise(errors::TypeError, "cannot set '{}' attribute of immutable type '{}'", text_of(name),
          type->name());
  if (value.is_empty() && !type->own(name))
    raise(errors::AttributeError, "type object '{}' has no attribute '{}'", type->name(),
          text_of(name));
  type->set_own(name, value);
  // Metaclasses written in the language have a text of that name, which hides the property.
  if (name == names().module && is_str(value)) type->module = text_of(value);
}

Value get_mro(const Value& self) {
  Values types;
  for (Type* type : self.as<Type>()->mro()) types.emplace_back(type);
  return make_tuple(std::move(types));
}

Value get_bases(const Value& self) {
  Values types;
  for (const Ref<Type>& type : self.as<Type>()->bases()) types.emplace_back(type);
  return make_tuple(std::move(types));
}

Value get_base(const Value& self) {
  Type* base = self.as<Type>()->base();
  return base ? Value(base) : Value::none();
}

// Built-in types of modules carry the module in the name that messages show.
Value get_name(const Value& self) {
  std::string_view name = self.as<Type>()->name();
  bool names_module = name.starts_with(self.as<Type>()->module + ".");  // as messages do
  if (self.as<Type>()->has(Type::kUserDefined) && !names_module) return make_str(name);
  return make_str(name.substr(name.rfind('.') + 1));
}
void set_name(const Value& self, const Value& value) {
  self.as<Type>()->set_name(to_text(value, "__name__"));
}
Value get_qualified_name(const Value& self) { return make_str(self.as<Type>()->qualified_name); }
void set_qualified_name(const Value& self, const Value& value) {
  self.as<Type>()->qualified_name = to_text(value, "__qualname__");
}
Value get_module(const Value& self) { return make_str(self.as<Type>()->module); }
void set_module(const Value& self, const Value& value) {
  auto* type = self.as<Type>();
  type->module = to_text(value, "__module__");
  if (type->has(Type::kUserDefined))
    type->set_own(names().module, value);  // instances find it there
}

Value get_namespace(const Value& self) {
  return make_mapping_proxy(Value(self.as<Type>()->namespace_dict()));
}

Value get_annotations(const Value& self) {
  const Value* own = self.as<Type>()->own(names().annotations);
  if (own) return *own;
  Value made = make_dict();
  if (self.as<Type>()->has(Type::kUserDefined)) self.as<Type>()->set_own(names().annotations, made);
  return made;
}

void set_annotations(const Value& self, const Value& value) {
  self.as<Type>()->set_own(names().annotations, value);
}

Value get_doc(const Value& self) {
  const Value* own = self.as<Type>()->own(names().doc);
  if (!own) return Value::none();
  auto* get = self.as<Type>()->has(Type::kUserDefined) ? type_of(*own)->slots.get : nullptr;
  return get ? get(Value(*own), Value(), self) : *own;
}
void set_doc(const Value& self, const Value& value) {
  self.as<Type>()->set_own(names().doc, value);
}

Value get_abstract_methods(const Value& self) {
  const Value* own = self.as<Type>()->own(names().abstractmethods);
  bool absent = !own || self.as<Type>() == &Type::type_object();  // whose own is this property
  if (absent) raise(errors::AttributeError, "__abstractmethods__");
  return *own;
}
void set_abstract_methods(const Value& self, const Value& value) {
  auto* type = self.as<Type>();
  type->set_own(names().abstractmethods, value);
  type->set(Type::kAbstract, truth(value));
}

const PropertyRow kTypeAttributes[] = {
    {"__name__", get_name, set_name, "The name of the class."},
    {"__qualname__", get_qualified_name, set_qualified_name, "The name with its enclosing scopes."},
    {"__module__", get_module, set_module, "The module that defines the class."},
    {"__mro__", get_mro, nullptr, "The method resolution order."},
    {"__bases__", get_bases,
     [](const Value& self, const Value& bases) { change_bases(*self.as<Type>(), bases); },
     "The direct base classes."},
    {"__base__", get_base, nullptr, "The base that decides the layout."},
    {"__dict__", get_namespace, nullptr, "The class namespace, read-only."},
    {"__annotations__", get_annotations, set_annotations, "Annotated names of the class body."},
    {"__doc__", get_doc, set_doc, "The documentation."},
    {"__abstractmethods__", get_abstract_methods, set_abstract_methods,
     "Names that subclasses must define."},
};

Value type_subclasses(const Parameters& p) {
  const Type& base = *p[0].as<Type>();
  Values types;
  for (Type* type : base.has(Type::kException) ? exception_subclasses(base) : base.subclasses())
    types.emplace_back(type);
  return make_list(std::move(types));
}

Value type_instancecheck(const Parameters& p) {
  return Value::boolean(is_instance_of_class(p[1], *p[0].as<Type>()));
}

Value type_subclasscheck(const Parameters& p) {
  return Value::boolean(p[1].has_layout(Layout::kType) &&
                        p[1].as<Type>()->is_subclass_of(p[0].as<Type>()));
}

const NativeRow kTypeMethods[] = {
    {"mro(self, /)", [](const Parameters& p) { return Value(to_list(get_mro(p[0]))); },
     "The method resolution order as a list."},
    {"__subclasses__(self, /)", type_subclasses, "The live direct subclasses."},
    {"__instancecheck__(self, instance, /)", type_instancecheck, "Implements isinstance()."},
    {"__subclasscheck__(self, subclass, /)", type_subclasscheck, "Implements issubclass()."},
    {"classmethod __prepare__(cls, /, *args, **kwargs)",
     [](const Parameters&) { return Value(make_dict()); }, "The namespace of a new class."},
};

// int | str, int | None: a union for annotations and isinstance.
Value type_union(BinaryOperator op, const Value& left, const Value& right) {
  auto fits = [](const Value& value) {
    return value.is_none() || value.has_layout(Layout::kType) ||
           type_of(value) == &generic_alias_type() || type_of(value) == &union_type();
  };
  return op == BinaryOperator::kBitOr && fits(left) && fits(right) ? make_union(left, right)
                                                                   : Value();
}

}  // namespace

Value Type::attempt_instance(const Arguments& arguments) {
  if (this == &type_object() && arguments.count == 1 && arguments.keyword_count == 0)
    return Value(type_of(arguments.values[0])->shown());
  if (!slots.construct) raise(errors::TypeError, "cannot create '{}' instances", name());
  Value object = slots.construct(this, arguments);
  if (object.is_empty()) return object;
  Type* made = type_of(object);
  static const auto object_initialize = object_type().slots.initialize;
  bool ready = made->slots.initialize == object_initialize && !made->has(kUserDefined);
  if (ready && made != &object_type()) return object;
  if (made->slots.initialize && (made == this || made->is_subclass_of(this)))
    made->slots.initialize(object, arguments);
  return object;
}

void set_up_type_type(Type& type) {
  type.instance_layout = Layout::kType;
  type.set(Type::kSubclassable);
  type.slots.call = type_call;
  type.slots.construct = type_construct;
  type.slots.initialize = [](const Value&, const Arguments&) {};
  type.slots.repr = type_repr;
  type.slots.hash = [](const Value& self) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(self.object()) >> 4);
  };
  type.slots.set_attribute = type_set_attribute;
  type.slots.binary = type_union;
  type.slots.operators = {"|", "|", ""};
  type.slots.reflected = [](BinaryOperator op, const Value& self, const Value& other) {
    return type_union(op, other, self);
  };
  type.add(kTypeMethods);
  type.add(kTypeAttributes);
}

}  // namespace strider::lang
