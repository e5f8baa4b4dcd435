// super(). Source: docs.python.org/3.11/library/functions.html#super.
#include "interpreter/types/objects/super.h"

#include <algorithm>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value super_attribute(const Value& self, Name name) {
  auto* super = self.as<Super>();
  if (name == names().class_) return Value(&Super::type_object());
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
  return make_str(fmt::format("<super: <class '{}'>, <{} object>>", super->start->name(),
                              super->self_class->name()));
}

Value super_construct(Type*, const Arguments& arguments) {
  if (arguments.count == 0) raise(errors::RuntimeError, "super(): no arguments");
  if (arguments.count != 2)
    raise(errors::TypeError, "super() takes 0 or 2 arguments ({} given)", arguments.count);
  return make_super(arguments.values[0], arguments.values[1]);
}

}  // namespace

Super::Super(Type* start_class, const Value& object, Type* object_class)
    : Container(Layout::kOther, &type_object()),
      start(start_class),
      self(object),
      self_class(object_class) {}

Type& Super::type_object() {
  static Type& type = *[] {
    auto* made = new Type("super", &Type::object_type());
    made->instance_layout = Layout::kOther;
    made->slots.get_attribute = super_attribute;
    made->slots.construct = super_construct;
    made->slots.initialize = [](const Value&, const Arguments&) {};
    made->slots.repr = super_repr;
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
  if (!cls.has_layout(Layout::kType))
    raise(errors::TypeError, "super() argument 1 must be a type, not {}", type_name(cls));
  auto* start = cls.as<Type>();
  if (self.has_layout(Layout::kType) && self.as<Type>()->is_subclass_of(start))
    return make<Super>(start, self, self.as<Type>());
  if (is_instance(self, *start)) return make<Super>(start, self, type_of(self));
  for (Type* each : type_of(self)->mro())
    if (each->stands_for == start) return make<Super>(each, self, type_of(self));
  raise(errors::TypeError, "super(type, obj): obj must be an instance or subtype of type");
}

}  // namespace strider::lang
