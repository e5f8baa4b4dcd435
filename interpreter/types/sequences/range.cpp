// What the language can do with ranges.
#include <algorithm>
#include <limits>

#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/big_range.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class RangeIterator final : public Iterator {
 public:
  RangeIterator(std::int64_t start, std::int64_t step, std::int64_t count)
      : Iterator(type()),
        next_(static_cast<std::uint64_t>(start)),
        step_(step),
        count_(count),
        left_(count) {}
  bool advance(Value& item) override {
    if (left_ <= 0) return false;
    --left_;
    item = Value::integer(static_cast<std::int64_t>(next_));
    next_ += static_cast<std::uint64_t>(step_);
    return true;
  }
  std::int64_t remaining() const override { return left_; }
  Value reduced() override {
    std::int64_t place = count_ - left_;
    std::int64_t end = step_ > 0 ? 1 : -1;  // behind the last item, which fits 64 bits
    Integer start = first(), step = step_;
    Integer stop = count_ == 0 ? start : Integer(start + step * (count_ - 1) + end);
    return rebuilt_by("iter", {make_range(start, stop, step)}, place);
  }
  void set_place(std::int64_t place) override {
    std::int64_t start = first();
    place = std::clamp<std::int64_t>(place, 0, count_);
    left_ = count_ - place;
    next_ = static_cast<std::uint64_t>(start) +
            static_cast<std::uint64_t>(step_) * static_cast<std::uint64_t>(place);
  }
  void traverse(Visitor&) override {}
  void clear_references() override {}

 private:
  std::int64_t first() const {
    return static_cast<std::int64_t>(next_ - static_cast<std::uint64_t>(step_) *
                                                 static_cast<std::uint64_t>(count_ - left_));
  }
  static Type* type() {
    static Type* type = make_iterator_type("range_iterator");
    return type;
  }
  std::uint64_t next_;  // wraps after the last item
  std::int64_t step_, count_, left_;
};

bool is_small(const Value& value) { return value.has_layout(Layout::kRange); }
const Range& range_of(const Value& value) { return *value.as<Range>(); }

std::int64_t item_at(const Range& range, std::int64_t index) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(range.start) +
                                   static_cast<std::uint64_t>(range.step) *
                                       static_cast<std::uint64_t>(index));
}

Value start_of(const Value& self) { return from_integer(progression_of(self).start); }
Value stop_of(const Value& self) { return from_integer(progression_of(self).stop); }
Value step_of(const Value& self) { return from_integer(progression_of(self).step); }

Value range_repr(const Value& self) {
  std::string text = "range(" + repr_text(start_of(self)) + ", " + repr_text(stop_of(self));
  std::string step = repr_text(step_of(self));
  if (step != "1") text += ", " + step;
  return make_str(text + ")");
}

std::int64_t range_length(const Value& self) {
  if (is_small(self)) return range_of(self).size();
  Value count = from_integer(progression_of(self).count);
  if (!count.is_int()) raise(errors::OverflowError, "Python int too large to convert to C ssize_t");
  return count.as_int();
}

bool range_truth(const Value& self) {
  return is_small(self) ? range_of(self).size() != 0 : progression_of(self).count != 0;
}

[[noreturn]] void raise_out_of_range() {
  raise(errors::IndexError, "range object index out of range");
}

Value big_item(const Value& self, const Value& key) {
  Progression numbers = progression_of(self);
  if (!is_integer(key)) index_of_key(key, "range");  // raises unless it has an __index__
  Integer index = is_integer(key) ? to_integer(key) : Integer(to_int64(key));
  if (index < 0) index += numbers.count;
  if (index < 0 || index >= numbers.count) raise_out_of_range();
  return from_integer(numbers.start + index * numbers.step);
}

Value range_get_item(const Value& self, const Value& key) {
  if (key.has_layout(Layout::kSlice)) return slice_range(self, *key.as<Slice>());
  if (!is_small(self)) return big_item(self, key);
  const Range& range = range_of(self);
  std::int64_t index = index_of_key(key, "range"), size = range.size();
  if (index < 0) index += size;
  if (index < 0 || index >= size) raise_out_of_range();
  return Value::integer(item_at(range, index));
}

// The place of an exact int in the range, or -1.
std::int64_t find_int(const Range& range, std::int64_t item) {
  __int128 distance = static_cast<__int128>(item) - range.start;
  if (distance % range.step != 0) return -1;
  __int128 index = distance / range.step;
  return index >= 0 && index < range.size() ? static_cast<std::int64_t>(index) : -1;
}

// The place of any value; -1 if no item equals it.
Value find(const Value& self, const Value& item) {
  bool exact_item = item.is_int() || item.is_bool();
  if (exact_item && is_small(self)) return Value::integer(find_int(range_of(self), item.as_int()));
  Progression numbers = progression_of(self);
  if (exact_item || item.has_layout(Layout::kBigInt))
    return from_integer(find_in_progression(numbers, to_integer(item)));
  Value iterator = iterate(self), candidate;
  for (std::int64_t index = 0; next(iterator, candidate); ++index)
    if (equal(candidate, item)) return Value::integer(index);
  return Value::integer(-1);
}

bool is_found(const Value& index) { return !integer_is_negative(index); }

bool range_contains(const Value& self, const Value& item) { return is_found(find(self, item)); }

Value range_iterate(const Value& self) {
  if (!is_small(self)) return iterate_progression(progression_of(self), false);
  const Range& range = range_of(self);
  return make<RangeIterator>(range.start, range.step, range.size());
}

Value range_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !is_exactly(other, Range::type_object())) return Value();
  Progression a = progression_of(self), b = progression_of(other);
  bool same = a.count == b.count && (a.count == 0 || a.start == b.start) &&
              (a.count <= 1 || a.step == b.step);
  return Value::boolean(same == (op == CompareOperator::kEq));
}

std::int64_t range_hash(const Value& self) {
  Progression numbers = progression_of(self);
  Values parts{from_integer(numbers.count), Value::none(), Value::none()};
  if (numbers.count > 0) parts[1] = from_integer(numbers.start);
  if (numbers.count > 1) parts[2] = from_integer(numbers.step);
  return hash_items(parts);
}

Value bound_of(const Value& value) {
  if (is_integer(value)) return exact_int(value);
  auto* slot = type_of(value)->slots.to_index;
  return slot ? exact_int(slot(value)) : Value::integer(to_int64(value));
}

Value range_construct(Type*, const Arguments& arguments) {
  check_arity(arguments, "range", 1, 3);
  bool single = arguments.count == 1;
  Value start = single ? Value::integer(0) : bound_of(arguments.values[0]);
  Value stop = bound_of(arguments.values[single ? 0 : 1]);
  Value step = arguments.count == 3 ? bound_of(arguments.values[2]) : Value::integer(1);
  if (step.is_int() && step.as_int() == 0)
    raise(errors::ValueError, "range() arg 3 must not be zero");
  constexpr std::int64_t kSafe = std::int64_t{1} << 62;  // differences fit 64 bits as well
  auto safe = [](const Value& value) {
    return value.is_int() && value.as_int() < kSafe && value.as_int() > -kSafe;
  };
  if (safe(start) && safe(stop) && safe(step))
    return make<Range>(start.as_int(), stop.as_int(), step.as_int());
  return make_range(to_integer(start), to_integer(stop), to_integer(step));
}

Value count(const Parameters& parameters) {
  if (parameters[1].is_object() && !is_integer(parameters[1])) {
    std::int64_t equals = 0;
    Iteration items(parameters[0]);
    for (Value item; items.next(item);) equals += equal(item, parameters[1]);
    return Value::integer(equals);
  }
  return Value::integer(is_found(find(parameters[0], parameters[1])));
}

Value index(const Parameters& parameters) {
  Value found = find(parameters[0], parameters[1]);
  if (is_found(found)) return found;
  if (!is_integer(parameters[1])) raise(errors::ValueError, "sequence.index(x): x not in sequence");
  raise(errors::ValueError, "{} is not in range", repr_text(parameters[1]));
}

Value reversed(const Parameters& parameters) {
  const Value& self = parameters[0];
  if (!is_small(self) || range_of(self).step == std::numeric_limits<std::int64_t>::min())
    return iterate_progression(progression_of(self), true);
  const Range& range = range_of(self);
  return make<RangeIterator>(item_at(range, range.size() - 1), -range.step, range.size());
}

constexpr NativeRow kMethods[] = {
    {"count(self, value, /)", count, "Return number of occurrences of value."},
    {"index(self, value, /)", index, "Return index of value; ValueError if it is not present."},
    {"__reversed__(self, /)", reversed, "Return a reverse iterator."},
};

constexpr PropertyRow kProperties[] = {
    {"start", start_of, nullptr, "The first number."},
    {"stop", stop_of, nullptr, "The number to stop before."},
    {"step", step_of, nullptr, "The distance of numbers."},
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
