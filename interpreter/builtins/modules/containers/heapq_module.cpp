// The module _heapq: binary heaps kept in lists. Items move by exchange, so that a comparison that
// raises leaves all of them in the list. The module heapq adds what is built on these.
#include "interpreter/builtins/modules/containers/heap_choices.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

List& heap_of(const Parameters& p, const char* argument) {
  if (!is_list(p[0]))
    raise(errors::TypeError, "{} must be list, not {}", argument, type_name(p[0]));
  return *p[0].as<List>();
}

// items[a] < items[b]; comparing may run code, which must leave the list's size alone.
bool is_less(List& heap, std::size_t a, std::size_t b) {
  const Value &left = heap.items[a], &right = heap.items[b];
  if (left.is_int() && right.is_int()) return left.as_int() < right.as_int();
  std::size_t size = heap.size();
  bool result = less(Value(left), Value(right));
  if (heap.size() != size) raise(errors::RuntimeError, "list changed size during iteration");
  return result;
}

// Moves the item at `place` towards `start` until its parent is not larger.
void sift_up(List& heap, std::size_t start, std::size_t place) {
  while (place > start) {
    std::size_t parent = (place - 1) / 2;
    if (!is_less(heap, place, parent)) return;
    std::swap(heap.items[place], heap.items[parent]);
    place = parent;
  }
}

// Moves the item at `start` down to a leaf along smaller children, then up to its place.
void sift_down(List& heap, std::size_t start) {
  std::size_t end = heap.size(), place = start;
  while (2 * place + 1 < end) {
    std::size_t child = 2 * place + 1;
    if (child + 1 < end && !is_less(heap, child, child + 1)) ++child;
    std::swap(heap.items[place], heap.items[child]);
    place = child;
  }
  sift_up(heap, start, place);
}

Value heappush(const Parameters& p) {
  List& heap = heap_of(p, "heappush() argument 1");
  heap.items.push_back(p[1]);
  sift_up(heap, 0, heap.size() - 1);
  return Value::none();
}

// Gives the smallest item for another one.
Value exchange(List& heap, Value item) {
  std::swap(heap.items[0], item);
  sift_down(heap, 0);
  return item;
}

Value heappop(const Parameters& p) {
  List& heap = heap_of(p, "heappop() argument");
  if (heap.items.empty()) raise(errors::IndexError, "index out of range");
  Value last = std::move(heap.items.back());
  heap.items.pop_back();
  return heap.items.empty() ? last : exchange(heap, std::move(last));
}

Value heapreplace(const Parameters& p) {
  List& heap = heap_of(p, "heapreplace() argument 1");
  if (heap.items.empty()) raise(errors::IndexError, "index out of range");
  return exchange(heap, p[1]);
}

Value heappushpop(const Parameters& p) {
  List& heap = heap_of(p, "heappushpop() argument 1");
  if (heap.items.empty() || !less(Value(heap.items[0]), p[1])) return p[1];
  if (heap.items.empty()) raise(errors::IndexError, "index out of range");
  return exchange(heap, p[1]);
}

Value heapify(const Parameters& p) {
  List& heap = heap_of(p, "heapify() argument");
  for (std::size_t place = heap.size() / 2; place-- > 0;) sift_down(heap, place);
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"heappush(heap, item, /)", heappush, "Adds an item to a heap."},
    {"heappop(heap, /)", heappop, "Removes and returns the smallest item."},
    {"heapreplace(heap, item, /)", heapreplace,
     "Returns the smallest item and puts a new one in its place."},
    {"heappushpop(heap, item, /)", heappushpop,
     "Adds an item, then removes and returns the smallest."},
    {"heapify(heap, /)", heapify, "Turns a list into a heap, in place."},
    {"choose(n, items, keys, largest, /)", choose_by_heap,
     "The n items with the smallest keys, or the largest, in sorted order."},
    {"merged(streams, key, reverse, /)", merge_by_heap,
     "An iterator over the items of sorted iterators in sorted order."},
};

}  // namespace

const NativeModule kHeapqModule = {"_heapq", "Binary heaps kept in lists.", kFunctions, {}};

}  // namespace strider::lang
