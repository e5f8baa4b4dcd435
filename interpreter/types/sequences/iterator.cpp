// The types of native iterators.
#include "interpreter/types/sequences/iterator.h"

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

Value iterate_self(const Value& self) { return self; }

bool advance(const Value& self, Value& item) { return self.as<Iterator>()->advance(item); }

Value length_hint_of(const Parameters& parameters) {
  std::int64_t count = parameters[0].as<Iterator>()->remaining();
  return count < 0 ? not_implemented() : Value::integer(count);
}

constexpr NativeRow kMethods[] = {
    {"__reduce__(self, /)", [](const Parameters& p) { return p[0].as<Iterator>()->reduced(); },
     "What rebuilds the iterator as it stands."},
    {"__setstate__(self, state, /)",
     [](const Parameters& p) {
       p[0].as<Iterator>()->set_place(to_int64(p[1]));
       return Value::none();
     },
     "Takes the place that __reduce__ gave."},
    {"__length_hint__(self, /)", length_hint_of, "Items still to come, as far as known."},
};

}  // namespace

Value Iterator::reduced() {
  raise(errors::TypeError, "cannot pickle '{}' object", type()->name());
}

Value Iterator::rebuilt_by(const Value& function, Values arguments, std::int64_t place) {
  Values parts{function, Value(make_tuple(std::move(arguments)))};
  if (place >= 0) parts.push_back(Value::integer(place));
  return make_tuple(std::move(parts));
}

Value Iterator::rebuilt_by(std::string_view function, Values arguments, std::int64_t place) {
  Value builtins(Interpreter::current().builtins_module);
  return rebuilt_by(get_attribute(builtins, intern(function)), std::move(arguments), place);
}

void append_rest(Values& items, const Value& iterator) {
  if (iterator.has_layout(Layout::kIterator) && iterator.as<Iterator>()->append_rest(items)) return;
  for (Value item; next(iterator, item);) items.push_back(std::move(item));
}

Type* make_iterator_type(std::string_view name) {
  Type* type = new Type(name, &Type::object_type());
  type->retain();
  type->instance_layout = Layout::kIterator;
  type->slots.iterate = iterate_self;
  type->slots.next = advance;
  type->add(kMethods);
  return type;
}

}  // namespace strider::lang
