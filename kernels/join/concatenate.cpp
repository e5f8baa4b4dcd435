// concatenate and stack: parts written one behind another into one result.
#include <strider/nd/error.h>
#include <strider/nd/join.h>

#include <algorithm>
#include <vector>

#include "kernels/core/node.h"
#include "kernels/index/arranging.h"
#include "kernels/index/promotion.h"
#include "kernels/join/interleave.h"

namespace strider::nd {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::kValue, message); }

void check_part(const Array& first, const Array& part, std::size_t number, int axis) {
  if (part.rank() != first.rank())
    fail("all the input arrays must have same number of dimensions, but the array at index 0 has " +
         std::to_string(first.rank()) + " dimension(s) and the array at index " +
         std::to_string(number) + " has " + std::to_string(part.rank()) + " dimension(s)");
  for (int k = 0; k < first.rank(); ++k)
    if (k != axis && part.shape()[k] != first.shape()[k])
      fail(
          "all the input array dimensions except for the concatenation axis must match exactly, "
          "but along dimension " +
          std::to_string(k) + ", the array at index 0 has size " +
          std::to_string(first.shape()[k]) + " and the array at index " + std::to_string(number) +
          " has size " + std::to_string(part.shape()[k]));
}

Dims joined_shape(std::span<const Array> arrays, int axis) {
  Dims shape = arrays[0].shape();
  for (std::size_t k = 1; k < arrays.size(); ++k) {
    check_part(arrays[0], arrays[k], k, axis);
    shape[axis] += arrays[k].shape()[axis];
  }
  return shape;
}

constexpr const char* kRuleNames[] = {"no", "equiv", "safe", "same_kind", "unsafe"};

void check_casts(std::span<const Array> arrays, DType to, Casting casting) {
  for (const Array& array : arrays)
    if (!can_cast(array.dtype(), to, casting))
      throw Error(ErrorKind::kType, "Cannot cast array data from dtype('" +
                                        std::string(name(array.dtype())) + "') to dtype('" +
                                        std::string(name(to)) + "') according to the rule '" +
                                        kRuleNames[static_cast<int>(casting)] + "'");
}

// A new array whose axes lie as those of all parts do.
Array new_result(std::span<const Array> arrays, const Dims& shape, DType dtype) {
  bool plain = true;
  for (const Array& array : arrays) plain = plain && array.is_c_contiguous();
  if (plain || shape.size() < 2) return empty_for(arrays, shape, dtype);
  std::vector<Dims> layouts;
  for (const Array& array : arrays) {
    layouts.push_back(distinct_steps(array.strides()));
    for (int axis = 0; axis < array.rank(); ++axis)
      if (array.shape()[axis] == 1) layouts.back()[axis] = 0;  // does not tell
  }
  Dims strides = similar_strides(shape, layouts, item_size(dtype));
  Dims dense = dense_strides(shape, item_size(dtype));
  return strides == dense ? empty_for(arrays, shape, dtype) : make_array(shape, strides, dtype);
}

// Whether the parts have one element each along the last axis, which is the one that they are
// joined along.
bool are_columns(std::span<const Array> arrays, int axis) {
  return std::ranges::all_of(arrays, [axis](const Array& array) {
    return axis == array.rank() - 1 && array.shape()[axis] == 1;
  });
}

void write_parts(std::span<const Array> arrays, int axis, const Array& result) {
  if (are_columns(arrays, axis) && interleave(arrays, result)) return;
  std::int64_t offset = 0, step = result.strides()[axis];
  for (const Array& array : arrays) {
    if (array.size() > 0) result.view(array.shape(), result.strides(), offset).assign(array);
    offset += array.shape()[axis] * step;
  }
}

std::vector<Array> flattened(std::span<const Array> arrays) {
  std::vector<Array> result;
  for (const Array& array : arrays) result.push_back(array.ravel());
  return result;
}

void check_out(const Array& out, const Dims& shape, bool flat) {
  if (flat && out.rank() != 1) fail("Output array must be 1D");
  if (out.rank() != shape.size()) fail("Output array has wrong dimensionality");
  if (!(out.shape() == shape))
    fail(flat ? "Output array is the wrong size" : "Output array is the wrong shape");
}

// A copy of every part that shares memory with `out`.
std::vector<Array> apart_from(std::span<const Array> arrays, const Array& out) {
  std::vector<Array> result;
  for (const Array& array : arrays)
    result.push_back(array.may_share_elements(out) ? array.copy() : array);
  return result;
}

}  // namespace

Array concatenate(std::span<const Array> arrays, std::optional<int> axis, const Array* out,
                  std::optional<DType> dtype, Casting casting) {
  if (arrays.empty()) fail("need at least one array to concatenate");
  if (out && dtype)
    throw Error(
        ErrorKind::kType,
        "concatenate() only takes `out` or `dtype` as an argument, but both were provided.");
  if (!axis) {
    std::vector<Array> flat = flattened(arrays);
    if (out) check_out(*out, joined_shape(flat, 0), true);
    return concatenate(flat, 0, out, dtype, casting);
  }
  if (arrays[0].rank() == 0) fail("zero-dimensional arrays cannot be concatenated");
  int at = normalize_axis(*axis, arrays[0].rank());
  Dims shape = joined_shape(arrays, at);
  if (out) check_out(*out, shape, false);
  DType target = out ? out->dtype() : dtype.value_or(promote_all(arrays));
  check_casts(arrays, target, casting);
  Array result = out ? *out : new_result(arrays, shape, target);
  if (out)
    write_parts(apart_from(arrays, *out), at, result);
  else
    write_parts(arrays, at, result);
  return result;
}

Array stack(std::span<const Array> arrays, int axis, const Array* out, std::optional<DType> dtype,
            Casting casting) {
  if (arrays.empty()) fail("need at least one array to stack");
  int rank = arrays[0].rank() + 1;
  int axes[] = {normalize_axis(axis, rank)};
  std::vector<Array> expanded;
  for (const Array& array : arrays) {
    if (!(array.shape() == arrays[0].shape())) fail("all input arrays must have the same shape");
    expanded.push_back(array.expand_dims(axes));
  }
  return concatenate(expanded, axes[0], out, dtype, casting);
}

}  // namespace strider::nd
