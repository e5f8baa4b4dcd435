// What the language can do with dicts.
#include <new>

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/mappings/dict_view.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Dict& dict_of(const Value& value) { return *value.as<Dict>(); }

Value dict_repr(const Value& self) {
  ReprGuard guard(self.object());
  if (guard.inside()) return make_str("{...}");
  check_stack("maximum recursion depth exceeded while getting the repr of an object");
  std::string text = "{";
  for (std::size_t i = 0; i < dict_of(self).entries().size(); ++i) {
    Dict::Entry entry = dict_of(self).entries()[i];
    if (entry.key.is_empty()) continue;
    if (text.size() > 1) text += ", ";
    text += repr_text(entry.key);
    text += ": ";
    text += repr_text(entry.value);
  }
  return make_str(text + "}");
}

std::int64_t dict_length(const Value& self) {
  return static_cast<std::int64_t>(dict_of(self).size());
}

Value dict_get_item(const Value& self, const Value& key) {
  if (const Value* place = dict_of(self).find(key)) return *place;
  if (!is_exactly(self, Dict::type_object())) {
    Value missing = find_special(self, names().missing);
    if (!missing.is_empty()) return call(missing, key);
  }
  raise_value(errors::KeyError(), key);
}

void dict_set_item(const Value& self, const Value& key, const Value& value) {
  if (!value.is_empty()) return dict_of(self).set(key, value);
  if (!dict_of(self).erase(key)) raise_value(errors::KeyError(), key);
}

bool dict_contains(const Value& self, const Value& key) { return dict_of(self).find(key); }

Value dict_iterate(const Value& self) { return make_dict_iterator(self, DictPart::kKeys); }

// --- update ---

bool walks_as_dict(const Value& value) {
  return is_dict(value) && type_of(value)->slots.iterate == dict_iterate &&
         type_of(value)->slots.get_item == dict_get_item;
}

void update_from_keys(const Value& self, const Value& mapping) {
  Value keys = call_method(mapping, names().keys);
  Iteration iteration(keys);
  Value key;
  while (iteration.next(key)) dict_of(self).set(key, get_item(mapping, key));
}

Ref<Tuple> pair_of(const Value& element, std::size_t index) {
  const Slots& slots = type_of(element)->slots;
  if (!slots.iterate && !slots.get_item)
    raise(errors::TypeError, "cannot convert dictionary update sequence element #{} to a sequence",
          index);
  Ref<Tuple> pair = to_tuple(element);
  if (pair->size() != 2)
    raise(errors::ValueError, "dictionary update sequence element #{} has length {}; 2 is required",
          index, pair->size());
  return pair;
}

// Of an iterator that gives pairs in parts no pairs are made; false of others.
bool update_from_parts(const Value& self, const Value& iterable) {
  if (!iterable.has_layout(Layout::kIterator)) return false;
  auto& iterator = *iterable.as<Iterator>();
  if (iterator.part_count() != 2) return false;
  for (Value parts[2]; iterator.advance_parts(parts);) {
    dict_of(self).set(parts[0], parts[1]);
    parts[0] = parts[1] = Value();
  }
  return true;
}

void update_from_pairs(const Value& self, const Value& iterable) {
  if (update_from_parts(self, iterable)) return;
  Iteration iteration(iterable);
  Value element;
  for (std::size_t index = 0; iteration.next(element); ++index) {
    Ref<Tuple> pair = pair_of(element, index);
    dict_of(self).set((*pair)[0], (*pair)[1]);
  }
}

void update_from(const Value& self, const Value& other) {
  if (walks_as_dict(other)) return dict_of(self).update(dict_of(other));
  if (is_dict(other) || has_attribute(other, names().keys)) return update_from_keys(self, other);
  update_from_pairs(self, other);
}

Value update(const Parameters& parameters) {
  if (parameters.has(1)) update_from(parameters[0], parameters[1]);
  dict_of(parameters[0]).update(dict_of(parameters[2]));
  return Value::none();
}

void dict_initialize(const Value& self, const Arguments& arguments) {
  check_arity(Arguments(arguments.values, arguments.count), "dict", 0, 1);
  if (arguments.count == 1) update_from(self, arguments.values[0]);
  for (const KeywordArgument& keyword : arguments.named())
    dict_of(self).set(keyword.name, keyword.value);
}

Value dict_construct(Type* cls, const Arguments&) { return make_instance<Dict>(cls); }

// --- Operators ---

Ref<Dict> copy_of(const Dict& dict) {
  Ref<Dict> copy = make_dict();
  copy->update(dict);
  return copy;
}

Value merged(const Value& left, const Value& right) {
  if (!is_dict(left) || !is_dict(right)) return Value();
  Ref<Dict> result = copy_of(dict_of(left));
  result->update(dict_of(right));
  return result;
}

Value dict_binary(BinaryOperator op, const Value& self, const Value& other) {
  return op == BinaryOperator::kBitOr ? merged(self, other) : Value();
}

Value dict_reflected(BinaryOperator op, const Value& self, const Value& other) {
  return op == BinaryOperator::kBitOr ? merged(other, self) : Value();
}

Value dict_inplace(BinaryOperator op, const Value& self, const Value& other) {
  if (op != BinaryOperator::kBitOr) return Value();
  update_from(self, other);
  return self;
}

bool same_items(Dict& left, Dict& right) {
  if (left.size() != right.size()) return false;
  check_stack("maximum recursion depth exceeded in comparison");
  for (std::size_t i = 0; i < left.entries().size(); ++i) {
    Dict::Entry entry = left.entries()[i];
    if (entry.key.is_empty()) continue;
    const Value* place = right.find(entry.key, entry.hash);
    if (!place) return false;
    Value value = *place;
    if (!equal(entry.value, value)) return false;
  }
  return true;
}

Value dict_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !is_dict(other)) return Value();
  return Value::boolean(same_items(dict_of(self), dict_of(other)) == (op == CompareOperator::kEq));
}

// --- Methods ---

Value get(const Parameters& parameters) {
  const Value* place = dict_of(parameters[0]).find(parameters[1]);
  return place ? *place : parameters[2];
}

Value set_default(const Parameters& parameters) {
  Value& place = dict_of(parameters[0]).slot(parameters[1]);
  if (place.is_empty()) place = parameters[2];
  return place;
}

Value pop(const Parameters& parameters) {
  Dict& dict = dict_of(parameters[0]);
  const Value* place = dict.find(parameters[1]);
  if (!place) {
    if (parameters.has(2)) return parameters[2];
    return fail_value(errors::KeyError(), parameters[1]);
  }
  Value value = *place;
  dict.erase(parameters[1]);
  return value;
}

Value pop_item(const Parameters& parameters) {
  Dict& dict = dict_of(parameters[0]);
  if (dict.size() == 0) return fail(errors::KeyError, "popitem(): dictionary is empty");
  return dict.pop_last();
}

Value keys(const Parameters& parameters) { return make_dict_view(parameters[0], DictPart::kKeys); }
Value values(const Parameters& parameters) {
  return make_dict_view(parameters[0], DictPart::kValues);
}
Value items(const Parameters& parameters) {
  return make_dict_view(parameters[0], DictPart::kItems);
}

Value clear(const Parameters& parameters) {
  dict_of(parameters[0]).clear();
  return Value::none();
}

Value copy(const Parameters& parameters) { return copy_of(dict_of(parameters[0])); }

Value reversed(const Parameters& parameters) {
  return make_dict_iterator(parameters[0], DictPart::kKeys, true);
}

Value from_keys(const Parameters& parameters) {
  Value result = call(parameters[0]);
  bool plain = is_exactly(result, Dict::type_object());
  const Value& keys = parameters[1];
  if (plain && (is_exactly(keys, Set::set_type()) || is_exactly(keys, Set::frozenset_type()))) {
    const Set& set = *keys.as<Set>();  // which knows their hashes
    for (std::size_t i = 0; i < set.entries().size(); ++i) {
      Set::Entry entry = set.entries()[i];
      if (!entry.key.is_empty()) dict_of(result).set(entry.key, parameters[2], entry.hash);
    }
    return result;
  }
  Iteration iteration(keys);
  Value key;
  while (iteration.next(key)) {
    if (plain)
      dict_of(result).set(key, parameters[2]);
    else
      set_item(result, key, parameters[2]);
  }
  return result;
}

constexpr NativeRow kMethods[] = {
    {"get(self, key, default=None, /)", get,
     "Return the value for key if key is in the dictionary, else default."},
    {"setdefault(self, key, default=None, /)", set_default,
     "Insert key with a value of default if key is not in the dictionary; return its value."},
    {"pop(self, key, default=<none>, /)", pop,
     "Remove key and return its value, or default; KeyError if neither is there."},
    {"popitem(self, /)", pop_item, "Remove and return the last (key, value) pair."},
    {"keys(self, /)", keys, "A set-like view of the keys."},
    {"values(self, /)", values, "A view of the values."},
    {"items(self, /)", items, "A set-like view of the (key, value) pairs."},
    {"update(self, other=<none>, /, **items)", update,
     "Take over all items of a mapping or of an iterable of pairs."},
    {"clear(self, /)", clear, "Remove all items."},
    {"copy(self, /)", copy, "Return a shallow copy."},
    {"classmethod fromkeys(cls, iterable, value=None, /)", from_keys,
     "Create a new dictionary with keys from iterable and all values set to value."},
    {"__reversed__(self, /)", reversed, "Return a reverse iterator over the keys."},
    {"classmethod __class_getitem__(cls, item, /)", class_getitem, "See PEP 585."},
};

void define_dict(Type& type) {
  type.instance_layout = Layout::kDict;
  type.set(Type::kSubclassable);
  type.set(Type::kMappingPattern);
  type.doc = "A mapping from keys to values, in order of insertion.";
  type.slots.repr = dict_repr;
  type.slots.hash = nullptr;
  type.slots.length = dict_length;
  type.slots.get_item = dict_get_item;
  type.slots.set_item = dict_set_item;
  type.slots.contains = dict_contains;
  type.slots.iterate = dict_iterate;
  type.slots.binary = dict_binary;
  type.slots.reflected = dict_reflected;
  type.slots.inplace = dict_inplace;
  type.slots.operators = {"|", "|", "|"};
  type.slots.compare = dict_compare;
  type.slots.construct = dict_construct;
  type.slots.initialize = dict_initialize;
  type.add(kMethods);
}

}  // namespace

Value Dict::pop_last() {
  const Entry& last = entries_.back();  // erasing leaves no deleted entry at the end
  Ref<Tuple> pair = make_tuple({last.key, last.value});
  erase_entry(entries_.size() - 1);
  return pair;
}

// The address is known before the type is built: types keep their attributes in Dicts.
Type& Dict::type_object() {
  alignas(Type) static unsigned char storage[sizeof(Type)];
  static bool started = false;
  Type* type = reinterpret_cast<Type*>(storage);
  if (!started) [[unlikely]] {
    started = true;
    Type* base = &Type::object_type();
    ::new (storage) Type("dict", base);
    type->retain();
    define_dict(*type);
  }
  return *type;
}

}  // namespace strider::lang
