// deque: its methods.
#include "interpreter/builtins/modules/containers/deque.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

Deque& deque_of(const Parameters& p) { return *p[0].as<Deque>(); }

Value append(const Parameters& p) {
  deque_of(p).append(p[1]);
  return Value::none();
}

Value append_left(const Parameters& p) {
  deque_of(p).append_left(p[1]);
  return Value::none();
}

Value extend(const Parameters& p) {
  extend_deque(deque_of(p), p[1]);
  return Value::none();
}

Value extend_left(const Parameters& p) {
  bool itself = identical(p[0], p[1]);
  Iteration items(itself ? Value(to_list(p[1])) : p[1]);
  Value item;
  while (items.next(item)) deque_of(p).append_left(item);
  return Value::none();
}

Value pop(const Parameters& p) {
  Deque& deque = deque_of(p);
  if (deque.items.empty()) return fail(errors::IndexError, "pop from an empty deque");
  ++deque.version;
  Value item = std::move(deque.items.back());
  deque.items.pop_back();
  return item;
}

Value pop_left(const Parameters& p) {
  Deque& deque = deque_of(p);
  if (deque.items.empty()) return fail(errors::IndexError, "pop from an empty deque");
  ++deque.version;
  Value item = std::move(deque.items.front());
  deque.items.pop_front();
  return item;
}

Value clear(const Parameters& p) {
  std::deque<Value> dropped;
  dropped.swap(deque_of(p).items);
  ++deque_of(p).version;
  return Value::none();
}

Value copy(const Parameters& p) {
  Ref<Deque> result = make_deque_like(deque_of(p));
  result->items = deque_of(p).items;
  return result;
}

// Calls `visit` with each position whose item equals `item` until it returns true.
template <class Visit>
void find_equal(Deque& deque, const Value& item, std::int64_t start, std::int64_t stop,
                Visit visit) {
  std::uint64_t version = deque.version;
  for (std::int64_t i = start; i < stop; ++i) {
    Value each = deque.items[static_cast<std::size_t>(i)];
    bool same = equal(each, item);
    if (deque.version != version) raise(errors::RuntimeError, "deque mutated during iteration");
    if (same && visit(i)) return;
  }
}

Value count(const Parameters& p) {
  std::int64_t total = 0;
  find_equal(deque_of(p), p[1], 0, deque_of(p).size(), [&](std::int64_t) {
    ++total;
    return false;
  });
  return Value::integer(total);
}

Value index(const Parameters& p) {
  Deque& deque = deque_of(p);
  SearchRange range = search_range(p[2], p[3], deque.size());
  std::int64_t found = -1;
  find_equal(deque, p[1], range.start, std::min(range.stop, deque.size()), [&](std::int64_t i) {
    found = i;
    return true;
  });
  if (found < 0) raise(errors::ValueError, "{} is not in deque", repr_text(p[1]));
  return Value::integer(found);
}

Value insert(const Parameters& p) {
  Deque& deque = deque_of(p);
  if (deque.greatest_length >= 0 && deque.size() >= deque.greatest_length)
    raise(errors::IndexError, "deque already at its maximum size");
  std::int64_t place = to_clamped_index(p[1]);
  if (place < 0) place = std::max<std::int64_t>(0, place + deque.size());
  place = std::min(place, deque.size());
  ++deque.version;
  deque.items.insert(deque.items.begin() + place, p[2]);
  return Value::none();
}

Value remove(const Parameters& p) {
  Deque& deque = deque_of(p);
  std::int64_t found = -1;
  find_equal(deque, p[1], 0, deque.size(), [&](std::int64_t i) {
    found = i;
    return true;
  });
  if (found < 0) raise(errors::ValueError, "{} is not in deque", repr_text(p[1]));
  ++deque.version;
  Value removed = deque.items[static_cast<std::size_t>(found)];
  deque.items.erase(deque.items.begin() + found);
  return Value::none();
}

Value reverse(const Parameters& p) {
  std::deque<Value>& items = deque_of(p).items;
  ++deque_of(p).version;
  for (std::size_t i = 0, j = items.size(); i + 1 < j; ++i) items[i].swap(items[--j]);
  return Value::none();
}

Value rotate(const Parameters& p) {
  deque_of(p).rotate(to_int64(p[1]));
  return Value::none();
}

}  // namespace

const NativeRow kDequeMethods[] = {
    {"append(self, item, /)", append, "Add an item at the right end."},
    {"appendleft(self, item, /)", append_left, "Add an item at the left end."},
    {"extend(self, iterable, /)", extend, "Add all items at the right end."},
    {"extendleft(self, iterable, /)", extend_left, "Add all items, one by one, at the left end."},
    {"pop(self, /)", pop, "Remove and return the rightmost item."},
    {"popleft(self, /)", pop_left, "Remove and return the leftmost item."},
    {"clear(self, /)", clear, "Remove all items."},
    {"copy(self, /)", copy, "Return a shallow copy."},
    {"__copy__(self, /)", copy, "Return a shallow copy."},
    {"count(self, item, /)", count, "Return how often the item occurs."},
    {"index(self, item, start=None, stop=None, /)", index, "Return where the item first occurs."},
    {"insert(self, index, item, /)", insert, "Insert an item before a position."},
    {"remove(self, item, /)", remove, "Remove the first occurrence of an item."},
    {"reverse(self, /)", reverse, "Reverse the order in place."},
    {"rotate(self, n=1, /)", rotate, "Turn n steps to the right."},
};
const std::size_t kDequeMethodCount = std::size(kDequeMethods);

}  // namespace strider::lang
