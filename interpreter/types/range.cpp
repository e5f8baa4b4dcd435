// What the language can do with ranges. Bounds beyond 64 bits are refused.
#include <limits>

#include "interpreter/types/integer.h"
#include "interpreter/types/iterator.h"
#include "interpreter/types/sequence.h"
#include "interpreter/types/str.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

class RangeIterator final : public Iterator {
 public:
  RangeIterator(std::int64_t start, std::int64_t step, std::int64_t count)
      : Iterator(type()), next_(static_cast<std::uint64_t>(start)), step_(step), left_(count) {}
  bool advance(Value& item) override {
    if (left_ <= 0) return false;
    --left_;
    item = Value::integer(static_cast<std::int64_t>(next_));
    next_ += static_cast<std::uint64_t>(step_);
    return true;
  }
  std::int64_t remaining() const override { return left_; }
  void traverse(Visitor&) override {}
  void clear_references() override {}

 private:
  static Type* type() {
    static Type* type = make_iterator_type("range_iterator");
    return type;
  }
  std::uint64_t next_;  // wraps after the last item
  std::int64_t step_;
  std::int64_t left_;
};

const Range& range_of(const Value& value) { return *value.as<Range>(); }

std::int64_t item_at(const Range& range, std::int64_t index) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(range.start) +
                                   static_cast<std::uint64_t>(range.step) *
                                       static_cast<std::uint64_t>(index));
}

Value range_repr(const Value& self) {
  const Range& range = range_of(self);
  std::string text = "range(" + std::to_string(range.start) + ", " + std::to_string(range.stop);
  if (range.step != 1) text += ", " + std::to_string(range.step);
  return make_str(text + ")");
}

std::int64_t range_length(const Value& self) { return range_of(self).size(); }

bool range_truth(const Value& self) { return range_of(self).size() != 0; }

Value get_slice(const Range& range, const Slice& slice) {
  SliceBounds bounds = resolve_slice(slice, range.size());
  __int128 step = static_cast<__int128>(range.step) * bounds.step;
  __int128 stop = range.start + static_cast<__int128>(range.step) * bounds.stop;
  constexpr std::int64_t kLimit = std::numeric_limits<std::int64_t>::max();
  if (step > kLimit || step < -kLimit || stop > kLimit || stop < -kLimit)
    raise(errors::OverflowError, "range bounds beyond 64 bits are not supported");
  return make<Range>(item_at(range, bounds.start), static_cast<std::int64_t>(stop),
                     static_cast<std::int64_t>(step));
}

Value range_get_item(const Value& self, const Value& key) {
  const Range& range = range_of(self);
  if (key.has_layout(Layout::kSlice)) return get_slice(range, *key.as<Slice>());
  std::int64_t index = index_of_key(key, "range"), size = range.size();
  if (index < 0) index += size;
  if (index < 0 || index >= size) raise(errors::IndexError, "range object index out of range");
  return Value::integer(item_at(range, index));
}

// The place of an exact int in the range, or -1.
std::int64_t find_int(const Range& range, const Value& item) {
  if (!item.is_int() && !item.is_bool()) return -1;
  __int128 distance = static_cast<__int128>(item.as_int()) - range.start;
  if (distance % range.step != 0) return -1;
  __int128 index = distance / range.step;
  return index >= 0 && index < range.size() ? static_cast<std::int64_t>(index) : -1;
}

std::int64_t find(const Range& range, const Value& item) {
  if (item.is_int() || item.is_bool() || item.has_layout(Layout::kBigInt))
    return find_int(range, item);
  std::int64_t size = range.size();
  if (item.is_float()) {
    double number = item.as_float();
    constexpr double kLimit = 9223372036854775808.0;
    if (number != number || number < -kLimit || number >= kLimit) return -1;
    auto integer = static_cast<std::int64_t>(number);
    return static_cast<double>(integer) == number ? find_int(range, Value::integer(integer)) : -1;
  }
  for (std::int64_t i = 0; i < size; ++i)
    if (equal(Value::integer(item_at(range, i)), item)) return i;
  return -1;
}

bool range_contains(const Value& self, const Value& item) {
  return find(range_of(self), item) >= 0;
}

Value range_iterate(const Value& self) {
  const Range& range = range_of(self);
  return make<RangeIterator>(range.start, range.step, range.size());
}

Value range_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !other.has_layout(Layout::kRange)) return Value();
  const Range &a = range_of(self), &b = range_of(other);
  std::int64_t size = a.size();
  bool same =
      size == b.size() && (size == 0 || (a.start == b.start && (size == 1 || a.step == b.step)));
  return Value::boolean(same == (op == CompareOperator::kEq));
}

std::int64_t range_hash(const Value& self) {
  const Range& range = range_of(self);
  std::int64_t size = range.size();
  std::vector<Value> parts{Value::integer(size), Value::none(), Value::none()};
  if (size > 0) parts[1] = Value::integer(range.start);
  if (size > 1) parts[2] = Value::integer(range.step);
  return hash_items(parts);
}

std::int64_t bound_of(const Value& value) {
  if (value.is_int()) return value.as_int();
  if (is_integer(value) && !exact_int(value).is_int())
    raise(errors::OverflowError, "range bounds beyond 64 bits are not supported");
  return to_int64(value);
}

Value range_construct(Type*, const Arguments& arguments) {
  check_arity(arguments, "range", 1, 3);
  const Value* values = arguments.values;
  if (arguments.count == 1) return make<Range>(0, bound_of(values[0]), 1);
  std::int64_t step = arguments.count == 3 ? bound_of(values[2]) : 1;
  if (step == 0) raise(errors::ValueError, "range() arg 3 must not be zero");
  return make<Range>(bound_of(values[0]), bound_of(values[1]), step);
}

Value count(const Parameters& parameters) {
  return Value::integer(find(range_of(parameters[0]), parameters[1]) >= 0);
}

Value index(const Parameters& parameters) {
  std::int64_t found = find(range_of(parameters[0]), parameters[1]);
  if (found < 0 && !is_integer(parameters[1]))
    raise(errors::ValueError, "sequence.index(x): x not in sequence");
  if (found < 0) raise(errors::ValueError, "{} is not in range", repr_text(parameters[1]));
  return Value::integer(found);
}

Value reversed(const Parameters& parameters) {
  const Range& range = range_of(parameters[0]);
  std::int64_t size = range.size();
  std::int64_t step =
      range.step == std::numeric_limits<std::int64_t>::min() ? range.step : -range.step;
  return make<RangeIterator>(item_at(range, size - 1), step, size);
}

constexpr NativeRow kMethods[] = {
    {"count(self, value, /)", count, "Return number of occurrences of value."},
    {"index(self, value, /)", index, "Return index of value; ValueError if it is not present."},
    {"__reversed__(self, /)", reversed, "Return a reverse iterator."},
};

constexpr PropertyRow kProperties[] = {
    {"start", [](const Value& self) { return Value::integer(range_of(self).start); }, nullptr,
     "The first number."},
    {"stop", [](const Value& self) { return Value::integer(range_of(self).stop); }, nullptr,
     "The number to stop before."},
    {"step", [](const Value& self) { return Value::integer(range_of(self).step); }, nullptr,
     "The distance of numbers."},
};

}  // namespace

Type& Range::type_object() {
  static bool ready = false;
  static Type& type = new_type("range", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kRange;
  type.set(Type::kSequencePattern);
  type.doc = "The numbers from start, step apart, before stop.";
  type.slots.repr = range_repr;
  type.slots.hash = range_hash;
  type.slots.truth = range_truth;
  type.slots.length = range_length;
  type.slots.get_item = range_get_item;
  type.slots.contains = range_contains;
  type.slots.iterate = range_iterate;
  type.slots.compare = range_compare;
  type.slots.construct = range_construct;
  type.add(kMethods);
  type.add(kProperties);
  return type;
}

}  // namespace strider::lang
