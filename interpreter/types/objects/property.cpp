// Descriptors. Source: Python's descriptor guide (docs.python.org/3.11/howto/descriptor.html).
#include "interpreter/types/objects/property.h"

#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/objects/overriding.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

[[noreturn]] void refuse_access(const Property& property, const Value& instance, const char* what) {
  std::string name = property.name ? fmt::format(" '{}'", text_of(property.name)) : "";
  raise(errors::AttributeError, "property{} of '{}' object has no {}", name,
        type_of(instance)->qualified_name, what);
}

Value property_get(const Value& self, const Value& instance, const Value&) {
  if (instance.is_empty()) return self;
  auto* property = self.as<Property>();
  if (property->fget.is_none()) refuse_access(*property, instance, "getter");
  return call(property->fget, instance);
}

void property_set(const Value& self, const Value& instance, const Value& value) {
  auto* property = self.as<Property>();
  const Value& function = value.is_empty() ? property->fdel : property->fset;
  if (function.is_none())
    refuse_access(*property, instance, value.is_empty() ? "deleter" : "setter");
  if (value.is_empty())
    call(function, instance);
  else
    call(function, instance, value);
}

// The functions come with __init__: that of a subclass may take other arguments.
Value property_construct(Type* cls, const Arguments&) {
  const Value none = Value::none();
  return make_instance<Property>(cls, none, none, none, none);
}

void property_initialize(const Value& self, const Arguments& arguments) {
  static const Signature signature("property(fget=None, fset=None, fdel=None, doc=None)");
  Value slots[4];
  bind_constructor(signature, arguments, slots);
  auto* property = self.as<Property>();
  property->set_functions(slots[0], slots[1], slots[2], slots[3]);
  // The class of a subclass has a documentation of its own, which would hide that of the property.
  if (property->type() != &Property::type_object())
    property->attributes()->set(names().doc, property->doc);
}

// Subclasses may make anything of the functions: then it has no name to be told.
Value with_function(const Value& self, int which, const Value& function) {
  auto* old = self.as<Property>();
  bool new_doc = which == 0 && old->getters_doc && !function.is_none();
  Value copy =
      call(Value(old->type()), which == 0 ? function : old->fget, which == 1 ? function : old->fset,
           which == 2 ? function : old->fdel, new_doc ? Value::none() : old->doc);
  if (is_instance(copy, Property::type_object())) copy.as<Property>()->name = old->name;
  return copy;
}

const NativeRow kPropertyMethods[] = {
    {"getter(self, fget, /)", [](const Parameters& p) { return with_function(p[0], 0, p[1]); },
     "A copy of the property with another getter."},
    {"setter(self, fset, /)", [](const Parameters& p) { return with_function(p[0], 1, p[1]); },
     "A copy of the property with another setter."},
    {"deleter(self, fdel, /)", [](const Parameters& p) { return with_function(p[0], 2, p[1]); },
     "A copy of the property with another deleter."},
    {"__set_name__(self, owner, name, /)",
     [](const Parameters& p) {
       if (is_str(p[2])) p[0].as<Property>()->name = intern(p[2].as<Str>());
       return Value::none();
     },
     "Called when the property is assigned in a class body."},
};

// Whether one of a property's functions is marked as abstract.
Value is_abstract(const Value& self) {
  static const Name mark = intern("__isabstractmethod__");
  auto* property = self.as<Property>();
  for (const Value& function : {property->fget, property->fset, property->fdel}) {
    Value marked = function.is_none() ? Value() : find_attribute(function, mark);
    if (!marked.is_empty() && truth(marked)) return Value::boolean(true);
  }
  return Value::boolean(false);
}

const PropertyRow kPropertyAttributes[] = {
    {"__isabstractmethod__", is_abstract, nullptr, "Whether a function of it is abstract."},
    {"fget", [](const Value& self) { return self.as<Property>()->fget; }, nullptr, "The getter."},
    {"fset", [](const Value& self) { return self.as<Property>()->fset; }, nullptr, "The setter."},
    {"fdel", [](const Value& self) { return self.as<Property>()->fdel; }, nullptr, "The deleter."},
    {"__doc__", [](const Value& self) { return self.as<Property>()->doc; },
     [](const Value& self, const Value& value) { self.as<Property>()->doc = value; },
     "The documentation."},
};

Value class_method_get(const Value& self, const Value& instance, const Value& owner) {
  Value cls = owner.is_empty() || owner.is_none() ? Value(type_of(instance)) : owner;
  const Value& function = self.as<ClassMethod>()->function;
  bool plain = function.has_layout(Layout::kFunction) ||
               function.has_layout(Layout::kNativeFunction) || !type_of(function)->slots.get;
  if (plain) return make<BoundMethod>(function, cls);
  return type_of(function)->slots.get(function, cls, cls);
}

Value static_method_get(const Value& self, const Value&, const Value&) {
  return self.as<StaticMethod>()->function;
}

// Native code takes the instance for one of the owner.
void require_owner(const Value& self, const Value& instance) {
  auto* property = self.as<NativeProperty>();
  if (!property->owner || is_instance(instance, *property->owner)) return;
  raise(errors::TypeError, "descriptor '{}' for '{}' objects doesn't apply to a '{}' object",
        property->row.name, property->owner->name(), type_name(instance));
}

Value native_property_get(const Value& self, const Value& instance, const Value&) {
  if (instance.is_empty()) return self;
  require_owner(self, instance);
  return self.as<NativeProperty>()->row.get(instance);
}

Value native_property_repr(const Value& self) {
  auto* property = self.as<NativeProperty>();
  return make_str(fmt::format("<attribute '{}' of '{}' objects>", property->row.name,
                              is_str(property->owner_name) ? text_of(property->owner_name)
                              : property->owner            ? property->owner->name()
                                                           : "object"));
}

const PropertyRow kNativePropertyAttributes[] = {
    {"__name__",
     [](const Value& self) { return Value(make_str(self.as<NativeProperty>()->row.name)); },
     nullptr, "The name of the attribute."},
    {"__objclass__",
     [](const Value& self) {
       Type* owner = self.as<NativeProperty>()->owner;
       return owner ? Value(owner) : Value::none();
     },
     nullptr, "The class whose instances have it."},
};

void native_property_set(const Value& self, const Value& instance, const Value& value) {
  auto* property = self.as<NativeProperty>();
  require_owner(self, instance);
  if (!property->row.set)
    raise(errors::AttributeError, "attribute '{}' of '{}' objects is not writable",
          property->row.name, property->owner->name());
  property->row.set(instance, value);
}

template <class Wrapper>
Value construct_wrapper(Type* cls, const Arguments& given) {
  static const Signature signature(fmt::format("{}(function, /)", Wrapper::type_object().name()));
  Value slots[1];
  bind_constructor(signature, arguments_for_builtin(given, *cls, names().init), slots);
  return make<Wrapper>(slots[0], cls);
}

template <class Wrapper>
Value wrapper_attribute(const Value& self, Name name) {
  const Value& function = self.as<Wrapper>()->function;
  if (name == names().func || name == names().wrapped) return function;
  if (name == names().doc) return get_attribute(function, name);
  Value own = generic_get_attribute(self, name);
  return own.is_empty() ? find_attribute(function, name) : own;
}

template <class Wrapper>
Value wrapper_repr(const Value& self) {
  return make_str(
      fmt::format("<{}({})>", type_name(self), repr_text(self.as<Wrapper>()->function)));
}

template <class Wrapper>
Type& make_wrapper_type(const char* name) {
  auto* made = new Type(name, &Type::object_type());
  made->instance_layout = Layout::kOther;
  made->set(Type::kSubclassable);
  made->slots.construct = construct_wrapper<Wrapper>;
  made->slots.initialize = [](const Value&, const Arguments&) {};
  made->slots.get_attribute = wrapper_attribute<Wrapper>;
  made->slots.repr = wrapper_repr<Wrapper>;
  made->set(Type::kHasInstanceDict);
  return *made;
}

}  // namespace

Property::Property(const Value& get, const Value& set, const Value& erase, const Value& doc_value,
                   Type* type)
    : Container(Layout::kOther, type ? type : &type_object()) {
  set_functions(get, set, erase, doc_value);
}

void Property::set_functions(const Value& get, const Value& set, const Value& erase,
                             const Value& doc_value) {
  fget = get;
  fset = set;
  fdel = erase;
  doc = doc_value;
  getters_doc = doc.is_none() && !fget.is_none();
  if (getters_doc) doc = find_attribute(fget, names().doc);
  if (doc.is_empty()) doc = Value::none();
}

Type& Property::type_object() {
  static Type& type = *[] {
    auto* made = new Type("property", &Type::object_type());
    made->instance_layout = Layout::kOther;
    made->set(Type::kSubclassable);
    made->slots.get = property_get;
    made->slots.set = property_set;
    made->slots.construct = property_construct;
    made->slots.initialize = property_initialize;
    made->add(kPropertyMethods);
    made->add(kPropertyAttributes);
    return made;
  }();
  return type;
}

void Property::traverse(Visitor& visitor) {
  for (const Value* value : {&fget, &fset, &fdel, &doc}) visitor.visit(*value);
}

void Property::clear_references() { fget = fset = fdel = doc = Value::none(); }

ClassMethod::ClassMethod(const Value& wrapped, Type* type)
    : Container(Layout::kOther, type), function(wrapped), class_(type) {}

Type& ClassMethod::type_object() {
  static Type& type = *[] {
    Type& made = make_wrapper_type<ClassMethod>("classmethod");
    made.slots.get = class_method_get;
    return &made;
  }();
  return type;
}

void ClassMethod::traverse(Visitor& visitor) {
  visitor.visit(function);
  visitor.visit(class_);
  attributes_.traverse(visitor);
}
void ClassMethod::clear_references() {
  function = Value::none();
  attributes_.clear();
}

StaticMethod::StaticMethod(const Value& wrapped, Type* type)
    : Container(Layout::kOther, type), function(wrapped), class_(type) {}

Type& StaticMethod::type_object() {
  static Type& type = *[] {
    Type& made = make_wrapper_type<StaticMethod>("staticmethod");
    made.slots.get = static_method_get;
    made.slots.call = [](const Value& self, const Arguments& arguments) {
      return call(self.as<StaticMethod>()->function, arguments);
    };
    return &made;
  }();
  return type;
}

void StaticMethod::traverse(Visitor& visitor) {
  visitor.visit(function);
  visitor.visit(class_);
  attributes_.traverse(visitor);
}
void StaticMethod::clear_references() {
  function = Value::none();
  attributes_.clear();
}

NativeProperty::NativeProperty(const PropertyRow& property_row, Type* owner_type,
                               const Value& shown_owner)
    : Object(Layout::kOther, &type_object()),
      row(property_row),
      owner(owner_type),
      owner_name(shown_owner) {}

Type& NativeProperty::type_object() {
  static Type& type = *[] {
    auto* made = new Type("getset_descriptor", &Type::object_type());
    made->instance_layout = Layout::kOther;
    made->slots.get = native_property_get;
    made->slots.set = native_property_set;
    made->slots.repr = native_property_repr;
    made->add(kNativePropertyAttributes);
    return made;
  }();
  return type;
}

}  // namespace strider::lang
