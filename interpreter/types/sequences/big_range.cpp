// Arithmetic of ranges of any size.
#include "interpreter/types/sequences/big_range.h"

#include <algorithm>
#include <limits>

#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

class BigRange final : public Object {
 public:
  explicit BigRange(Progression numbers)
      : Object(Layout::kOther, &Range::type_object()), numbers(std::move(numbers)) {}
  const Progression numbers;
};

class BigRangeIterator final : public Iterator {
 public:
  BigRangeIterator(Integer start, Integer step, Integer count)
      : Iterator(type()),
        next_(std::move(start)),
        step_(std::move(step)),
        count_(std::move(count)),
        left_(count_) {}
  bool advance(Value& item) override {
    if (left_ <= 0) return false;
    --left_;
    item = from_integer(next_);
    next_ += step_;
    return true;
  }
  Value reduced() override {
    Integer place = count_ - left_, start = next_ - step_ * place;
    Progression numbers{start, start + step_ * count_, step_, count_};
    return rebuilt_by("iter", {make<BigRange>(numbers)}, static_cast<std::int64_t>(place));
  }
  void set_place(std::int64_t place) override {
    Integer start = next_ - step_ * (count_ - left_);
    Integer index = place < 0 ? Integer(0) : std::min(Integer(place), count_);
    left_ = count_ - index;
    next_ = start + step_ * index;
  }
  void traverse(Visitor&) override {}
  void clear_references() override {}

 private:
  static Type* type() {
    static Type* type = make_iterator_type("longrange_iterator");
    return type;
  }
  Integer next_, step_, count_, left_;
};

Integer count_of(const Integer& start, const Integer& stop, const Integer& step) {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  if (step > 0) return (stop - start - 1) / step + 1;
  return (start - stop - 1) / -step + 1;
}

bool fits(const Integer& number) {
  return number >= std::numeric_limits<std::int64_t>::min() &&
         number <= std::numeric_limits<std::int64_t>::max();
}

Integer slice_integer(const Value& value) {
  if (is_integer(value)) return to_integer(value);
  return to_integer(Value::integer(to_int64(value)));
}

// The slice's bound as an index of the range, between `low` and `high`.
Integer clamp_bound(const Value& bound, const Integer& count, const Integer& low,
                    const Integer& high) {
  Integer index = slice_integer(bound);
  if (index < 0) index += count;
  return index < low ? low : index > high ? high : index;
}

}  // namespace

Progression progression_of(const Value& range) {
  if (!range.has_layout(Layout::kRange)) return range.as<BigRange>()->numbers;
  const Range& small = *range.as<Range>();
  return {small.start, small.stop, small.step, small.size()};
}

Value make_range(const Integer& start, const Integer& stop, const Integer& step) {
  Integer count = count_of(start, stop, step);
  if (fits(start) && fits(stop) && fits(step) && fits(count))
    return make<Range>(static_cast<std::int64_t>(start), static_cast<std::int64_t>(stop),
                       static_cast<std::int64_t>(step));
  return make<BigRange>(Progression{start, stop, step, count});
}

Value slice_range(const Value& range, const Slice& slice) {
  Progression numbers = progression_of(range);
  Integer step = slice.step.is_none() ? Integer(1) : slice_integer(slice.step);
  if (step == 0) raise(errors::ValueError, "slice step cannot be zero");
  bool forward = step > 0;
  Integer low = forward ? 0 : -1;
  Integer high = forward ? numbers.count : Integer(numbers.count - 1);
  Integer start = slice.start.is_none() ? (forward ? low : high)
                                        : clamp_bound(slice.start, numbers.count, low, high);
  Integer stop = slice.stop.is_none() ? (forward ? high : low)
                                      : clamp_bound(slice.stop, numbers.count, low, high);
  return make_range(numbers.start + start * numbers.step, numbers.start + stop * numbers.step,
                    numbers.step * step);
}

Integer find_in_progression(const Progression& progression, const Integer& item) {
  Integer distance = item - progression.start;
  if (distance % progression.step != 0) return -1;
  Integer index = distance / progression.step;
  return index >= 0 && index < progression.count ? index : Integer(-1);
}

Value iterate_progression(const Progression& progression, bool reversed) {
  if (!reversed)
    return make<BigRangeIterator>(progression.start, progression.step, progression.count);
  Integer last = progression.start + (progression.count - 1) * progression.step;
  return make<BigRangeIterator>(last, -progression.step, progression.count);
}

}  // namespace strider::lang
