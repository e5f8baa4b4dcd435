// Items, lengths, membership and iteration of any value.
#include <algorithm>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/objects/generic_alias.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Iterates by calling __getitem__ with 0, 1, 2… until IndexError (the old sequence protocol).
class IndexIterator final : public Iterator {
 public:
  explicit IndexIterator(const Value& sequence) : Iterator(type()), sequence_(sequence) {}
  bool advance(Value& item) override {
    if (sequence_.is_empty()) return false;
    if (index_ == std::numeric_limits<std::int64_t>::max())
      raise(errors::OverflowError, "iter index too large");
    try {
      item = get_item(Value(sequence_), Value::integer(index_++));
      return true;
    } catch (const Raised& raised) {
      Type* type = raised.exception->type();
      if (!type->is_subclass_of(&errors::IndexError()) &&
          !type->is_subclass_of(&errors::StopIteration()))
        throw;
    }
    sequence_ = Value();
    return false;
  }
  Value reduced() override {
    if (sequence_.is_empty()) return rebuilt_by("iter", {Value(make_tuple(Values()))});
    return rebuilt_by("iter", {sequence_}, index_);
  }
  void set_place(std::int64_t place) override { index_ = std::max<std::int64_t>(place, 0); }
  void traverse(Visitor& visitor) override { visitor.visit(sequence_); }
  void clear_references() override { sequence_ = Value(); }

 private:
  static Type* type() {
    static Type* made = make_iterator_type("iterator");
    return made;
  }
  Value sequence_;
  std::int64_t index_ = 0;
};

}  // namespace

Value get_item(const Value& object, const Value& key) {
  if (auto* slot = type_of(object)->slots.get_item) return slot(object, key);
  if (object.has_layout(Layout::kType)) {
    Value hook = find_attribute(object, names().class_getitem);
    if (!hook.is_empty()) return call(hook, key);
    if (object.as<Type>() == &Type::type_object()) return make_generic_alias(object, key);
    raise(errors::TypeError, "type '{}' is not subscriptable", object.as<Type>()->name());
  }
  raise(errors::TypeError, "'{}' object is not subscriptable", type_name(object));
}

void set_item(const Value& object, const Value& key, const Value& value) {
  auto* slot = type_of(object)->slots.set_item;
  if (!slot)
    raise(errors::TypeError, "'{}' object does not support item assignment", type_name(object));
  slot(object, key, value);
}

void delete_item(const Value& object, const Value& key) {
  auto* slot = type_of(object)->slots.set_item;
  if (!slot) {
    // As CPython: sequences are asked by number.
    bool by_number = is_integer(key) &&
                     (type_of(object)->slots.length || type_of(object)->has(Type::kUserDefined));
    raise(errors::TypeError, "'{}' object {} support item deletion", type_name(object),
          by_number ? "doesn't" : "does not");
  }
  slot(object, key, Value());
}

// Whether __getitem__ alone makes something a sequence of items: not of scalars, nor of what stands
// for them.
static bool is_sequence_by_items(const Value& object) {
  const Type& type = *type_of(object);
  if (type.has(Type::kUserDefined) && type.lookup(names().iter)) return false;  // it is None
  return type.slots.get_item && !type.stands_for && !is_dict(object) &&
         !object.has_layout(Layout::kType) && !object.has_layout(Layout::kNumpyScalar);
}

bool contains(const Value& collection, const Value& item) {
  const Slots& slots = type_of(collection)->slots;
  if (slots.contains) return slots.contains(collection, item);
  if (!slots.iterate && !is_sequence_by_items(collection))
    raise(errors::TypeError, "argument of type '{}' is not iterable", type_name(collection));
  Iteration items(collection);
  Value candidate;
  while (items.next(candidate))
    if (equal(candidate, item)) return true;
  return false;
}

std::int64_t length(const Value& object) {
  if (auto* slot = type_of(object)->slots.length) return slot(object);
  raise(errors::TypeError, "object of type '{}' has no len()", type_name(object));
}

// What __len__ or __length_hint__ of a program's class tell (PEP 424); empty where they tell
// nothing or raise a TypeError.
static Value told_length(const Value& object) {
  try {
    if (auto* slot = type_of(object)->slots.length) return Value::integer(slot(object));
    Value hook = find_special(object, names().length_hint);
    return hook.is_empty() ? Value() : call(hook);
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::TypeError())) throw;
  }
  return Value();
}

std::int64_t length_hint(const Value& object) {
  if (object.has_layout(Layout::kIterator))
    return std::max<std::int64_t>(0, object.as<Iterator>()->remaining());
  const Type* type = type_of(object);
  if (!type->has(Type::kUserDefined)) return type->slots.length ? type->slots.length(object) : 0;
  Value told = told_length(object);
  if (told.is_empty() || identical(told, not_implemented())) return 0;
  if (!is_integer(told))
    raise(errors::TypeError, "__length_hint__ must be an integer, not {}", type_name(told));
  std::int64_t length = to_int64(told);
  if (length < 0) raise(errors::ValueError, "__length_hint__() should return >= 0");
  return length;
}

Value iterate(const Value& object) {
  const Slots& slots = type_of(object)->slots;
  if (slots.iterate) return slots.iterate(object);
  if (!is_sequence_by_items(object))
    raise(errors::TypeError, "'{}' object is not iterable", type_name(object));
  return make<IndexIterator>(object);
}

// Loops in C++ over endless iterators can be interrupted: one step in 256 looks.
static void poll_now_and_then() {
  static thread_local std::uint8_t steps = 0;
  if (++steps == 0 && Interpreter::exists()) [[unlikely]]
    poll_interrupt(Interpreter::current());
}

bool next(const Value& iterator, Value& item) {
  poll_now_and_then();
  if (iterator.has_layout(Layout::kIterator)) return iterator.as<Iterator>()->advance(item);
  if (auto* slot = type_of(iterator)->slots.next) return slot(iterator, item);
  raise(errors::TypeError, "'{}' object is not an iterator", type_name(iterator));
}

Iteration::Iteration(const Value& iterable) {
  bool exact_tuple = is_tuple(iterable) && iterable.as<Tuple>()->is_exact();
  bool exact_list = is_list(iterable) && iterable.as<List>()->is_exact();
  if (exact_tuple || exact_list) {
    object_ = iterable;
    index_ = 0;
  } else {
    object_ = iterate(iterable);
  }
}

bool Iteration::next(Value& item) {
  if (index_ < 0) return lang::next(object_, item);
  auto index = static_cast<std::size_t>(index_);
  if (is_list(object_)) {
    const Values& items = object_.as<List>()->items;
    if (index >= items.size()) return false;
    item = items[index];
  } else {
    if (index >= object_.as<Tuple>()->size()) return false;
    item = (*object_.as<Tuple>())[index];
  }
  ++index_;
  return true;
}

// The characters of text that is all ASCII, which are shared.
static Values characters_of(std::string_view text) {
  Values items;
  items.reserve(even_room(text.size()));
  const Ref<Str>* characters = &ascii_character('\0');
  for (char character : text) items.push_back(characters[static_cast<unsigned char>(character)]);
  return items;
}

static Values collect_items(const Value& iterable) {
  if (type_of(iterable) == &Str::type_object() && iterable.as<Str>()->is_ascii())
    return characters_of(text_of(iterable));
  if (type_of(iterable) == &Tuple::type_object()) {
    std::span<const Value> given = iterable.as<Tuple>()->items();
    Values items;
    items.reserve(even_room(given.size()));
    items.copy(given.data(), given.data() + given.size());
    return items;
  }
  Values items;
  constexpr std::int64_t kMostBelieved = 1 << 24;  // iterables may tell anything
  Value iterator = iterate(iterable);
  items.reserve(
      even_room(static_cast<std::size_t>(std::min(length_hint(iterable), kMostBelieved))));
  append_rest(items, iterator);
  return items;
}

Ref<List> to_list(const Value& iterable) { return make_list(collect_items(iterable)); }

Ref<Tuple> to_tuple(const Value& iterable) {
  if (type_of(iterable) == &Tuple::type_object()) return iterable.as<Tuple>();
  if (type_of(iterable) == &List::type_object()) return make_tuple(iterable.as<List>()->items);
  return make_tuple(collect_items(iterable));
}

}  // namespace strider::lang
