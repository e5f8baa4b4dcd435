// super(). Source: docs.python.org/3.11/library/functions.html#super.
#include "interpreter/types/objects/super.h"

#include <algorithm>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/objects/overriding.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value super_attribute(const Value& self, Name name) {
  auto* super = self.as<Super>();
  if (name == names().class_) return Value(type_of(self));
  if (!super->self_class) return generic_get_attribute(self, name);
  std::span<Type* const> mro = super->self_class->mro();
  auto place = std::find(mro.begin(), mro.end(), super->start.get());
  for (auto type = place == mro.end() ? place : place + 1; type != mro.end(); ++type) {
    const Value* found = (*type)->own(name);
    if (!found) continue;
    Value attribute = *found;
    bool through_class =
        super->self.has_layout(Layout::kType) && super->self.as<Type>() == super->self_class.get();
    return bind_descriptor(attribute, through_class ? Value() : super->self,
                           super->self_class.get());
  }
  return generic_get_attribute(self, name);
}

Value super_repr(const Value& self) {
  auto* super = self.as<Super>();
  if (!super->self_class)
    return make_str(fmt::format("<super: <class '{}'>, NULL>", super->start->name()));
  return make_str(fmt::format("<super: <class '{}'>, <{} object>>", super->start->name(),
                              super->self_class->name()));
}

// One that is bound to an object, or to none yet.
Value new_super(Type* type, Type* start, const Value& self, Type* self_class) {
  if (type != &Super::type_object()) return make<Attributed<Super>>(start, self, self_class, type);
  return make<Super>(start, self, self_class);
}

// The class in whose MRO the search begins behind `start`; null if `self` has nothing of it. One
// that `self` claims may have been made for the answer.
Ref<Type> searched_class(const Value& self, Type* start) {
  if (self.has_layout(Layout::kType) && self.as<Type>()->is_subclass_of(start))
    return self.as<Type>();
  if (is_instance(self, *start)) return type_of(self);
  Value claimed = find_attribute(self, names().class_);  // as proxies have it
  if (claimed.has_layout(Layout::kType) && claimed.as<Type>()->is_subclass_of(start))
    return claimed.as<Type>();
  return nullptr;
}

Value bound_super(Type* type, const Value& cls, const Value& self) {
  if (!cls.has_layout(Layout::kType))
    raise(errors::TypeError, "super() argument 1 must be a type, not {}", type_name(cls));
  auto* start = cls.as<Type>();
  if (self.is_none()) return new_super(type, start, Value(), nullptr);
  if (Ref<Type> searched = searched_class(self, start))
    return new_super(type, start, self, searched.get());
  for (Type* each : type_of(self)->mro())
    if (each->stands_for == start) return new_super(type, each, self, type_of(self));
  raise(errors::TypeError, "super(type, obj): obj must be an instance or subtype of type");
}

Value super_construct(Type* type, const Arguments& given) {
  Arguments arguments = arguments_for_builtin(given, *type, names().init);
  if (arguments.keyword_count) raise(errors::TypeError, "super() takes no keyword arguments");
  if (arguments.count == 0) raise(errors::RuntimeError, "super(): no arguments");
  if (arguments.count > 2)
    raise(errors::TypeError, "super() expected at most 2 arguments, got {}", arguments.count);
  return bound_super(type, arguments.values[0],
                     arguments.count == 2 ? arguments.values[1] : Value::none());
}

// As an attribute of a class, one that is bound to nothing is bound to the instance.
Value super_get(const Value& self, const Value& instance, const Value&) {
  auto* super = self.as<Super>();
  if (super->self_class || instance.is_empty() || instance.is_none()) return self;
  if (type_of(self) != &Super::type_object())
    return call(Value(type_of(self)), Value(super->start), instance);
  return bound_super(type_of(self), Value(super->start), instance);
}

const PropertyRow kAttributes[] = {
    {"__thisclass__", [](const Value& self) { return Value(self.as<Super>()->start); }, nullptr,
     "The class behind which the search begins."},
    {"__self__",
     [](const Value& self) {
       const Value& bound = self.as<Super>()->self;
       return bound.is_empty() ? Value::none() : bound;
     },
     nullptr, "The object that methods are bound to; None if there is none."},
    {"__self_class__",
     [](const Value& self) {
       const Ref<Type>& searched = self.as<Super>()->self_class;
       return searched ? Value(searched) : Value::none();
     },
     nullptr, "The class whose order of bases is searched; None if there is none."},
};

}  // namespace

Super::Super(Type* start_class, const Value& object, Type* object_class, Type* type)
    : Container(Layout::kOther, type), start(start_class), self(object), self_class(object_class) {}

Type& Super::type_object() {
  static Type& type = *[] {
    auto* made = new Type("super", &Type::object_type());
    made->instance_layout = Layout::kOther;
    made->set(Type::kSubclassable);
    made->slots.get_attribute = super_attribute;
    made->slots.get = super_get;
    made->slots.construct = super_construct;
    made->slots.initialize = [](const Value&, const Arguments&) {};
    made->slots.repr = super_repr;
    made->add(kAttributes);
    return made;
  }();
  return type;
}

void Super::traverse(Visitor& visitor) {
  visitor.visit(start);
  visitor.visit(self);
  visitor.visit(self_class);
}

void Super::clear_references() { self = Value::none(); }

Value make_super(const Value& cls, const Value& self) {
  return bound_super(&Super::type_object(), cls, self);
}

}  // namespace strider::lang
