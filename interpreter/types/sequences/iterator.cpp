// The types of native iterators.
#include "interpreter/types/sequences/iterator.h"

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {
namespace {

Value iterate_self(const Value& self) { return self; }

bool advance(const Value& self, Value& item) { return self.as<Iterator>()->advance(item); }

Value length_hint_of(const Parameters& parameters) {
  std::int64_t count = parameters[0].as<Iterator>()->remaining();
  return Value::integer(count < 0 ? 0 : count);
}

constexpr NativeRow kMethods[] = {
    {"__length_hint__(self, /)", length_hint_of, "Items still to come, as far as known."},
};

}  // namespace

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
