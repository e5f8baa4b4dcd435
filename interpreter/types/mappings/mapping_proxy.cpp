// mappingproxy passes everything but changes on to its mapping.
#include "interpreter/types/mappings/mapping_proxy.h"

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class MappingProxy final : public Container {
 public:
  explicit MappingProxy(const Value& mapping)
      : Container(Layout::kOther, &mapping_proxy_type()), mapping(mapping) {}
  void traverse(Visitor& visitor) override { visitor.visit(mapping); }
  void clear_references() override { mapping = Value::none(); }
  Value mapping;
};

const Value& mapping_of(const Value& value) { return value.as<MappingProxy>()->mapping; }

Value proxy_repr(const Value& self) {
  return make_str("mappingproxy(" + repr_text(mapping_of(self)) + ")");
}

Value unwrap(const Value& value) {
  return is_exactly(value, mapping_proxy_type()) ? mapping_of(value) : value;
}

Value proxy_compare(CompareOperator op, const Value& self, const Value& other) {
  return compare(op, mapping_of(self), unwrap(other));
}

Value proxy_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op != BinaryOperator::kBitOr) return Value();
  return binary(op, mapping_of(self), unwrap(other));
}

Value proxy_reflected(BinaryOperator op, const Value& self, const Value& other) {
  if (op != BinaryOperator::kBitOr) return Value();
  return binary(op, unwrap(other), mapping_of(self));
}

Value proxy_construct(Type*, const Arguments& arguments) {
  check_arity(arguments, "mappingproxy", 1, 1);
  const Value& mapping = arguments.values[0];
  if (!type_of(mapping)->slots.get_item || is_list(mapping) || is_tuple(mapping))
    raise(errors::TypeError, "mappingproxy() argument must be a mapping, not {}",
          type_name(mapping));
  return make_mapping_proxy(mapping);
}

template <const char* name>
Value forward(const Parameters& parameters) {
  static const Name method = intern(name);
  return call_method(mapping_of(parameters[0]), method);
}

constexpr char kKeys[] = "keys", kValues[] = "values", kItems[] = "items", kCopy[] = "copy",
               kReversed[] = "__reversed__";

Value get(const Parameters& parameters) {
  static const Name method = intern("get");
  return call_method(mapping_of(parameters[0]), method, parameters[1], parameters[2]);
}

constexpr NativeRow kMethods[] = {
    {"get(self, key, default=None, /)", get, "The value of key, or default."},
    {"keys(self, /)", forward<kKeys>, "A view of the keys."},
    {"values(self, /)", forward<kValues>, "A view of the values."},
    {"items(self, /)", forward<kItems>, "A view of (key, value) pairs."},
    {"copy(self, /)", forward<kCopy>, "A copy of the mapping behind."},
    {"__reversed__(self, /)", forward<kReversed>, "A reverse iterator over the keys."},
    {"classmethod __class_getitem__(cls, item, /)", class_getitem, "See PEP 585."},
};

}  // namespace

Type& mapping_proxy_type() {
  static bool ready = false;
  static Type& type = new_type("mappingproxy", Type::object_type());
  if (ready) return type;
  ready = true;
  type.set(Type::kMappingPattern);
  type.doc = "A read-only view of a mapping.";
  type.slots.repr = proxy_repr;
  type.slots.str = [](const Value& self) -> Value { return str(mapping_of(self)); };
  type.slots.hash = nullptr;
  type.slots.length = [](const Value& self) { return length(mapping_of(self)); };
  type.slots.get_item = [](const Value& self, const Value& key) {
    return get_item(mapping_of(self), key);
  };
  type.slots.contains = [](const Value& self, const Value& key) {
    return contains(mapping_of(self), key);
  };
  type.slots.iterate = [](const Value& self) { return iterate(mapping_of(self)); };
  type.slots.compare = proxy_compare;
  type.slots.binary = proxy_binary;
  type.slots.reflected = proxy_reflected;
  type.slots.operators = {"|", "|", ""};
  type.slots.construct = proxy_construct;
  type.add(kMethods);
  return type;
}

Value make_mapping_proxy(const Value& mapping) { return make<MappingProxy>(mapping); }

}  // namespace strider::lang
