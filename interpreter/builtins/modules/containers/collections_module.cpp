// The module _collections: deque, defaultdict and what Counter counts with.
#include <algorithm>

#include "interpreter/builtins/modules/containers/deque.h"
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/mappings/dict_view.h"
#include "interpreter/types/sequences/tuple_field.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// A dict that makes the values of missing keys by calling a factory.
class DefaultDict : public Dict {
 public:
  explicit DefaultDict(Type* type) : Dict(type) {}
  static Type& type_object();
  void traverse(Visitor& visitor) override {
    Dict::traverse(visitor);
    visitor.visit(factory);
  }
  void clear_references() override {
    Dict::clear_references();
    factory = Value::none();
  }
  Value factory = Value::none();
};

DefaultDict& dict_of(const Value& value) { return *value.as<DefaultDict>(); }

Value make_missing(const Value& self, const Value& key) {
  Value factory = dict_of(self).factory;
  if (factory.is_none()) raise_value(errors::KeyError(), key);
  Value value = call(factory);
  set_item(self, key, value);
  return value;
}

Value default_get_item(const Value& self, const Value& key) {
  if (const Value* place = dict_of(self).find(key)) return *place;
  if (is_exactly(self, DefaultDict::type_object())) return make_missing(self, key);
  return call(find_special(self, names().missing), key);
}

Value default_repr(const Value& self) {
  ReprGuard guard(self.object());
  std::string factory = guard.inside() ? "..." : repr_text(dict_of(self).factory);
  Ref<Dict> plain = make_dict();
  plain->update(dict_of(self));
  return make_str(
      fmt::format("{}({}, {})", plain_name(*type_of(self)), factory, repr_text(Value(plain))));
}

Ref<DefaultDict> copy_of(const Value& self) {
  Ref<DefaultDict> copy = make_instance<DefaultDict>(self.object()->type());
  copy->factory = dict_of(self).factory;
  copy->update(dict_of(self));
  return copy;
}

Value default_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op != BinaryOperator::kBitOr || !is_dict(other)) return Value();
  Ref<DefaultDict> result = copy_of(self);
  result->update(*other.as<Dict>());
  return result;
}

Value default_reflected(BinaryOperator op, const Value& self, const Value& other) {
  if (op != BinaryOperator::kBitOr || !is_dict(other)) return Value();
  Ref<DefaultDict> result = make_instance<DefaultDict>(self.object()->type());
  result->factory = dict_of(self).factory;
  result->update(*other.as<Dict>());
  result->update(dict_of(self));
  return result;
}

Value default_construct(Type* cls, const Arguments&) { return make_instance<DefaultDict>(cls); }

void default_initialize(const Value& self, const Arguments& arguments) {
  Arguments rest = arguments;
  if (arguments.count > 0) {
    const Value& factory = arguments.values[0];
    if (!factory.is_none() && !is_callable(factory))
      raise(errors::TypeError, "first argument must be callable or None");
    dict_of(self).factory = factory;
    ++rest.values;
    --rest.count;
  }
  Dict::type_object().slots.initialize(self, rest);
}

const NativeRow kMethods[] = {
    {"__missing__(self, key, /)", [](const Parameters& p) { return make_missing(p[0], p[1]); },
     "The value for a key that is not there yet."},
    {"copy(self, /)", [](const Parameters& p) { return Value(copy_of(p[0])); },
     "Return a shallow copy."},
    {"__copy__(self, /)", [](const Parameters& p) { return Value(copy_of(p[0])); },
     "Return a shallow copy."},
};

const PropertyRow kProperties[] = {
    {"default_factory", [](const Value& self) { return dict_of(self).factory; },
     [](const Value& self, const Value& value) {
       dict_of(self).factory = value.is_empty() ? Value::none() : value;
     },
     "What makes the values of missing keys."},
};

Type& DefaultDict::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("defaultdict", "collections", Dict::type_object());
    made.doc = "A dict that makes the values of missing keys by calling a factory.";
    made.set(Type::kSubclassable);
    made.slots.get_item = default_get_item;
    made.slots.repr = default_repr;
    made.slots.binary = default_binary;
    made.slots.reflected = default_reflected;
    made.slots.construct = default_construct;
    made.slots.initialize = default_initialize;
    made.add(kMethods);
    made.add(kProperties);
    return &made;
  }();
  return type;
}

// Adds one to the count of an element. Counts that are small ints are changed in place.
void count_element(Dict& counts, const Value& element) {
  std::int64_t element_hash = hash(element);
  Value* place = counts.find(element, element_hash);
  bool small = place && place->is_int() && place->as_int() < std::int64_t{1} << 62;
  if (!place) {
    counts.set(element, Value::integer(1), element_hash);
  } else if (small) {
    *place = Value::integer(place->as_int() + 1);
  } else {
    Value count = binary(BinaryOperator::kAdd, Value(*place), Value::integer(1));
    counts.set(element, count, element_hash);
  }
}

// Whether items are read and written by no code but that of dict.
bool counts_plainly(const Value& mapping) {
  static const Name kMethods[] = {intern("get"), intern("__setitem__")};
  if (!is_dict(mapping)) return false;
  return std::ranges::all_of(kMethods, [&](Name name) {
    const Value *own = mapping.object()->type()->lookup(name),
                *plain = Dict::type_object().lookup(name);
    return own == plain || (own && plain && identical(*own, *plain));
  });
}

Value count_elements(const Parameters& p) {
  static const Name get = intern("get");
  bool plain = counts_plainly(p[0]);
  Iteration elements(p[1]);
  Value element;
  while (elements.next(element)) {
    if (plain) {
      count_element(*p[0].as<Dict>(), element);
    } else {
      Value count = call_method(p[0], get, element, Value::integer(0));
      set_item(p[0], element, binary(BinaryOperator::kAdd, count, Value::integer(1)));
    }
  }
  return Value::none();
}

void give_pattern(Type& cls, Type::Flag pattern) {
  if (cls.has(pattern) || !cls.has(Type::kUserDefined)) return;
  cls.set(pattern);
  for (Type* each : cls.subclasses()) give_pattern(*each, pattern);
}

// Patterns of sequences or mappings match instances of a class from now on.
Value matches_as(const Parameters& p) {
  if (!p[0].has_layout(Layout::kType)) return Value::none();
  auto pattern = text_of(p[1]) == "sequence" ? Type::kSequencePattern : Type::kMappingPattern;
  give_pattern(*p[0].as<Type>(), pattern);
  return Value::none();
}

// A class that is registered with another matches as that does.
Value matches_like(const Parameters& p) {
  for (const Value& each : {p[0], p[1]})
    if (!each.has_layout(Layout::kType)) raise(errors::TypeError, "classes match, not others");
  for (Type::Flag pattern : {Type::kSequencePattern, Type::kMappingPattern})
    if (p[1].as<Type>()->has(pattern)) give_pattern(*p[0].as<Type>(), pattern);
  return Value::none();
}

Value make_ordered(const Parameters& p) {
  add_ordered_methods(*p[0].as<Type>());
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"_matches_as(cls, kind, /)", matches_as, "Has patterns of a kind match a class."},
    {"_matches_like(cls, other, /)", matches_like, "Has patterns match a class as another."},
    {"_make_ordered(cls, /)", make_ordered,
     "Gives a class of dicts what is native of OrderedDict."},
    {"_count_elements(mapping, iterable, /)", count_elements,
     "Count elements in the iterable, updating the mapping."},
};

const ConstantRow kTypes[] = {
    {"deque", [] { return Value(&Deque::type_object()); }},
    {"defaultdict", [] { return Value(&DefaultDict::type_object()); }},
    {"_tuplegetter", [] { return Value(&TupleField::type_object()); }},
};

}  // namespace

const NativeModule kCollectionsModule = {"_collections", "deque, defaultdict and counting.",
                                         kFunctions, kTypes};

}  // namespace strider::lang
