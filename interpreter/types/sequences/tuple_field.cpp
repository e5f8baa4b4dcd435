// Fields of named tuples: read, never written.
#include "interpreter/types/sequences/tuple_field.h"

#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/objects/overriding.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value get_field(const Value& self, const Value& instance, const Value&) {
  return instance.is_empty() || instance.is_none() ? self : self.as<TupleField>()->of(instance);
}

void refuse_change(const Value&, const Value&, const Value& value) {
  raise(errors::AttributeError, "can't {} attribute", value.is_empty() ? "delete" : "set");
}

Value field_repr(const Value& self) {
  auto* field = self.as<TupleField>();
  return make_str(fmt::format("_tuplegetter({}, {})", field->index, repr_text(field->doc)));
}

Value construct_field(Type* cls, const Arguments& arguments) {
  static const Signature& signature = *new Signature("_tuplegetter(index, doc, /)");
  Value p[2];
  bind_constructor(signature, arguments_for_builtin(arguments, *cls, names().init), p);
  std::int64_t index = to_int64(p[0]);
  if (index < 0) raise(errors::ValueError, "index must not be negative");
  return make<TupleField>(static_cast<std::size_t>(index), p[1]);
}

Value reduce_field(const Parameters& p) {
  auto* field = p[0].as<TupleField>();
  Value index = Value::integer(static_cast<std::int64_t>(field->index));
  return make_tuple({Value(type_of(p[0])), Value(make_tuple({index, field->doc}))});
}

const NativeRow kMethods[] = {
    {"__reduce__(self, /)", reduce_field, "What makes the same descriptor."},
};

const PropertyRow kProperties[] = {
    {"__doc__", [](const Value& self) { return self.as<TupleField>()->doc; },
     [](const Value& self, const Value& doc) { self.as<TupleField>()->doc = doc; },
     "The documentation."},
};

}  // namespace

TupleField::TupleField(std::size_t field_index, const Value& field_doc)
    : Object(Layout::kOther, &type_object()), index(field_index), doc(field_doc) {}

Type& TupleField::type_object() {
  static Type& type = *[] {
    Type& made = new_type("_tuplegetter", Type::object_type());
    made.module = "_collections";
    made.instance_layout = Layout::kOther;
    made.slots.construct = construct_field;
    made.slots.get = get_field;
    made.slots.set = refuse_change;
    made.slots.repr = field_repr;
    made.add(kMethods);
    made.add(kProperties);
    return &made;
  }();
  return type;
}

Value TupleField::of(const Value& instance) const {
  if (!is_tuple(instance))
    raise(errors::TypeError,
          "descriptor for index '{}' for tuple subclasses doesn't apply to '{}' "
          "object",
          index, type_name(instance));
  const Tuple& tuple = *instance.as<Tuple>();
  if (index >= tuple.size()) raise(errors::IndexError, "tuple index out of range");
  return tuple[index];
}

}  // namespace strider::lang
