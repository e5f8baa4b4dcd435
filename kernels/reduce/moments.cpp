// Mean, variance and standard deviation: sums, then divisions, in NumPy's order.
#include <strider/nd/error.h>
#include <strider/nd/eval.h>
#include <strider/nd/ufunc.h>

#include <algorithm>

#include "kernels/reduce/reduction.h"

namespace strider::nd {
namespace {

// Integers are summed in float64.
std::optional<DType> sum_type(const Array& array, std::optional<DType> dtype) {
  if (dtype || is_inexact(array.dtype())) return dtype;
  return DType::kFloat64;
}

// The number of elements behind each result: one count, or (with a mask) an array of them.
struct Counts {
  Array counts;
  bool any_zero = false;
};

Counts count_elements(const Array& array, const ReduceOptions& options, bool keepdims) {
  std::uint64_t reduced = axes_bits(options.axes, array.rank());
  Counts result;
  if (options.where) {
    ReduceOptions inner;
    inner.axes = options.axes;
    inner.keepdims = keepdims;
    inner.dtype = DType::kInt64;
    result.counts = sum(options.where->broadcast_to(array.shape()), inner);
  } else {
    std::int64_t count = 1;
    for (int axis = 0; axis < array.rank(); ++axis) {
      if (reduced >> axis & 1) count *= array.shape()[axis];
    }
    result.counts = Array::scalar(Scalar(count));
  }
  const std::int64_t* counts = result.counts.as<std::int64_t>();
  result.any_zero =
      std::find(counts, counts + result.counts.size(), 0) != counts + result.counts.size();
  return result;
}

// Whether NumPy divides this sum by a count of none as arrays, which its warnings tell: types that
// do not hold every count are no scalars' business.
bool is_told_as_arrays(const Array& sum, const Array& count) {
  bool wide = sum.dtype() == DType::kFloat64 || sum.dtype() == DType::kComplex128;
  return !wide && count.item().to_double() == 0;
}

// The sums divided by counts, through float64 as NumPy does; in place when they are in memory.
Array divided(const Array& sums, const Array& counts) {
  if (is_away(sums)) {
    return apply(Op::kDivide, sums, counts).astype(sums.dtype(), Order::kKeep, false);
  }
  if (sums.rank() == 0 && counts.rank() == 0 && !is_told_as_arrays(sums, counts)) {
    Scalar quotient;
    apply_scalar(Op::kDivide, sums.item(), counts.item(), quotient);
    sums.assign(quotient.as(sums.dtype()));
    return sums;
  }
  UfuncOptions options;
  options.out[0] = &sums;
  options.casting = Casting::kUnsafe;
  return apply(Op::kDivide, sums, counts, options);
}

Array give(const Array& result, DType dtype, const Array* out) {
  if (!out) return result.astype(dtype, Order::kKeep, false);
  out->assign(result);
  return *out;
}

// |x|² as a real array.
Array squared_size(const Array& x) {
  if (!is_complex(x.dtype())) return apply(Op::kSquare, x);
  Array real = x.real(), imaginary = x.imag();
  return apply(Op::kAdd, apply(Op::kSquare, real), apply(Op::kSquare, imaginary));
}

// The counts less ddof, not below zero, as float64.
Array degrees_of_freedom(const Array& counts, double ddof, bool& few) {
  Array degrees = apply(Op::kMaximum, apply(Op::kSubtract, counts, Operand::weak_float(ddof)),
                        Operand::weak_float(0.0));
  const double* values = degrees.as<double>();
  few = std::find(values, values + degrees.size(), 0.0) != values + degrees.size();
  return degrees;
}

// Where results go has the shape of the sums.
void check_sum_out(const Array& array, const ReduceOptions& options) {
  if (!options.out) return;
  check_out_shape(*options.out, array.shape(), axes_bits(options.axes, array.rank()),
                  options.keepdims, facts(Op::kAdd).name);
}

}  // namespace

Array mean(const Array& array, const ReduceOptions& options, bool* empty) {
  check_sum_out(array, options);
  Counts count = count_elements(array, options, options.keepdims);
  if (empty) *empty = count.any_zero;
  ReduceOptions inner = options;
  inner.out = nullptr;
  bool halves = array.dtype() == DType::kFloat16 && !options.dtype;  // averaged in float32
  inner.dtype = halves ? DType::kFloat32 : sum_type(array, options.dtype);
  Array sums = sum(array, inner);
  if (!is_inexact(sums.dtype())) sums = sums.astype(DType::kFloat64);
  sums = divided(sums, count.counts);
  DType result = options.dtype ? *options.dtype : halves ? DType::kFloat16 : sums.dtype();
  return give(sums, result, options.out);
}

Array var(const Array& array, const ReduceOptions& options, double ddof, bool* few,
          const Array* known_mean) {
  check_sum_out(array, options);
  Counts count = count_elements(array, options, options.keepdims);
  bool too_few = false;
  Array degrees = degrees_of_freedom(count.counts, ddof, too_few);
  if (few) *few = too_few;
  ReduceOptions inner = options;
  inner.out = nullptr;
  inner.dtype = sum_type(array, options.dtype);
  Array centre;
  if (known_mean) {
    centre = *known_mean;
  } else {
    ReduceOptions first = inner;
    first.keepdims = true;
    centre = sum(array, first);
    if (!is_inexact(centre.dtype())) centre = centre.astype(DType::kFloat64);
    centre =
        divided(centre, options.where ? count_elements(array, options, true).counts : count.counts);
  }
  Array squares = squared_size(apply(Op::kSubtract, array, centre));
  Array sums = sum(squares, inner);
  sums = divided(sums, degrees);
  DType result = options.dtype.value_or(sums.dtype());
  return give(sums, result, options.out);
}

Array std_deviation(const Array& array, const ReduceOptions& options, double ddof, bool* few,
                    const Array* known_mean) {
  check_sum_out(array, options);
  ReduceOptions inner = options;
  inner.out = nullptr;
  Array spread = apply(Op::kSqrt, var(array, inner, ddof, few, known_mean));
  return give(spread, spread.dtype(), options.out);
}

}  // namespace strider::nd
