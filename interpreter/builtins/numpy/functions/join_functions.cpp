// Joining and rearranging: concatenate, stack, repeat, tile, roll, flip, and the parts of matrices:
// diagonal, trace, triangles.
#include <strider/nd/index.h>
#include <strider/nd/join.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

// The array of the highest priority above that of plain arrays, or Empty: what is joined takes its
// class.
Value model_among(const Value& arrays) {
  if (!is_tuple(arrays) && !is_list(arrays)) return Value();
  Iteration items(arrays);
  Value item, model;
  double best = 0;
  while (items.next(item)) {
    if (!is_subclass_array(item)) continue;
    double priority = to_double(get_attribute(item, names().array_priority));
    if (priority <= best) continue;
    best = priority;
    model = item;
  }
  return model;
}

// What is joined is nobody's view: its class is told of no array.
Value joined(nd::Array result, const Parameters& p) {
  Value model = p[2].is_none() ? model_among(p[0]) : Value();
  if (model.is_empty()) return out_result(std::move(result), p[2], model);
  return wrap_as(type_of(model), std::move(result), Value::none());
}

// concatenate(arrays, axis, out, *, dtype, casting)
Value concatenate(const Parameters& p) {
  if (p[0].is_object() && !type_of(p[0])->slots.get_item)
    raise(errors::TypeError, "The first input argument needs to be a sequence");
  std::vector<nd::Array> arrays = to_arrays(p[0]);
  std::optional<int> axis = to_optional_axis(p[1]);
  std::optional<nd::DType> dtype = to_optional_dtype(p[3]);
  if (!axis && !dtype && p[2].is_none()) dtype = type_beside_numbers(p[0]);
  nd::Array result = nd::concatenate(arrays, axis, to_out(p[2]), dtype, to_casting(p[4]));
  return joined(std::move(result), p);
}

// stack(arrays, axis, out, *, dtype, casting)
Value stack(const Parameters& p) {
  std::vector<nd::Array> arrays = to_stacked_arrays(p[0]);
  nd::Array result = nd::stack(arrays, to_axis_number(p[1]), to_out(p[2]), to_optional_dtype(p[3]),
                               to_casting(p[4]));
  return joined(std::move(result), p);
}

// repeat(a, repeats, axis)
Value repeat(const Parameters& p) {
  return wrap_like(nd::repeat(this_array(p[0]), to_positions(p[1]), to_optional_axis(p[2])), p[0]);
}

// tile(A, reps)
Value tile(const Parameters& p) {
  nd::Dims repeats = to_shape(p[1]);
  for (std::int64_t times : repeats)
    if (times < 0) raise(errors::ValueError, "negative dimensions are not allowed");
  return wrap_like(nd::tile(this_array(p[0]), repeats), p[0]);
}

// A shift as a number below `extent`, where it is an integer beyond 64 bits.
std::int64_t fitted_shift(const Value& shift, std::int64_t given, std::int64_t extent) {
  using Limits = std::numeric_limits<std::int64_t>;
  if ((given != Limits::max() && given != Limits::min()) || extent == 0) return given;
  auto* to_index = type_of(shift)->slots.to_index;
  Value whole = to_index ? to_index(shift) : shift;
  return to_int64(binary(BinaryOperator::kMod, whole, Value::integer(extent)));
}

// Shifts as int() makes them of numbers.
nd::Dims to_shifts(const Value& value) {
  if (is_tuple(value) || is_list(value)) {
    Iteration items(value);
    nd::Dims shifts;
    for (Value each; items.next(each);) shifts.push_back(to_shifts(each)[0]);
    return shifts;
  }
  bool whole = value.is_int() || !(value.is_float() || is_array(value) || is_numpy_scalar(value));
  if (whole) return to_shape(value);
  nd::Array numbers = to_array(value).astype(nd::DType::kInt64).contiguous();
  return nd::Dims(std::span(numbers.as<std::int64_t>(), static_cast<std::size_t>(numbers.size())));
}

void refuse_tables(const Value& value) {
  bool several = is_tuple(value) || is_list(value) || is_array(value);
  if (several && to_array(value).rank() > 1)
    raise(errors::ValueError, "'shift' and 'axis' should be scalars or 1D sequences");
}

// roll(a, shift, axis)
Value roll(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  std::int64_t single;
  bool one_shift = try_count(p[1], single);
  if (p[2].is_none() && array.rank() == 0) return wrap(array.copy());
  if (p[2].is_none() && one_shift)
    return wrap_like(nd::roll(array, fitted_shift(p[1], single, array.size())), p[0]);
  refuse_tables(p[1]);
  if (p[2].is_none()) {
    std::int64_t total = 0;
    for (std::int64_t shift : to_shifts(p[1])) total += shift;
    return wrap_like(nd::roll(array, total), p[0]);
  }
  refuse_tables(p[2]);
  std::vector<int> axes = to_axis_list(p[2]);
  nd::Dims given = one_shift ? nd::Dims{single} : to_shifts(p[1]);
  std::vector<std::int64_t> shifts(given.begin(), given.end());
  if (shifts.size() == 1) shifts.resize(axes.size(), shifts[0]);
  if (axes.size() == 1) axes.resize(shifts.size(), axes[0]);
  if (axes.size() != shifts.size())
    raise(errors::ValueError,
          "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg "
          "0 with shape ({},) and arg 1 with shape ({},).",
          shifts.size(), axes.size());
  return wrap_like(nd::roll(array, shifts, axes), p[0]);
}

// flip(m, axis)
Value flip(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  nd::Array result = p[1].is_none() ? nd::flip(array) : nd::flip(array, to_axis_list(p[1]));
  return result.rank() == 0 ? wrap_result(result) : view_result(std::move(result), p[0]);
}

// diagonal(a, offset, axis1, axis2)
Value diagonal(const Parameters& p) {
  return wrap_view(nd::diagonal(this_array(p[0]), to_axis_number(p[1]), to_axis_number(p[2]),
                                to_axis_number(p[3])),
                   p[0]);
}

// trace(a, offset, axis1, axis2, dtype, out)
Value trace(const Parameters& p) {
  nd::Array result = nd::trace(this_array(p[0]), to_axis_number(p[1]), to_axis_number(p[2]),
                               to_axis_number(p[3]), to_dtype_for(p[0], p[4]), to_out(p[5]));
  return out_result(std::move(result), p[5], p[0]);
}

bool is_fraction(const Value& value) {
  if (is_numpy_scalar(value)) return nd::is_floating(scalar_dtype(value));
  return is_float(value);
}

// The number of rows or columns from the steps of a range that may end between two.
std::int64_t to_steps(const Value& value) {
  return is_fraction(value) ? static_cast<std::int64_t>(std::ceil(to_double(value)))
                            : to_int64(value);
}

// The last diagonal that a triangle keeps. NumPy compares numbers of rows with a range of integers
// that begins at -k: a fraction is cut off, and one between 0 and 1 leaves no steps in that range.
std::int64_t to_diagonal(const Value& value, std::int64_t columns) {
  if (value.is_int()) return value.as_int();
  if (!is_fraction(value)) {
    unary(syntax::UnaryOperator::kUSub, value);  // says what is no number
    return to_int64(value);
  }
  double k = to_double(value);
  if (!std::isfinite(k)) raise(errors::ValueError, "arange: cannot compute length");
  if (std::abs(k) > static_cast<double>(1 << 30)) return k < 0 ? -(1 << 30) : 1 << 30;
  return k > 0 && k < 1 ? columns : static_cast<std::int64_t>(std::trunc(k));
}

// tri(N, M, k, dtype)
Value tri(const Parameters& p) {
  std::int64_t rows = to_steps(p[0]);
  std::int64_t columns = p[1].is_none() ? rows : to_steps(p[1]);
  return wrap(nd::tri(std::max<std::int64_t>(rows, 0), std::max<std::int64_t>(columns, 0),
                      to_diagonal(p[2], columns), to_dtype(p[3])));
}

nd::Array triangle_operand(const Value& value) {
  nd::Array array = this_array(value);
  if (array.rank() == 0)
    raise(errors::TypeError, "tri() missing 1 required positional argument: 'N'");
  return array;
}

Value lower_triangle(const Parameters& p) {
  nd::Array array = triangle_operand(p[0]);
  return wrap(nd::tril(array, to_diagonal(p[1], array.shape().back())));
}

Value upper_triangle(const Parameters& p) {
  nd::Array array = triangle_operand(p[0]);
  if (!is_fraction(p[1])) return wrap(nd::triu(array, to_diagonal(p[1], 0)));
  // What a triangle that ends one diagonal before leaves.
  std::int64_t last = to_diagonal(Value::real(to_double(p[1]) - 1), array.shape().back());
  return wrap(nd::triu(array, last + 1));
}

#define JOIN_PARAMETERS "axis=0, out=None, *, dtype=None, casting='same_kind')"
#define DIAGONAL_PARAMETERS "offset=0, axis1=0, axis2=1)"
#define TRACE_PARAMETERS "offset=0, axis1=0, axis2=1, dtype=None, out=None)"

const NativeRow kFunctions[] = {
    {"concatenate(arrays, /, " JOIN_PARAMETERS, concatenate, "Arrays joined along an axis."},
    {"stack(arrays, " JOIN_PARAMETERS, stack, "Arrays joined along a new axis."},
    {"repeat(a, repeats, axis=None)", repeat, "Each element repeated."},
    {"tile(A, reps)", tile, "The whole array repeated along its axes."},
    {"roll(a, shift, axis=None)", roll,
     "The elements moved along axes, the last ones to the front."},
    {"flip(m, axis=None)", flip, "A view with axes reversed."},
    {"diagonal(a, " DIAGONAL_PARAMETERS, diagonal, "A read-only view of diagonals."},
    {"trace(a, " TRACE_PARAMETERS, trace, "The sum along a diagonal."},
    {"tri(N, M=None, k=0, dtype=None, *, like=None)", tri,
     "Ones at and below a diagonal, zeros above."},
    {"tril(m, k=0)", lower_triangle, "A copy with zeros above a diagonal."},
    {"triu(m, k=0)", upper_triangle, "A copy with zeros below a diagonal."},
};

const NativeRow kMethods[] = {
    {"repeat(self, /, repeats, axis=None)", repeat, "Each element repeated."},
    {"diagonal(self, /, " DIAGONAL_PARAMETERS, diagonal, "A read-only view of diagonals."},
    {"trace(self, /, " TRACE_PARAMETERS, trace, "The sum along a diagonal."},
};

}  // namespace

std::span<const NativeRow> join_functions() { return kFunctions; }
std::span<const NativeRow> array_join_methods() { return kMethods; }

}  // namespace strider::lang
