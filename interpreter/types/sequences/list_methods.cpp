// The methods of lists but sort.
#include "interpreter/types/sequences/list_methods.h"

#include <algorithm>
#include <span>

#include "interpreter/runtime/value/value_rows.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence_iterator.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

static void append_all(Values& items, std::span<const Value> more) {
  if (items.empty()) {
    items.reserve(even_room(more.size()));
    items.copy(more.data(), more.data() + more.size());
  } else {
    append_values(items, more);
  }
}

static void append_keys(Values& items, const Dict& dict) {
  if (items.empty()) items.reserve(even_room(dict.size()));
  for (const Dict::Entry& entry : dict.entries())
    if (!entry.key.is_empty()) items.push_back(entry.key);
}

static void append_bytes(Values& items, std::string_view bytes) {
  if (items.empty()) items.reserve(even_room(bytes.size()));
  for (char byte : bytes) items.push_back(Value::integer(static_cast<unsigned char>(byte)));
}

void extend_list(List& list, const Value& iterable) {
  auto& items = list.items;
  if (iterable.is_object() && iterable.object() == &list) {
    Values copy = items;
    items.insert(items.end(), copy.begin(), copy.end());
    return;
  }
  if (is_exactly(iterable, Tuple::type_object()))
    return append_all(items, iterable.as<Tuple>()->items());
  if (is_exactly(iterable, List::type_object())) {
    const Values& more = iterable.as<List>()->items;
    return append_all(items, {more.begin(), more.end()});
  }
  if (is_exactly(iterable, Str::type_object())) {
    Values more = std::move(to_list(iterable)->items);
    return items.empty() ? items.swap(more) : append_all(items, {more.begin(), more.end()});
  }
  if (is_exactly(iterable, Bytes::type_object()))
    return append_bytes(items, iterable.as<Bytes>()->bytes());
  if (is_exactly(iterable, Dict::type_object())) return append_keys(items, *iterable.as<Dict>());
  Value iterator = iterate(iterable);
  constexpr std::int64_t kMostBelieved = 1 << 24;  // iterables may tell anything
  std::int64_t expected = std::min(length_hint(iterable), kMostBelieved);  // or refuse to
  if (items.empty()) items.reserve(even_room(static_cast<std::size_t>(expected)));
  append_rest(items, iterator);
}

namespace {

Values& items_of(const Value& value) { return value.as<List>()->items; }

std::int64_t size_of(const Values& items) { return static_cast<std::int64_t>(items.size()); }

Value append(const Parameters& parameters) {
  items_of(parameters[0]).push_back(parameters[1]);
  return Value::none();
}

Value extend(const Parameters& parameters) {
  extend_list(*parameters[0].as<List>(), parameters[1]);
  return Value::none();
}

Value insert(const Parameters& parameters) {
  auto& items = items_of(parameters[0]);
  std::int64_t index = to_int64(parameters[1]);
  if (index < 0) index += size_of(items);
  index = std::clamp<std::int64_t>(index, 0, size_of(items));
  items.insert(items.begin() + index, parameters[2]);
  return Value::none();
}

// The place of `item` in a list that comparing may change, or -1.
std::int64_t find(const Values& items, const Value& item, std::int64_t start, std::int64_t stop) {
  for (std::int64_t i = start; i < stop && i < size_of(items); ++i) {
    Value candidate = items[static_cast<std::size_t>(i)];
    if (equal(candidate, item)) return i;
  }
  return -1;
}

Value remove(const Parameters& parameters) {
  auto& items = items_of(parameters[0]);
  std::int64_t index = find(items, parameters[1], 0, size_of(items));
  if (index < 0 || index >= size_of(items))
    return fail(errors::ValueError, "list.remove(x): x not in list");
  Value dropped = std::move(items[static_cast<std::size_t>(index)]);
  items.erase(items.begin() + index);
  return Value::none();
}

Value pop(const Parameters& parameters) {
  auto& items = items_of(parameters[0]);
  std::int64_t index = to_int64(parameters[1]);
  if (items.empty()) return fail(errors::IndexError, "pop from empty list");
  if (index < 0) index += size_of(items);
  if (index < 0 || index >= size_of(items))
    return fail(errors::IndexError, "pop index out of range");
  Value result = std::move(items[static_cast<std::size_t>(index)]);
  items.erase(items.begin() + index);
  return result;
}

Value clear(const Parameters& parameters) {
  parameters[0].as<List>()->clear_references();
  return Value::none();
}

Value index(const Parameters& parameters) {
  auto& items = items_of(parameters[0]);
  SearchRange range = search_range(parameters[2], parameters[3], size_of(items));
  std::int64_t found = find(items, parameters[1], range.start, range.stop);
  if (found < 0) return fail(errors::ValueError, "{} is not in list", repr_text(parameters[1]));
  return Value::integer(found);
}

Value count(const Parameters& parameters) {
  auto& items = items_of(parameters[0]);
  std::int64_t found = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Value item = items[i];
    found += equal(item, parameters[1]);
  }
  return Value::integer(found);
}

Value sort(const Parameters& parameters) {
  sort_list(*parameters[0].as<List>(), parameters[1], truth(parameters[2]));
  return Value::none();
}

Value reverse(const Parameters& parameters) {
  Values& items = items_of(parameters[0]);
  Value *first = items.begin(), *last = items.end();
  while (last - first > 1) first++->swap(*--last);
  return Value::none();
}

Value copy(const Parameters& parameters) { return make_list(items_of(parameters[0])); }

Value reversed(const Parameters& parameters) { return make_list_reverse_iterator(parameters[0]); }

constexpr NativeRow kMethods[] = {
    {"append(self, object, /)", append, "Append object to the end of the list."},
    {"extend(self, iterable, /)", extend, "Extend list by appending elements from the iterable."},
    {"insert(self, index, object, /)", insert, "Insert object before index."},
    {"remove(self, value, /)", remove,
     "Remove first occurrence of value; ValueError if it is not present."},
    {"pop(self, index=-1, /)", pop,
     "Remove and return item at index (default last); IndexError if there is none."},
    {"clear(self, /)", clear, "Remove all items from list."},
    {"index(self, value, start=0, stop=9223372036854775807, /)", index,
     "Return first index of value; ValueError if it is not present."},
    {"count(self, value, /)", count, "Return number of occurrences of value."},
    {"sort(self, /, *, key=None, reverse=False)", sort,
     "Sort the list in ascending order, in place and stably."},
    {"reverse(self, /)", reverse, "Reverse in place."},
    {"copy(self, /)", copy, "Return a shallow copy of the list."},
    {"__reversed__(self, /)", reversed, "Return a reverse iterator over the list."},
    {"classmethod __class_getitem__(cls, item, /)", class_getitem, "See PEP 585."},
};

}  // namespace

void add_list_methods(Type& type) { type.add(kMethods); }

}  // namespace strider::lang
