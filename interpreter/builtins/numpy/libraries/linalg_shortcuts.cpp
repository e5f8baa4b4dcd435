// Functions of numpy.linalg for plain arrays of float64, which need no checks but of their shapes.
#include <strider/nd/linalg.h>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/functions/shortcuts.h"

namespace strider::lang {
namespace {

// An argument that is an array of float64 of numpy's own class; null for others.
const nd::Array* plain_operand(const Arguments& arguments, std::size_t i) {
  const Value& value = arguments.values[i];
  bool plain = is_array(value) && !is_subclass_array(value) &&
               array_of(value).dtype() == nd::DType::kFloat64;
  return plain ? &array_of(value) : nullptr;
}

// The first of so many arguments as square matrices with elements; null for others.
const nd::Array* square_operand(const Arguments& arguments, std::size_t count) {
  if (arguments.keyword_count > 0 || arguments.count != count) return nullptr;
  const nd::Array* array = plain_operand(arguments, 0);
  if (!array || array->rank() < 2 || array->size() == 0) return nullptr;
  const nd::Dims& shape = array->shape();
  return shape[array->rank() - 1] == shape[array->rank() - 2] ? array : nullptr;
}

// det(a)
Value det(const Arguments& arguments) {
  const nd::Array* a = square_operand(arguments, 1);
  return a ? wrap_result(nd::det(*a)) : Value();
}

// inv(a)
Value inv(const Arguments& arguments) {
  const nd::Array* a = square_operand(arguments, 1);
  return a ? wrap(nd::inv(*a)) : Value();
}

// solve(a, b) of one matrix and one vector.
Value solve(const Arguments& arguments) {
  const nd::Array* a = square_operand(arguments, 2);
  const nd::Array* b = a ? plain_operand(arguments, 1) : nullptr;
  if (!b || a->rank() != 2 || b->rank() != 1 || b->shape()[0] != a->shape()[0]) return {};
  nd::Array x = nd::solve(*a, b->reshape(nd::Dims{b->size(), 1}));
  return wrap_owner(x.reshape(nd::Dims{b->size()}));
}

constexpr Shortcut kShortcuts[] = {{"det", det}, {"inv", inv}, {"solve", solve}};

}  // namespace

Shortcuts linalg_shortcuts() { return kShortcuts; }

}  // namespace strider::lang
