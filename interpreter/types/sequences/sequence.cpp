// Tuple, List, Slice and Range as data, and the index arithmetic all sequences share. What the
// language can do with them stands in tuple.cpp, list.cpp, slice.cpp and range.cpp.
#include "interpreter/types/sequences/sequence.h"

#include <algorithm>
#include <limits>

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/value/value_rows.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/changing_slice.h"
#include "interpreter/types/support.h"

namespace strider::lang {

Tuple::Tuple(Value* place, std::size_t size, Type* type)
    : Container(Layout::kTuple, type ? type : &type_object()), items_(place), size_(size) {
  flags_ = !type;
  for (std::size_t i = 0; i < size; ++i) ::new (place + i) Value();
}

Tuple::~Tuple() {
  drop_values(items_, size_);
}

void Tuple::operator delete(Tuple* tuple, std::destroying_delete_t) {
  char* end = reinterpret_cast<char*>(tuple->items_ + tuple->size_);
  auto bytes = static_cast<std::size_t>(end - reinterpret_cast<char*>(tuple));
  tuple->~Tuple();
  pool::release(tuple, bytes);
}

void Tuple::traverse(Visitor& visitor) {
  for (const Value& item : items()) visitor.visit(item);
}

void Tuple::clear_references() {
  for (std::size_t i = 0; i < size_; ++i) items_[i] = Value::none();
}

List::List(Values items, Type* type)
    : Container(Layout::kList, type ? type : &type_object()), items(std::move(items)) {
  flags_ = !type || type == &type_object();
}

void List::traverse(Visitor& visitor) {
  for (const Value& item : items) visitor.visit(item);
}

void List::clear_references() {
  Values dropped;
  dropped.swap(items);
}

Slice::Slice(Value start, Value stop, Value step)
    : Object(Layout::kSlice, &type_object()),
      start(std::move(start)),
      stop(std::move(stop)),
      step(std::move(step)) {}

Range::Range(std::int64_t start, std::int64_t stop, std::int64_t step)
    : Object(Layout::kRange, &type_object()), start(start), stop(stop), step(step) {}

std::int64_t Range::size() const {
  __int128 distance =
      step > 0 ? static_cast<__int128>(stop) - start : static_cast<__int128>(start) - stop;
  if (distance <= 0) return 0;
  __int128 stride = step > 0 ? static_cast<__int128>(step) : -static_cast<__int128>(step);
  __int128 count = (distance - 1) / stride + 1;
  return static_cast<std::int64_t>(
      std::min<__int128>(count, std::numeric_limits<std::int64_t>::max()));
}

Ref<Tuple> make_tuple(Values&& items) {
  if (items.empty()) return empty_tuple();
  Ref<Tuple> tuple = make_tuple_of(items.size());
  std::move(items.begin(), items.end(), tuple->places());
  return tuple;
}

Ref<Tuple> make_tuple(std::span<const Value> items) {
  if (items.empty()) return empty_tuple();
  Ref<Tuple> tuple = make_tuple_of(items.size());
  copy_values(items, tuple->places());
  return tuple;
}

Ref<Tuple> make_pair(Value first, Value second) {
  Ref<Tuple> tuple = make_tuple_of(2);
  tuple->places()[0] = std::move(first);
  tuple->places()[1] = std::move(second);
  return tuple;
}

Ref<Tuple> make_tuple_instance(Type* type, std::span<const Value> items) {
  if (type == &Tuple::type_object()) return make_tuple(items);
  Ref<Tuple> tuple = type->has(Type::kHasInstanceDict)
                         ? Ref<Tuple>(make_tuple_of<Attributed<Tuple>>(items.size(), type))
                         : make_tuple_of(items.size(), type);
  copy_values(items, tuple->places());
  return tuple;
}

Ref<Tuple> empty_tuple() {
  static const Ref<Tuple>& tuple = *new Ref<Tuple>(make_tuple_of(0));
  return tuple;
}

Ref<List> make_list(Values items) { return make<List>(std::move(items)); }

std::int64_t slice_index(const Value& bound) {
  if (bound.is_int()) return bound.as_int();
  if (!is_integer(bound) && !type_of(bound)->slots.to_index)
    raise(errors::TypeError, "slice indices must be integers or None or have an __index__ method");
  return to_clamped_index(bound);
}

namespace {

std::int64_t clamp_bound(const Value& bound, std::int64_t length, std::int64_t low,
                         std::int64_t high) {
  std::int64_t index = slice_index(bound);
  if (index < 0) index += length;
  return std::clamp(index, low, high);
}

std::int64_t slice_step(const Slice& slice) {
  if (slice.step.is_none()) return 1;
  std::int64_t step = slice_index(slice.step);
  if (step == 0) raise(errors::ValueError, "slice step cannot be zero");
  return std::max(step, -std::numeric_limits<std::int64_t>::max());
}

}  // namespace

SliceBounds resolve_slice(const Slice& slice, std::int64_t length) {
  SliceBounds result{0, length, slice_step(slice), 0};
  bool forward = result.step > 0;
  std::int64_t low = forward ? 0 : -1, high = forward ? length : length - 1;
  result.start =
      slice.start.is_none() ? (forward ? low : high) : clamp_bound(slice.start, length, low, high);
  result.stop =
      slice.stop.is_none() ? (forward ? high : low) : clamp_bound(slice.stop, length, low, high);
  if (forward && result.start < result.stop)
    result.count = (result.stop - result.start - 1) / result.step + 1;
  if (!forward && result.stop < result.start)
    result.count = (result.start - result.stop - 1) / -result.step + 1;
  return result;
}

std::int64_t index_of_key(const Value& key, const char* name) {
  if (key.is_int() || key.is_bool()) return key.as_int();
  std::int64_t index;
  if (is_integer(key) && !exact_int(key).is_int())
    raise(errors::IndexError, "cannot fit '{}' into an index-sized integer", type_name(key));
  if (!try_index(key, index))
    raise(errors::TypeError, "{} indices must be integers or slices, not {}", name, type_name(key));
  return index;
}

std::size_t resolve_index(const Value& key, std::size_t length, const char* type_name) {
  std::int64_t index = index_of_key(key, type_name);
  if (index < 0) index += static_cast<std::int64_t>(length);
  if (index < 0 || index >= static_cast<std::int64_t>(length))
    raise(errors::IndexError, "{} index out of range", type_name);
  return static_cast<std::size_t>(index);
}

void check_arity(const Arguments& arguments, const char* function, std::size_t least,
                 std::size_t most) {
  if (arguments.keyword_count > 0)
    raise(errors::TypeError, "{}() takes no keyword arguments", function);
  if (arguments.count >= least && arguments.count <= most) return;
  const char* bound = least == most ? "" : arguments.count < least ? "at least " : "at most ";
  std::size_t wanted = arguments.count < least ? least : most;
  raise(errors::TypeError, "{} expected {}{} argument{}, got {}", function, bound, wanted,
        wanted == 1 ? "" : "s", arguments.count);
}

bool repetition_count(const Value& value, std::size_t length, std::size_t& count) {
  std::int64_t wanted;
  if (is_integer(value) && !exact_int(value).is_int())
    raise(errors::OverflowError, "cannot fit '{}' into an index-sized integer", type_name(value));
  if (!try_index(value, wanted)) return false;
  count = wanted < 0 ? 0 : static_cast<std::size_t>(wanted);
  constexpr std::size_t kMostItems = std::size_t{1} << 46;
  if (length > 0 && count > kMostItems / length) raise_message(errors::MemoryError(), "");
  return true;
}

Value try_reflected(BinaryOperator op, const Value& left, const Value& right) {
  auto* reflected = type_of(right)->slots.reflected;
  return reflected ? reflected(op, right, left) : Value();
}

Value product_of_factor(const Value& sequence, const Value& factor) {
  return is_integer(factor) ? Value() : try_reflected(BinaryOperator::kMult, sequence, factor);
}

void refuse_repetition(const Value& value) {
  raise(errors::TypeError, "can't multiply sequence by non-int of type '{}'", type_name(value));
}

SearchRange search_range(const Value& start, const Value& stop, std::int64_t length) {
  auto bound = [length](const Value& value, std::int64_t otherwise) {
    if (value.is_empty() || value.is_none()) return otherwise;
    std::int64_t index;
    if (!try_index(value, index) && !is_integer(value))
      raise(errors::TypeError,
            "slice indices must be integers or None or have an __index__ method");
    index = to_clamped_index(value);
    return index < 0 ? std::max<std::int64_t>(index + length, 0) : index;
  };
  return {bound(start, 0), std::min(bound(stop, length), length)};
}

namespace {

template <class Items>
void append_item_reprs(std::string& text, const Items& items) {
  check_stack("maximum recursion depth exceeded while getting the repr of an object");
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += ", ";
    Value item = items[i];
    text += repr_text(item);
  }
}

// The items are looked up afresh at each step: comparing may run code that changes a list.
template <class Items>
Value compare_each(CompareOperator op, const Items& left, const Items& right) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (equality && left.size() != right.size()) return Value::boolean(op == CompareOperator::kNotEq);
  check_stack("maximum recursion depth exceeded in comparison");
  std::size_t i = 0;
  for (;; ++i) {
    std::size_t count = std::min(left.size(), right.size());
    if (i < count) i += identical_values(left.data() + i, right.data() + i, count - i);
    if (i >= count) break;
    Value a = left[i], b = right[i];
    if (equal(a, b)) continue;
    if (equality) return Value::boolean(op == CompareOperator::kNotEq);
    return compare(op, a, b);
  }
  std::int64_t order =
      static_cast<std::int64_t>(left.size()) - static_cast<std::int64_t>(right.size());
  return order_result(op, order);
}

template <class Items>
bool contains_equal(const Items& items, const Value& item) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (identical(items[i], item)) return true;
    if (items[i].is_int() && item.is_int()) continue;
    Value candidate = items[i];
    if (equal(candidate, item)) return true;
  }
  return false;
}

}  // namespace

void append_reprs(std::string& text, const Values& items) { append_item_reprs(text, items); }
void append_reprs(std::string& text, std::span<const Value> items) {
  append_item_reprs(text, items);
}
Value compare_items(CompareOperator op, const Values& left, const Values& right) {
  return compare_each(op, left, right);
}
Value compare_items(CompareOperator op, std::span<const Value> left, std::span<const Value> right) {
  return compare_each(op, left, right);
}
bool contains_item(const Values& items, const Value& item) { return contains_equal(items, item); }
bool contains_item(std::span<const Value> items, const Value& item) {
  return contains_equal(items, item);
}

std::int64_t hash_items(std::span<const Value> items) {
  constexpr std::uint64_t kFirst = 11400714785074694791u, kSecond = 14029467366897019727u,
                          kFifth = 2870177450012600261u;
  std::uint64_t state = kFifth;
  for (const Value& item : items) {
    state += static_cast<std::uint64_t>(hash(item)) * kSecond;
    state = (state << 31 | state >> 33) * kFirst;
  }
  state += items.size() ^ (kFifth ^ 3527539u);
  return state == ~std::uint64_t{0} ? 1546275796 : static_cast<std::int64_t>(state);
}

}  // namespace strider::lang
