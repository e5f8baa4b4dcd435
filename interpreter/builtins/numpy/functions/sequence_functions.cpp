// Evenly spaced values: arange and linspace.
#include <strider/nd/eval.h>
#include <strider/nd/generate.h>

#include <cmath>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/device/device_arguments.h"
#include "interpreter/builtins/numpy/functions/functions.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/ufunc/result_class.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

using nd::Op;

// ceil((stop - start) / step) for integers of 64 bits.
std::int64_t integer_count(std::int64_t start, std::int64_t stop, std::int64_t step) {
  return Range(start, stop, step).size();
}

// `distance` is that of two numbers which differ where they do.
std::int64_t real_count(double distance, double step, bool differ) {
  double quotient = distance / step;
  double count = std::ceil(quotient);
  // A quotient too small to be a number still leaves room for the start.
  if (quotient == 0 && differ) return std::signbit(quotient) ? 0 : 1;
  if (std::isnan(count)) raise(errors::ValueError, "arange: cannot compute length");
  if (count > 0x1p62) raise(errors::ValueError, "Maximum allowed size exceeded");
  return count <= 0 ? 0 : static_cast<std::int64_t>(count);
}

__extension__ typedef __int128 Int128;

// The difference of integers that a double may not tell apart.
double exact_distance(const nd::Scalar& start, const nd::Scalar& stop) {
  auto wide = [](const nd::Scalar& value) -> Int128 {
    if (value.dtype() == nd::DType::kUInt64) return value.get<std::uint64_t>();
    return value.as(nd::DType::kInt64).get<std::int64_t>();
  };
  return static_cast<double>(wide(stop) - wide(start));
}

bool is_whole(const nd::Operand& operand) { return !nd::is_inexact(operand.dtype()); }

// The first value and the difference of the first two, both of the result's type.
nd::Array filled(const nd::Scalar& start, const nd::Scalar& step, std::int64_t count,
                 nd::DType dtype) {
  if (nd::is_inexact(start.dtype()) && nd::is_integer(dtype)) {
    double first = start.to_double(), second = first + step.to_double();
    auto whole = [](double value) { return static_cast<std::int64_t>(value); };
    return nd::generate_range(nd::Scalar(whole(first)), nd::Scalar(whole(second) - whole(first)),
                              count, dtype);
  }
  if (nd::is_floating(dtype)) {
    double first = start.to_double();
    double delta = count > 1 ? (first + step.to_double()) - first : 0;
    return nd::generate_range(nd::Scalar(first), nd::Scalar(delta), count, dtype);
  }
  return nd::generate_range(start, step, count, dtype);
}

// The first two numbers must be of the type, if they are Python's; the others wrap around.
void check_first(std::int64_t first, std::int64_t step, std::int64_t count, nd::DType dtype) {
  if (!nd::is_integer(dtype)) return;
  if (count > 0) nd::convert_operand(nd::Operand::weak_int(first), dtype);
  if (count > 1) nd::convert_operand(nd::Operand::weak_int(first + step), dtype);
}

Value make_range(const Value& start, const Value& stop, const Value& step, const Value& dtype) {
  OperandKeeper keepers[3];
  nd::Operand operands[] = {to_operand(start, keepers[0]), to_operand(stop, keepers[1]),
                            to_operand(step, keepers[2])};
  for (nd::Operand& operand : operands)
    if (operand.kind() == nd::Operand::Kind::kArray) operand = operand.array().item();
  // No narrower than Python's own numbers, as for NumPy.
  const nd::Operand all[] = {operands[0], operands[1], operands[2],
                             nd::Operand(nd::Scalar(std::int64_t{0}))};
  nd::DType common = nd::result_type(all);
  for (const nd::Operand& operand : operands)
    if (operand.dtype() == nd::DType::kUInt64 && !nd::is_inexact(common))
      common = nd::DType::kFloat64;
  nd::DType wanted = dtype.is_none() ? common : to_dtype(dtype);
  auto scalar = [](const nd::Operand& operand) { return operand.scalar(); };
  bool whole = is_whole(operands[0]) && is_whole(operands[1]) && is_whole(operands[2]);
  if (!scalar(operands[2]).truth()) raise(errors::ZeroDivisionError, "division by zero");
  if (!whole || nd::is_inexact(common)) {
    double first = scalar(operands[0]).to_double(), last = scalar(operands[1]).to_double();
    double distance =
        whole ? exact_distance(scalar(operands[0]), scalar(operands[1])) : last - first;
    std::int64_t count = real_count(distance, scalar(operands[2]).to_double(), last != first);
    nd::DType loop = nd::DType::kFloat64;
    return wrap(filled(scalar(operands[0]).as(loop), scalar(operands[2]).as(loop), count, wanted));
  }
  std::int64_t values[3];
  for (int i = 0; i < 3; ++i)
    values[i] = scalar(operands[i]).as(nd::DType::kInt64).get<std::int64_t>();
  std::int64_t count = integer_count(values[0], values[1], values[2]);
  if (wanted == nd::DType::kBool && count > 2)
    raise(errors::TypeError,
          "arange() is only supported for booleans when the result has at most "
          "length 2.");
  if (operands[0].is_weak() && operands[2].is_weak()) {
    check_first(values[0], values[2], count, wanted);
  }
  return wrap(filled(nd::Scalar(values[0]), nd::Scalar(values[2]), count, wanted));
}

// Integers beyond 64 bits are objects, which are counted in npx.
void refuse_large(const Value& value) {
  if (!value.has_layout(Layout::kBigInt)) return;
  double number = to_double(value);
  if (number >= 0x1p64 || number < -0x1p63) refuse_elements("object");
}

// A list is no bound, and None is none where it stands alone.
void check_bound(const Value& value, bool alone) {
  if (!is_list(value) && !is_tuple(value) && !(alone && value.is_none())) return;
  raise(errors::TypeError, "unsupported operand type(s) for -: '{}' and 'int'", type_name(value));
}

// arange(start_or_stop, stop, step, dtype)
Value arange(const Parameters& p) {
  for (int i = 0; i < 3; ++i) refuse_large(p[i]);
  for (int i = 0; i < 2; ++i) check_bound(p[i], i == 0 && (p[1].is_empty() || p[1].is_none()));
  Value zero = Value::integer(0), one = Value::integer(1);
  const Value& step = p[2].is_none() || p[2].is_empty() ? one : p[2];
  if (p[0].is_empty()) {
    if (p[1].is_empty() || p[1].is_none())
      raise(errors::TypeError, "arange() requires stop to be specified.");
    return make_range(zero, p[1], step, p[3]);
  }
  if (p[1].is_empty() || p[1].is_none()) return make_range(zero, p[0], step, p[3]);
  return make_range(p[0], p[1], step, p[3]);
}

// The numbers 0 … count-1 along the first of 1 + rank axes.
nd::Array counting_column(std::int64_t count, nd::DType dtype, int rank) {
  nd::Array numbers =
      nd::generate_range(nd::Scalar(std::int64_t{0}), nd::Scalar(std::int64_t{1}), count, dtype);
  nd::Dims shape(rank + 1, 1);
  shape[0] = count;
  return numbers.reshape(shape);
}

struct Line {
  nd::Array values, step;
};

// The values with `stop` as the last one along the first axis.
nd::Array with_last(const nd::Array& values, const nd::Array& stop) {
  std::int64_t count = values.shape()[0];
  if (values.rank() > 1 || !nd::is_pending(values)) {
    nd::get_row(values, count - 1).assign(stop);
    return values;
  }
  nd::Array position = counting_column(count, nd::DType::kInt64, 0);
  nd::Array is_last = nd::apply(Op::kEqual, position, nd::Operand::weak_int(count - 1));
  return nd::select(is_last, stop.astype(values.dtype()), values);
}

// start + i * step as numpy.linspace rounds it; the last value is `stop` where it is included.
Line draw_line(const nd::Array& start, const nd::Array& stop, std::int64_t count, bool endpoint,
               nd::DType loop) {
  std::int64_t intervals = endpoint ? count - 1 : count;
  nd::Array delta = nd::apply(Op::kSubtract, stop, start);
  nd::Array index = counting_column(count, nd::real_of(loop), delta.rank());
  Line line;
  nd::Array scaled;
  if (intervals > 0) {
    nd::Operand divisor = nd::Operand::weak_int(intervals);
    line.step = nd::apply(Op::kDivide, delta, divisor);
    bool any_zero =
        nd::any(nd::apply(Op::kEqual, line.step, nd::Operand::weak_int(0))).item().truth();
    scaled = any_zero ? nd::apply(Op::kMultiply, nd::apply(Op::kDivide, index, divisor), delta)
                      : nd::apply(Op::kMultiply, index, line.step);
  } else {
    line.step = nd::Array::full(nd::Dims{}, nd::Scalar(std::nan("")), nd::DType::kFloat64);
    scaled = nd::apply(Op::kMultiply, index, delta);
  }
  line.values = nd::apply(Op::kAdd, scaled, start);
  if (endpoint && count > 1) line.values = with_last(line.values, stop);
  return line;
}

nd::Array move_first_axis(const nd::Array& array, std::int64_t axis) {
  int target = nd::normalize_axis(axis, array.rank());
  std::vector<int> order;
  for (int i = 1; i < array.rank(); ++i) order.push_back(i);
  order.insert(order.begin() + target, 0);
  return array.transpose(order);
}

// linspace(start, stop, num, endpoint, retstep, dtype, axis)
Value linspace(const Parameters& p) {
  std::int64_t count = to_int64(p[2]);
  if (count < 0) raise(errors::ValueError, "Number of samples, {}, must be non-negative.", count);
  auto inexact = [](const Value& value) {
    nd::Array array = to_array(value);
    return nd::is_inexact(array.dtype()) ? array : array.astype(nd::DType::kFloat64);
  };
  OperandKeeper keepers[2];
  nd::Operand ends[] = {to_operand(p[0], keepers[0]), to_operand(p[1], keepers[1]),
                        nd::Operand::weak_float(static_cast<double>(count))};
  nd::DType loop = nd::result_type(ends);
  nd::Array start = inexact(p[0]), stop = inexact(p[1]);
  nd::DType wanted = p[5].is_none() ? loop : to_dtype(p[5]);
  Line line = draw_line(start, stop, count, truth(p[3]), loop);
  nd::Array values = line.values;
  if (to_int64(p[6]) != 0) values = move_first_axis(values, to_int64(p[6]));
  if (nd::is_integer(wanted)) values = nd::apply(Op::kFloor, values);
  if (values.dtype() != wanted) values = values.astype(wanted);
  bool has_class = is_subclass_array(p[0]) || is_subclass_array(p[1]);
  Value given[] = {p[1], p[0]}, model = has_class ? class_model(given) : Value();
  Value step = has_class ? wrap_by_model(line.step, model, Op::kSubtract, given) : Value();
  Value result = has_class ? wrap_reduced(values, model) : wrap_result(values);
  if (!truth(p[4])) return result;
  bool stepless = count < (truth(p[3]) ? 2 : 1);
  if (stepless) step = Value::real(std::nan(""));
  return make_tuple({result, step.is_empty() ? wrap_result(line.step) : step});
}

const NativeRow kFunctions[] = {
    {"arange(start=<none>, stop=<none>, step=None, dtype=None, *, device=None, like=None)",
     placed<arange, 4>, "Evenly spaced values from start up to stop, without stop."},
    {"linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, "
     "device=None)",
     linspace, "A number of evenly spaced values from start to stop."},
};

}  // namespace

std::span<const NativeRow> sequence_functions() { return kFunctions; }

}  // namespace strider::lang
