// Reductions and scans along axes. Sums add in NumPy's order, so that their bits are NumPy's.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/ops.h>

#include <cstdint>
#include <optional>

namespace strider::nd {

// Which axes to reduce: all, or those listed (negative ones count from the end; an empty list
// reduces nothing). Errors: kAxis, kValue "duplicate value in 'axis'".
struct Axes {
  bool all = true;
  bool single = false;  // one axis, not a list of one: arrays without axes put up with 0 and -1
  Dims list;

  Axes() = default;
  Axes(std::int64_t axis) : all(false), single(true), list{axis} {}
  explicit Axes(const Dims& axes) : all(false), list(axes) {}
};

// numpy's keyword arguments of reductions. `where` broadcasts to the array.
struct ReduceOptions {
  Axes axes;
  std::optional<DType> dtype;
  const Array* out = nullptr;
  bool keepdims = false;
  const Scalar* initial = nullptr;
  bool without_initial = false;  // initial=None: no identity is used
  const Array* where = nullptr;
};

// The element type that a reduction or scan works in; kType where the operation has no loop for it.
DType reduction_type(Op op, const Array& array, std::optional<DType> dtype, const Array* out);

// ufunc.reduce of a binary operation. kValue: "zero-size array to reduction operation maximum which
// has no identity".
Array reduce(Op op, const Array& array, const ReduceOptions& options = {});
// ufunc.accumulate along one axis.
Array accumulate(Op op, const Array& array, std::int64_t axis = 0,
                 std::optional<DType> dtype = std::nullopt, const Array* out = nullptr);
// ufunc.reduceat: reductions over array[indices[i]:indices[i+1]].
Array reduceat(Op op, const Array& array, const Array& indices, std::int64_t axis = 0,
               std::optional<DType> dtype = std::nullopt, const Array* out = nullptr);

Array sum(const Array& array, const ReduceOptions& options = {});
Array prod(const Array& array, const ReduceOptions& options = {});
Array max(const Array& array, const ReduceOptions& options = {});
Array min(const Array& array, const ReduceOptions& options = {});
Array ptp(const Array& array, const ReduceOptions& options = {});
Array any(const Array& array, const ReduceOptions& options = {});
Array all(const Array& array, const ReduceOptions& options = {});

// The mean of an empty slice is NaN; `empty` (when given) tells, so that the caller can warn "Mean
// of empty slice".
Array mean(const Array& array, const ReduceOptions& options = {}, bool* empty = nullptr);
// `few` (when given) tells that ddof leaves no degree of freedom ("Degrees of freedom <= 0 for
// slice"). `mean` is an already computed mean with kept axes.
Array var(const Array& array, const ReduceOptions& options = {}, double ddof = 0,
          bool* few = nullptr, const Array* mean = nullptr);
Array std_deviation(const Array& array, const ReduceOptions& options = {}, double ddof = 0,
                    bool* few = nullptr, const Array* mean = nullptr);

// Positions (int64) of the first extreme along `axis` (none: of the flattened array); NaN counts as
// the extreme. kValue "attempt to get argmax of an empty sequence".
Array argmax(const Array& array, std::optional<std::int64_t> axis, bool keepdims = false,
             const Array* out = nullptr);
Array argmin(const Array& array, std::optional<std::int64_t> axis, bool keepdims = false,
             const Array* out = nullptr);

// Running sums and products along `axis` (none: of the flattened array).
Array cumsum(const Array& array, std::optional<std::int64_t> axis,
             std::optional<DType> dtype = std::nullopt, const Array* out = nullptr);
Array cumprod(const Array& array, std::optional<std::int64_t> axis,
              std::optional<DType> dtype = std::nullopt, const Array* out = nullptr);

// Number of true elements: of all, or along axes (int64).
std::int64_t count_nonzero(const Array& array);
Array count_nonzero(const Array& array, const Axes& axes, bool keepdims = false);

}  // namespace strider::nd
