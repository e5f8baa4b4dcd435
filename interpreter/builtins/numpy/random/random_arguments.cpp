// Arguments and results that the methods of Generator and RandomState share.
#include "interpreter/builtins/numpy/random/random_arguments.h"

#include <strider/nd/index.h>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/runtime/error.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

nd::random::Size to_size(const Value& value) {
  if (!is_given(value)) return std::nullopt;
  return to_shape(value);
}

Value drawn(nd::Array result, const Value& size) {
  if (!is_given(size) && result.rank() == 0) return to_python(result.item());
  return wrap(std::move(result));
}

void append_words(const Value& integer, std::vector<std::uint32_t>& words) {
  if (integer_is_negative(integer)) raise(errors::ValueError, "expected non-negative integer");
  Integer rest = to_integer(integer);
  do {
    words.push_back(static_cast<std::uint32_t>(Integer(rest & 0xffffffffu)));
    rest >>= 32;
  } while (rest != 0);
}

namespace {

bool holds_text(const Value& value) {
  if (!is_list(value) && !is_tuple(value)) return false;
  Ref<List> items = to_list(value);
  return !items->items.empty() && is_str(items->items[0]);
}

}  // namespace

Population::Population(const Value& value, const Value& axis) {
  if (try_count(value, size_)) return;
  if (holds_text(value)) {
    items_ = to_list(value);
    size_ = length(items_);
    return;
  }
  array_ = to_array(value);
  if (array_.rank() == 0)
    raise(errors::ValueError, "a must be a sequence or an integer, not {}",
          repr_text(Value(type_of(value))));
  axis_ = nd::normalize_axis(to_int64(axis), array_.rank());
  size_ = array_.shape()[axis_];
}

void Population::refuse_empty(const Value& size, const char* message) const {
  if (size_ != 0 || !array_) return;
  if (!is_given(size) || nd::element_count(to_shape(size)) != 0)
    raise_message(errors::ValueError(), message);
}

Value Population::pick(const nd::Array& positions, bool single) const {
  if (!items_.is_empty()) {
    if (!single)
      raise(errors::TypeError,
            "strider arrays hold numbers and booleans; dtype 'str' is not supported");
    return get_item(items_, to_python(positions.item()));
  }
  if (!array_) return single ? to_python(positions.item()) : wrap(positions);
  nd::Array chosen = nd::take(array_, positions, axis_);
  return single ? wrap_result(std::move(chosen)) : wrap(std::move(chosen));
}

}  // namespace strider::lang
