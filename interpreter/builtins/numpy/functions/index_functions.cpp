// Picking elements by position or mask, as functions of numpy and methods of arrays: take, put,
// choose, compress, nonzero, where, place, copyto.
#include <strider/nd/index.h>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

nd::IndexMode to_index_mode(const Value& value) {
  if (value.is_none()) return nd::IndexMode::kRaise;
  std::string_view text = to_text(value, "clipmode");
  if (text == "raise") return nd::IndexMode::kRaise;
  if (text == "wrap") return nd::IndexMode::kWrap;
  if (text == "clip") return nd::IndexMode::kClip;
  raise(errors::ValueError, "clipmode must be one of 'clip', 'raise', or 'wrap' (got '{}')", text);
}

// take(a, indices, axis, out, mode)
Value take(const Parameters& p) {
  nd::Array result = nd::take(this_array(p[0]), to_positions(p[1]), to_optional_axis(p[2]),
                              to_index_mode(p[4]), to_out(p[3]));
  return out_result(std::move(result), p[3], p[0]);
}

// put(a, ind, v, mode)
Value put(const Parameters& p) {
  if (!is_array(p[0]))
    raise(errors::TypeError, "argument 1 must be numpy.ndarray, not {}",
          repr_text(Value(type_of(p[0]))));
  const nd::Array& array = array_of(p[0]);
  nd::put(array, to_positions(p[1]), to_array(p[2], array.dtype()), to_index_mode(p[3]));
  return Value::none();
}

// choose(a, choices, out, mode)
Value choose(const Parameters& p) {
  std::vector<nd::Array> choices = to_arrays(p[1]);
  if (std::optional<nd::DType> dtype = type_beside_numbers(p[1]))
    for (nd::Array& choice : choices) choice = choice.astype(*dtype, nd::Order::kKeep, false);
  nd::Array result = nd::choose(this_array(p[0]), choices, to_index_mode(p[3]), to_out(p[2]));
  return out_result(std::move(result), p[2], p[0]);
}

// a.choose(choices, out, mode) and a.choose(first, second, ..., out, mode)
Value choose_method(const Parameters& p) {
  const Tuple& given = *p[1].as<Tuple>();
  if (given.size() == 0) raise(errors::TypeError, "choose() takes at least 1 argument (0 given)");
  Value values[] = {p[0], given.size() == 1 ? given[0] : p[1], p[2], p[3]};
  return choose(Parameters(values, 4));
}

// compress(condition, a, axis, out)
Value compress(const Parameters& p) {
  nd::Array result =
      nd::compress(to_array(p[0]), this_array(p[1]), to_optional_axis(p[2]), to_out(p[3]));
  return out_result(std::move(result), p[3], p[1]);
}

// a.compress(condition, axis, out)
Value compress_method(const Parameters& p) {
  Value values[] = {p[1], p[0], p[2], p[3]};
  return compress(Parameters(values, 4));
}

Value nonzero(const Parameters& p) { return array_tuple(nd::nonzero(this_array(p[0]))); }

Value flat_nonzero(const Parameters& p) { return wrap(nd::flatnonzero(this_array(p[0]))); }

Value arg_where(const Parameters& p) { return wrap(nd::argwhere(this_array(p[0]))); }

// where(condition, x, y)
Value where(const Parameters& p) {
  if (p[1].is_empty() && p[2].is_empty()) return nonzero(p);
  if (p[1].is_empty() || p[2].is_empty())
    raise(errors::ValueError, "either both or neither of x and y should be given");
  nd::Array condition = this_array(p[0]);
  OperandKeeper keep_x, keep_y;
  nd::Operand x = to_operand(p[1], keep_x), y = to_operand(p[2], keep_y);
  return wrap(nd::select(condition, x, y));
}

const nd::Array& destination(const Value& value, const char* function) {
  if (is_array(value)) return array_of(value);
  if (std::string_view(function) == "putmask")
    raise(errors::TypeError, "putmask: first argument must be an array");
  bool placing = std::string_view(function) == "place";
  raise(errors::TypeError, "{}() argument 1 must be {}numpy.ndarray, not {}", function,
        placing ? "" : "a ", type_name(value));
}

// extract(condition, arr)
Value extract(const Parameters& p) {
  return wrap_like(nd::compress(to_array(p[0]).ravel(), this_array(p[1]).ravel(), std::nullopt),
                   p[1]);
}

// Values of an array's type: arrays must be cast safely, what has no type becomes elements.
nd::Array values_for(const nd::Array& array, const Value& value) {
  if (!is_array(value)) return to_array(value, array.dtype());
  const nd::Array& given = array_of(value);
  if (nd::can_cast(given.dtype(), array.dtype(), nd::Casting::kSafe)) return given;
  raise(errors::TypeError,
        "Cannot cast {} from dtype('{}') to dtype('{}') according to the rule 'safe'",
        given.rank() ? "array data" : "scalar", nd::name(given.dtype()), nd::name(array.dtype()));
}

// place(arr, mask, vals)
Value place(const Parameters& p) {
  const nd::Array& array = destination(p[0], "place");
  nd::place(array, to_array(p[1]), values_for(array, p[2]).ravel());
  return Value::none();
}

// putmask(a, mask, values)
Value put_mask(const Parameters& p) {
  const nd::Array& array = destination(p[0], "putmask");
  nd::putmask(array, to_array(p[1]), values_for(array, p[2]));
  return Value::none();
}

// copyto(dst, src, casting, where)
// What a number is, for casting: truth, integer, real or complex.
int category_of(nd::DType dtype) {
  if (dtype == nd::DType::kBool) return 0;
  return nd::is_complex(dtype) ? 3 : nd::is_inexact(dtype) ? 2 : 1;
}

// Python's numbers are equivalent to elements of the types that they become on their own.
void check_equivalent(const nd::Operand& number, nd::DType to) {
  bool integer = number.kind() == nd::Operand::Kind::kWeakInteger;
  if (category_of(number.dtype()) > category_of(to) || number.dtype() == to) return;
  const char* name = integer                          ? "int"
                     : nd::is_complex(number.dtype()) ? "complex"
                                                      : "float";
  raise(errors::TypeError, "cannot cast Python {} to {} under the casting rule 'equiv'", name,
        nd::name(to));
}

// A single number may only be cast as the rule says; Python's own by their kind alone.
void check_scalar_cast(const nd::Operand& number, nd::DType to, nd::Casting casting) {
  if (casting == nd::Casting::kUnsafe) return;
  nd::DType from = number.dtype();
  if (number.is_weak() && casting == nd::Casting::kEquiv) check_equivalent(number, to);
  bool fits = number.is_weak() ? category_of(from) <= category_of(to)
                               : nd::can_cast(from, to, casting);
  if (fits) return;
  if (number.is_weak() && nd::is_complex(from) && nd::is_floating(to) && to != nd::DType::kFloat64)
    from = nd::DType::kComplex64;
  constexpr const char* kRules[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  raise(errors::TypeError,
        "Cannot cast scalar from dtype('{}') to dtype('{}') according to the rule '{}'",
        nd::name(from), nd::name(to), kRules[static_cast<int>(casting)]);
}

Value copy_to(const Parameters& p) {
  const nd::Array& array = destination(p[0], "copyto");
  nd::Array mask;
  const nd::Array* where = to_where(p[3], mask);
  bool weak = !is_array(p[1]) && !is_numpy_scalar(p[1]) && to_array(p[1]).rank() == 0;
  OperandKeeper keeper;
  nd::Casting casting = to_casting(p[2]);
  if (weak || is_numpy_scalar(p[1]) || (is_array(p[1]) && array_of(p[1]).rank() == 0)) {
    nd::Operand number = to_operand(p[1], keeper);
    check_scalar_cast(number, array.dtype(), casting);
  }
  nd::Array source =
      weak ? nd::Array::scalar(nd::convert_operand(to_operand(p[1], keeper), array.dtype()))
           : to_array(p[1]);
  warn_of_lost_parts(source.dtype(), array.dtype());
  nd::copyto(array, source, casting, where);
  return Value::none();
}

// Indices as they were given; a list of none is none of integers.
nd::Array to_indices(const Value& value) {
  nd::Array indices = to_array(value);
  if (indices.size() == 0 && !is_array(value))
    raise(errors::TypeError,
          "indices must be integral: the provided empty sequence was inferred as float. Wrap it "
          "with 'np.array(indices, dtype=np.intp)'");
  return indices;
}

// unravel_index(indices, shape, order)
Value unravel_index(const Parameters& p) {
  nd::Array positions = to_indices(p[0]);
  std::vector<nd::Array> parts = nd::unravel_index(positions, to_shape(p[1]), to_order(p[2]));
  Values items;
  for (nd::Array& part : parts) items.push_back(wrap_result(std::move(part)));
  return make_tuple(std::move(items));
}

std::vector<nd::IndexMode> to_index_modes(const Value& value) {
  if (!is_tuple(value)) return {to_index_mode(value)};
  std::vector<nd::IndexMode> modes;
  for (const Value& item : value.as<Tuple>()->items()) modes.push_back(to_index_mode(item));
  return modes;
}

// ravel_multi_index(multi_index, dims, mode, order)
Value ravel_multi_index(const Parameters& p) {
  std::vector<nd::Array> indices;
  Iteration columns(p[0]);
  for (Value column; columns.next(column);) indices.push_back(to_indices(column));
  return wrap_result(
      nd::ravel_multi_index(indices, to_shape(p[1]), to_index_modes(p[2]), to_order(p[3])));
}

#define TAKE_PARAMETERS "indices, axis=None, out=None, mode='raise')"

const NativeRow kFunctions[] = {
    {"take(a, " TAKE_PARAMETERS, take, "The elements at these positions along an axis."},
    {"put(a, ind, v, mode='raise')", put, "Sets the elements at flat positions."},
    {"choose(a, choices, out=None, mode='raise')", choose,
     "Each element from the array that the selector names."},
    {"compress(condition, a, axis=None, out=None)", compress,
     "The slices along an axis where the condition is true."},
    {"nonzero(a)", nonzero, "The positions of the elements that are not zero, by axis."},
    {"flatnonzero(a)", flat_nonzero, "The flat positions of the elements that are not zero."},
    {"argwhere(a)", arg_where, "The positions of the elements that are not zero, one a row."},
    {"where(condition, x=<none>, y=<none>, /)", where,
     "Elements of x where the condition is true, else of y."},
    {"extract(condition, arr)", extract, "The elements where the condition is true."},
    {"place(arr, mask, vals)", place, "Sets the elements under a mask to values in turn."},
    {"putmask(a, /, mask, values)", put_mask,
     "Sets the elements under a mask to the values at the same places."},
    {"copyto(dst, src, casting='same_kind', where=True)", copy_to,
     "Copies values from one array to another."},
    {"unravel_index(indices, shape, order='C')", unravel_index,
     "The index along each axis of flat positions."},
    {"ravel_multi_index(multi_index, dims, mode='raise', order='C')", ravel_multi_index,
     "The flat positions of indices given by axis."},
};

const NativeRow kMethods[] = {
    {"take(self, /, " TAKE_PARAMETERS, take, "The elements at these positions along an axis."},
    {"put(self, indices, values, /, mode='raise')", put, "Sets the elements at flat positions."},
    {"choose(self, /, *choices, out=None, mode='raise')", choose_method,
     "Each element from the array that the selector names."},
    {"compress(self, condition, /, axis=None, out=None)", compress_method,
     "The slices along an axis where the condition is true."},
    {"nonzero(self, /)", nonzero, "The positions of the elements that are not zero, by axis."},
};

}  // namespace

std::span<const NativeRow> index_functions() { return kFunctions; }
std::span<const NativeRow> array_index_methods() { return kMethods; }

}  // namespace strider::lang
