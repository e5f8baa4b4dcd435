// Heaps of places: each place has a key, and of equal keys the lower place comes first.
#include "interpreter/builtins/modules/containers/heap_choices.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

using Place = std::uint32_t;

bool key_less(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) return a.as_int() < b.as_int();
  if (a.is_float() && b.is_float()) return a.as_float() < b.as_float();
  return less(Value(a), Value(b));
}

// Sorted order of places, ascending or, in reverse, descending.
class Ranking {
 public:
  Ranking(const Values& keys, bool reverse) : keys_(keys), reverse_(reverse) {}
  bool precedes(Place a, Place b) const {
    bool later = a > b;
    bool turned = later != reverse_;
    bool less = turned ? key_less(keys_[a], keys_[b]) : key_less(keys_[b], keys_[a]);
    return later ? less : !less;
  }

 private:
  const Values& keys_;
  bool reverse_;
};

// Moves the place at the top down until `above` says that none below belongs above it.
template <class Above>
void sift_down(std::vector<Place>& heap, std::size_t at, const Above& above) {
  for (std::size_t child; (child = 2 * at + 1) < heap.size(); at = child) {
    if (child + 1 < heap.size() && above(heap[child + 1], heap[child])) ++child;
    if (!above(heap[child], heap[at])) return;
    std::swap(heap[at], heap[child]);
  }
}

template <class Above>
void make_heap_of(std::vector<Place>& heap, const Above& above) {
  for (std::size_t at = heap.size() / 2; at-- > 0;) sift_down(heap, at, above);
}

template <class Above>
void drop_top(std::vector<Place>& heap, const Above& above) {
  heap[0] = heap.back();
  heap.pop_back();
  if (!heap.empty()) sift_down(heap, 0, above);
}

// The items of several sorted iterators, the heads of which stand in a heap.
class Merged final : public Iterator {
 public:
  Merged(const Value& streams, const Value& key, bool reverse)
      : Iterator(type()),
        streams_(streams.as<List>()->items),
        keys_(streams_.size()),
        items_(streams_.size()),
        key_(key),
        ranking_(keys_, reverse) {}

  bool advance(Value& item) override {
    auto above = [this](Place a, Place b) { return ranking_.precedes(a, b); };
    if (!std::exchange(started_, true))
      start(above);
    else if (!heap_.empty())
      fetch(heap_[0]) ? sift_down(heap_, 0, above) : drop_top(heap_, above);
    if (heap_.empty()) return false;
    item = items_[heap_[0]];
    return true;
  }
  void traverse(Visitor& visitor) override {
    for (const Values* each : {&streams_, &keys_, &items_})
      for (const Value& value : *each) visitor.visit(value);
    visitor.visit(key_);
  }
  void clear_references() override {
    heap_.clear();
    for (Values* each : {&streams_, &keys_, &items_})
      std::fill(each->begin(), each->end(), Value());
    key_ = Value::none();
  }

 private:
  static Type* type() {
    static Type* type = make_iterator_type("merged_iterator");
    return type;
  }

  // Takes the next item of a stream; false at its end.
  bool fetch(Place place) {
    if (!next(streams_[place], items_[place])) return false;
    keys_[place] = key_.is_none() ? items_[place] : call(key_, items_[place]);
    return true;
  }

  template <class Above>
  void start(const Above& above) {
    for (Place place = 0; place < streams_.size(); ++place)
      if (fetch(place)) heap_.push_back(place);
    make_heap_of(heap_, above);
  }

  Values streams_, keys_, items_;
  Value key_;
  Ranking ranking_;
  std::vector<Place> heap_;
  bool started_ = false;
};

}  // namespace

Value choose_by_heap(const Parameters& p) {
  const Values items = p[1].as<List>()->items, keys = p[2].as<List>()->items;
  auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(to_int64(p[0]), 0));
  auto count = static_cast<Place>(std::min({wanted, items.size(), keys.size()}));
  if (count == 0) return make_list();
  Ranking ranking(keys, truth(p[3]));
  auto above = [&](Place a, Place b) { return ranking.precedes(b, a); };  // the last one on top
  std::vector<Place> heap;
  for (Place place = 0; place < count; ++place) heap.push_back(place);
  make_heap_of(heap, above);
  for (Place place = count; place < keys.size(); ++place) {
    if (!ranking.precedes(place, heap[0])) continue;
    heap[0] = place;
    sift_down(heap, 0, above);
  }
  Values chosen(count);
  for (Place left = count; left-- > 0; drop_top(heap, above)) chosen[left] = items[heap[0]];
  return make_list(std::move(chosen));
}

Value merge_by_heap(const Parameters& p) { return make<Merged>(p[0], p[1], truth(p[2])); }

}  // namespace strider::lang
