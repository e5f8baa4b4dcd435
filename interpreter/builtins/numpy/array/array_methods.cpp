// What the methods of arrays and scalars share, and the list of their tables.
#include "interpreter/builtins/numpy/array/array_methods.h"

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/builtins/numpy/scalar/pending_scalar.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {

nd::Array this_array(const Value& self) { return is_array(self) ? array_of(self) : to_array(self); }

nd::Array read_array(const Value& self) {
  if (is_pending_scalar(self)) scalar_of(self);
  return this_array(self);
}

nd::Array peek_array(const Value& self) {
  return is_pending_scalar(self) ? pending_array(self) : this_array(self);
}

Value view_result(nd::Array result, const Value& self) {
  if (is_numpy_scalar(self)) return wrap_result(std::move(result));
  return wrap_view(std::move(result), self);
}

Value out_result(nd::Array result, const Value& out, const Value& model) {
  if (is_array(out)) return out;
  if (is_tuple(out)) return (*out.as<Tuple>())[0];
  return wrap_like(std::move(result), model);
}

void add_array_methods(Type& type) {
  type.add(array_reduction_methods());
  type.add(array_shape_methods());
  type.add(array_value_methods());
  type.add(array_index_methods());
  type.add(array_sort_methods());
  type.add(array_join_methods());
  type.add(array_product_methods());
  type.add(array_file_methods());
  type.add(array_properties());
}

nd::Array with_sound_truths(const nd::Array& array) {
  if (array.dtype() != nd::DType::kBool || array.size() == 0) return array;
  nd::Array bytes = array.view(array.shape(), array.strides(), 0, nd::DType::kUInt8);
  nd::Array odd = nd::apply(nd::Op::kGreater, bytes, nd::Operand::weak_int(1));
  if (!nd::any(odd).item().truth()) return array;
  nd::Array made = nd::apply(nd::Op::kNotEqual, bytes, nd::Operand::weak_int(0));
  made.set_writeable(array.writeable());
  return made;
}

}  // namespace strider::lang
