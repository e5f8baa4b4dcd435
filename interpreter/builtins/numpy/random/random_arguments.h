// Arguments and results that the methods of Generator and RandomState share.
#pragma once

#include <strider/nd/random.h>

#include <vector>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// size=: None and Empty give none.
// A parameter of a distribution: numbers, or what float() makes of texts and objects.
nd::Array to_parameter(const Value& value);
nd::random::Size to_size(const Value& value);
// dtype= of integers or randint; the other byte order is refused, or told.
nd::DType to_integer_type(const Value& dtype, const char* function);
// UserWarning where items to be shuffled are of a class that is no Sequence.
void warn_of_views(const Value& items);
// What a drawing function returns: a Python number when no size was asked for and the parameters
// are scalars, else an array object.
Value drawn(nd::Array result, const Value& size);
// The 32-bit words of non-negative integers, least significant first. ValueError for negative ones.
void append_words(const Value& integer, std::vector<std::uint32_t>& words);
// Changes two items of a list or another sequence, given as a Value.
void swap_items(void* sequence, std::int64_t i, std::int64_t j);
// Puts the rows of an array of objects, or of a class of its own, into an order.
void reorder_boxed(const Value& array, const nd::Array& order);
// The array of objects or texts that a value is or becomes; Empty if it becomes numbers.
Value boxed_population(const Value& value);
// A view of such an array in which an axis changes places with the first one.
Value with_axis_first(const Value& array, int axis);
// The parts of such an array at places along an axis.
Value take_boxed(const Value& array, const Value& places, int axis);
// The items of choice(a): a count, or an array; and what stands at the chosen positions.
class Population {
 public:
  // ValueError, in the words given, for what is neither an integer nor has items.
  Population(const Value& value, const Value& axis, const char* refusal = nullptr);
  // ValueError with this message if there is nothing to draw from but `size` asks for something.
  void refuse_empty(const Value& size, const char* message) const;
  std::int64_t size() const { return size_; }
  // Whether it is an array of several axes.
  bool is_deep() const { return array_ && array_.rank() > 1; }
  // `positions` has the shape that was asked for; `single` says that no size was given.
  Value pick(const nd::Array& positions, bool single) const;

 private:
  Value items_;  // a list of what no array holds
  nd::Array array_;
  int axis_ = 0;
  std::int64_t size_ = 0;
};

// The bounds of random integers, `high` included where `endpoint` is set.
struct IntegerBounds {
  nd::Array low, high;
  bool endpoint;
};
// Those that integers(low, high, dtype=…) asks for: from 0 without `high`. ValueError for ends that
// the element type does not hold.
IntegerBounds to_bounds(Value low, Value high, nd::DType dtype, bool endpoint);

}  // namespace strider::lang
