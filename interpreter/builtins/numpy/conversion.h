// Conversions between the language's values and what the array library takes. Errors carry NumPy's
// messages.
#pragma once

#include <strider/nd/index.h>
#include <strider/nd/reduce.h>
#include <strider/nd/ufunc.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/builtins/numpy/array/array_object.h"

namespace strider::lang {

// Any value as an array: arrays as they are (no copy), scalars, nested sequences, ranges, buffers,
// objects with __array__. With `dtype` the result has that element type. ValueError for ragged
// sequences, TypeError for what no array holds.
nd::Array to_array(const Value& value, std::optional<nd::DType> dtype = std::nullopt);
// As to_array, but always new memory.
nd::Array to_new_array(const Value& value, std::optional<nd::DType> dtype = std::nullopt);

// What an operand points into while it is used.
struct OperandKeeper {
  nd::Array array;
  std::string digits;
};
// Python numbers are weak, everything else is an array or a NumPy scalar.
nd::Operand to_operand(const Value& value, OperandKeeper& keeper);
// One element of `dtype` from a number, scalar, 0-d array or text; errors are those of assigning
// to an element.
nd::Scalar to_scalar(const Value& value, nd::DType dtype);
// ComplexWarning where elements of one type lose their imaginary parts as another.
void warn_of_lost_parts(nd::DType from, nd::DType to);
// The dtype in which an array is to be combined, if one is asked for; warns where parts are lost.
std::optional<nd::DType> to_dtype_for(const Value& array, const Value& value);
// A number with its own (or default) element type.
nd::Scalar to_scalar(const Value& value);

// numpy.dtype(value). TypeError for what is no dtype and for kinds arrays here do not hold.
nd::DType to_dtype(const Value& value);
// None and Empty give none.
std::optional<nd::DType> to_optional_dtype(const Value& value);

// axis=None (or Empty): all; an integer; or a tuple of integers.
nd::Axes to_axes(const Value& value);
// One axis; None and Empty give none. TypeError for what is no integer.
std::optional<std::int64_t> to_axis(const Value& value);
// A list of axes from an integer or a sequence.
std::vector<int> to_axis_list(const Value& value);
// A list of axes from an integer or a tuple; other sequences are a TypeError.
std::vector<int> to_axis_tuple(const Value& value);
// A shape: an integer or a sequence of integers. ValueError "negative dimensions are not allowed"
// is left to who allocates.
nd::Dims to_shape(const Value& value);
Value shape_tuple(const nd::Dims& shape);
// 'C', 'F', 'A', 'K'; None and Empty give `fallback`.
nd::Order to_order(const Value& value, nd::Order fallback = nd::Order::kC);
nd::Casting to_casting(const Value& value);
// out=: null for None and Empty; a one-tuple is opened. TypeError "return arrays must be of
// ArrayType".
const nd::Array* to_out(const Value& value);
// where=: null for True, None and Empty; else a boolean array kept in `keeper`.
const nd::Array* to_where(const Value& value, nd::Array& keeper);

// The parts of a subscript a[key]; a few need no heap.
class IndexItemList {
 public:
  explicit IndexItemList(const Value& key);
  ~IndexItemList();
  IndexItemList(const IndexItemList&) = delete;
  IndexItemList& operator=(const IndexItemList&) = delete;
  operator nd::IndexItems() const { return {items_, count_}; }
  std::size_t size() const { return count_; }
  const nd::IndexItem& operator[](std::size_t i) const { return items_[i]; }

 private:
  IndexItemList() = default;
  void add(const Value& part);
  static constexpr std::size_t kFew = 4;
  alignas(nd::IndexItem) std::byte few_[kFew * sizeof(nd::IndexItem)];
  std::vector<std::byte> many_;
  nd::IndexItem* items_ = reinterpret_cast<nd::IndexItem*>(few_);
  std::size_t count_ = 0;
};

}  // namespace strider::lang
