// Stable sorting of lists. Homogeneous numbers, texts and tuples of such are compared directly;
// everything else through the language's `<`, on a permutation, so that an error leaves the list
// whole.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>

#include "interpreter/runtime/call/key_function.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/types/sequences/list_methods.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using Order = std::vector<std::uint32_t>;

// Merge sort of a permutation by a comparison that may throw.
template <class Less>
class MergeSort {
 public:
  MergeSort(Order& order, const Less& less) : order_(order), less_(less), spare_(order.size()) {}

  void run() {
    if (order_.size() < 2 || is_one_run()) return;
    sort(0, order_.size());
  }

 private:
  static constexpr std::size_t kInsertion = 10;
  static constexpr std::size_t kPatience = 1 << 14;  // steps between looks for an interrupt

  // Already ascending: nothing to do. Strictly descending: reversed.
  bool is_one_run() {
    std::size_t i = 1;
    if (less_(order_[1], order_[0])) {
      for (i = 2; i < order_.size() && less_(order_[i], order_[i - 1]);) ++i;
      if (i < order_.size()) return false;
      std::reverse(order_.begin(), order_.end());
      return true;
    }
    for (i = 2; i < order_.size() && !less_(order_[i], order_[i - 1]);) ++i;
    return i == order_.size();
  }

  void sort(std::size_t begin, std::size_t end) {
    if (end - begin <= kInsertion) return insertion_sort(begin, end);
    std::size_t middle = begin + (end - begin) / 2;
    sort(begin, middle);
    sort(middle, end);
    if (less_(order_[middle], order_[middle - 1])) merge(begin, middle, end);
  }

  void insertion_sort(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin + 1; i < end; ++i) {
      std::uint32_t item = order_[i];
      std::size_t low = begin, high = i;
      while (low < high) {
        std::size_t middle = low + (high - low) / 2;
        if (less_(item, order_[middle]))
          high = middle;
        else
          low = middle + 1;
      }
      std::move_backward(order_.begin() + static_cast<std::ptrdiff_t>(low),
                         order_.begin() + static_cast<std::ptrdiff_t>(i),
                         order_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      order_[low] = item;
    }
  }

  void merge(std::size_t begin, std::size_t middle, std::size_t end) {
    std::copy(order_.begin() + static_cast<std::ptrdiff_t>(begin),
              order_.begin() + static_cast<std::ptrdiff_t>(middle), spare_.begin());
    std::size_t left = 0, left_end = middle - begin, right = middle, out = begin;
    while (left < left_end && right < end) {
      for (std::size_t pause = out + kPatience; left < left_end && right < end && out < pause;) {
        if (less_(order_[right], spare_[left]))
          order_[out++] = order_[right++];
        else
          order_[out++] = spare_[left++];
      }
      poll_interrupt(Interpreter::current());
    }
    while (left < left_end) order_[out++] = spare_[left++];
  }

  Order& order_;
  const Less& less_;
  Order spare_;
};

template <class Less>
void sort_order(Order& order, const Less& ascending, bool reverse) {
  if (reverse) {
    auto descending = [&](std::uint32_t a, std::uint32_t b) { return ascending(b, a); };
    MergeSort<decltype(descending)>(order, descending).run();
  } else {
    MergeSort<Less>(order, ascending).run();
  }
}

template <class Test>
bool all_of(const Values& keys, Test test) {
  return std::all_of(keys.begin(), keys.end(), test);
}

// The first eight bytes as a number that orders as they do; ends are zeros.
std::uint64_t leading_bytes(std::string_view text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text.data(), std::min<std::size_t>(text.size(), sizeof word));
  return __builtin_bswap64(word);
}

// Most texts differ in their first bytes, which lie side by side here.
void sort_order_by_text(Order& order, const Values& keys, bool reverse) {
  std::vector<std::uint64_t> leading(keys.size());
  std::transform(keys.begin(), keys.end(), leading.begin(),
                 [](const Value& key) { return leading_bytes(text_of(key)); });
  sort_order(
      order,
      [&](auto a, auto b) {
        if (leading[a] != leading[b]) return leading[a] < leading[b];
        return text_of(keys[a]) < text_of(keys[b]);
      },
      reverse);
}

// Integers that lie close together are counted instead of compared; false where they do not.
bool sort_order_by_count(Order& order, const Values& keys, bool reverse) {
  constexpr std::size_t kWorthwhile = 64;
  if (keys.size() < kWorthwhile) return false;
  auto by_number = [](const Value& a, const Value& b) { return a.as_int() < b.as_int(); };
  auto [least, most] = std::minmax_element(keys.begin(), keys.end(), by_number);
  auto first = static_cast<std::uint64_t>(least->as_int());
  std::uint64_t range = static_cast<std::uint64_t>(most->as_int()) - first;
  if (range >= 2 * keys.size()) return false;
  auto rank = [=](const Value& key) {
    std::uint64_t distance = static_cast<std::uint64_t>(key.as_int()) - first;
    return reverse ? range - distance : distance;
  };
  std::vector<std::uint32_t> places(range + 2);
  for (const Value& key : keys) ++places[rank(key) + 1];
  std::partial_sum(places.begin(), places.end(), places.begin());
  for (std::uint32_t i = 0; i < keys.size(); ++i) order[places[rank(keys[i])]++] = i;
  return true;
}

void sort_order_by_integer(Order& order, const Values& keys, bool reverse) {
  if (sort_order_by_count(order, keys, reverse)) return;
  sort_order(
      order, [&](auto a, auto b) { return keys[a].as_int() < keys[b].as_int(); }, reverse);
}

// How two plain items order: negative, 0, positive; nothing where only the language knows.
std::optional<int> plain_order(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) return (a.as_int() > b.as_int()) - (a.as_int() < b.as_int());
  if (is_exactly(a, Str::type_object()) && is_exactly(b, Str::type_object()))
    return text_of(a).compare(text_of(b));
  return std::nullopt;
}

// a < b of tuples: decided by their first items that differ, where those are plain.
bool tuple_less(const Value& a, const Value& b) {
  std::span<const Value> left = a.as<Tuple>()->items(), right = b.as<Tuple>()->items();
  for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
    std::optional<int> order = plain_order(left[i], right[i]);
    if (!order) return less(a, b);
    if (*order != 0) return *order < 0;
  }
  return left.size() < right.size();
}

// The comparison of a built-in type that all keys are exactly of; null where there is none.
auto shared_comparison(const Values& keys) -> decltype(Slots::compare) {
  if (keys.empty() || !keys.front().is_object()) return nullptr;
  const Type& type = *type_of(keys.front());
  if (type.has(Type::kUserDefined)) return nullptr;
  return all_of(keys, [&](const Value& key) { return is_exactly(key, type); }) ? type.slots.compare
                                                                               : nullptr;
}

void sort_order_by(Order& order, const Values& keys, bool reverse) {
  if (all_of(keys, [](const Value& key) { return key.is_int(); }))
    return sort_order_by_integer(order, keys, reverse);
  if (all_of(keys, [](const Value& key) { return key.is_float(); }))
    return sort_order(
        order, [&](auto a, auto b) { return keys[a].as_float() < keys[b].as_float(); }, reverse);
  if (all_of(keys, [](const Value& key) { return is_exactly(key, Str::type_object()); }))
    return sort_order_by_text(order, keys, reverse);
  if (all_of(keys, [](const Value& key) { return is_exactly(key, Tuple::type_object()); }))
    return sort_order(
        order, [&](auto a, auto b) { return tuple_less(keys[a], keys[b]); }, reverse);
  if (auto* compare_alike = shared_comparison(keys)) {
    auto less_alike = [&](auto a, auto b) {
      Value result = compare_alike(CompareOperator::kLt, keys[a], keys[b]);
      return result.is_empty() ? less(keys[a], keys[b]) : truth(result);
    };
    return sort_order(order, less_alike, reverse);
  }
  sort_order(
      order, [&](auto a, auto b) { return less(keys[a], keys[b]); }, reverse);
}

// Plain numbers without a key sort as machine numbers: equal ones cannot be told apart.
bool sort_plain_integers(Values& items, bool reverse) {
  if (!all_of(items, [](const Value& item) { return item.is_int(); })) return false;
  auto in_order = [=](const Value& a, const Value& b) {
    return reverse ? a.as_int() > b.as_int() : a.as_int() < b.as_int();
  };
  if (std::is_sorted(items.begin(), items.end(), in_order)) return true;
  if (std::is_sorted(items.rbegin(), items.rend(), in_order)) {
    std::reverse(items.begin(), items.end());
    return true;
  }
  std::vector<std::int64_t> numbers(items.size());
  std::transform(items.begin(), items.end(), numbers.begin(),
                 [](const Value& item) { return item.as_int(); });
  std::sort(numbers.begin(), numbers.end());
  if (reverse) std::reverse(numbers.begin(), numbers.end());
  std::transform(numbers.begin(), numbers.end(), items.begin(), Value::integer);
  return true;
}

// A few texts, such as the letters of a word, sort where they are.
bool sort_few_texts(Values& items, bool reverse) {
  constexpr std::size_t kFew = 16;
  if (items.size() > kFew ||
      !all_of(items, [](const Value& item) { return is_exactly(item, Str::type_object()); }))
    return false;
  for (std::size_t i = 1; i < items.size(); ++i) {
    Value item = std::move(items[i]);
    std::string_view text = text_of(item);
    std::size_t place = i;
    for (; place > 0; --place) {
      std::string_view before = text_of(items[place - 1]);
      if (reverse ? before >= text : before <= text) break;
      items[place] = std::move(items[place - 1]);
    }
    items[place] = std::move(item);
  }
  return true;
}

// Whether no item comes before the one in front of it.
template <class Less>
bool in_order(const Values& items, bool reverse, Less comes_before) {
  for (std::size_t i = 1; i < items.size(); ++i)
    if (reverse ? comes_before(items[i - 1], items[i]) : comes_before(items[i], items[i - 1]))
      return false;
  return true;
}

// Floats, or texts, that need no sorting: a look at all of them takes less than sorting them.
bool are_sorted(const Values& items, bool reverse) {
  if (items.empty()) return true;
  if (items[0].is_float())
    return all_of(items, [](const Value& item) { return item.is_float(); }) &&
           in_order(items, reverse,
                    [](const Value& a, const Value& b) { return a.as_float() < b.as_float(); });
  auto is_text = [](const Value& item) { return is_exactly(item, Str::type_object()); };
  return is_text(items[0]) && all_of(items, is_text) &&
         in_order(items, reverse,
                  [](const Value& a, const Value& b) { return text_of(a) < text_of(b); });
}

void sort_items(Values& items, const Value& key, bool reverse) {
  bool keyed = !key.is_none() && !key.is_empty();
  if (!keyed && (sort_plain_integers(items, reverse) || sort_few_texts(items, reverse) ||
                 are_sorted(items, reverse)))
    return;
  Values keys;
  if (keyed) {
    keys.reserve(items.size());
    KeyFunction key_of(key);
    for (const Value& item : items) keys.push_back(key_of(item));
  }
  Order order(items.size());
  std::iota(order.begin(), order.end(), 0u);
  sort_order_by(order, keyed ? keys : items, reverse);
  Values sorted;
  sorted.reserve(items.size());
  for (std::uint32_t index : order) sorted.push_back(std::move(items[index]));
  items.swap(sorted);
}

// Holds a list's items while they are sorted, and gives them back whatever happens.
class Borrowed {
 public:
  explicit Borrowed(List& list) : list_(&list) { items.swap(list.items); }
  ~Borrowed() { items.swap(list_->items); }
  bool was_modified() const { return list_->items.capacity() > 0; }
  Values items;

 private:
  Ref<List> list_;
};

}  // namespace

void sort_list(List& list, const Value& key, bool reverse) {
  if (list.size() > std::numeric_limits<std::uint32_t>::max())
    raise_message(errors::MemoryError(), "list too long to sort");
  Borrowed borrowed(list);
  sort_items(borrowed.items, key, reverse);
  if (borrowed.was_modified()) raise(errors::ValueError, "list modified during sort");
}

}  // namespace strider::lang
