// Indexing: a[items], a[items] = value, and the functions that pick elements by position or mask.
// Knows nothing of the language's objects; the caller has turned them into items.
#pragma once

#include <strider/nd/array.h>

#include <optional>
#include <span>
#include <vector>

namespace strider::nd {

enum class IndexKind : std::uint8_t { kInteger, kSlice, kNewAxis, kEllipsis, kBoolean, kArray };

// One part of a subscript: a[integer, start:stop:step, newaxis, ..., True, array].
struct IndexItem {
  IndexKind kind = IndexKind::kSlice;
  bool has_start = false;
  bool has_stop = false;
  bool has_step = false;
  bool truth = false;        // kBoolean
  std::int64_t integer = 0;  // kInteger
  std::int64_t start = 0, stop = 0, step = 1;
  Array array;  // kArray: integers or booleans

  static IndexItem of_integer(std::int64_t value);
  static IndexItem of_slice(std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                            std::optional<std::int64_t> step = std::nullopt);
  static IndexItem new_axis();
  static IndexItem ellipsis();
  static IndexItem of_boolean(bool truth);
  // A 0-d integer array counts as an array (the result is a copy), as in NumPy. Empty float arrays
  // from `[]` must be converted to int64 by the caller. kIndex: "arrays used as indices must be of
  // integer (or boolean) type".
  static IndexItem of_array(const Array& indices);
};
using IndexItems = std::span<const IndexItem>;

// True when a[items] is a view (integers, slices, newaxis and ellipsis only).
bool is_basic(IndexItems items);
// True when a[items] with this 0-d result is a NumPy scalar rather than a 0-d array: no ellipsis.
bool yields_scalar(IndexItems items);

// a[items]: a view for basic items, else a copy laid out as NumPy lays it out.
Array get(const Array& array, IndexItems items);
// a[items] = value, converted and broadcast; right also when the two overlap.
void set(const Array& array, IndexItems items, const Array& value);
void set(const Array& array, IndexItems items, const Scalar& value);

// a[i]: the row view (0-d for a 1-d array). kIndex when out of bounds or `array` is 0-d.
Array get_row(const Array& array, std::int64_t index);
// a[i] of a 1-d array, a[i, j] of a 2-d one: the element itself. Negative indices count from the
// end.
Scalar get_element(const Array& array, std::int64_t i);
Scalar get_element(const Array& array, std::int64_t i, std::int64_t j);
void set_element(const Array& array, const Scalar& value);  // of an array without axes
void set_element(const Array& array, std::int64_t i, const Scalar& value);
void set_element(const Array& array, std::int64_t i, std::int64_t j, const Scalar& value);
// The slice's first index, its step and its number of elements over an axis of `extent`
// (Python's slice.indices). kValue "slice step cannot be zero".
struct SliceRange {
  std::int64_t start, step, count;
};
SliceRange resolve_slice(const IndexItem& slice, std::int64_t extent);

// a.flat[item] and a.flat[item] = value in C order; `item` is any kind but kNewAxis. Values are
// repeated as often as needed.
Array get_flat(const Array& array, const IndexItem& item);
void set_flat(const Array& array, const IndexItem& item, const Array& values);
// The element at C-order position `position` (negative from the end). kIndex when out of bounds.
Scalar flat_element(const Array& array, std::int64_t position);

// What take, put and choose do with an index that is out of bounds.
enum class IndexMode : std::uint8_t { kRaise, kWrap, kClip };

// numpy.take: elements along `axis` (none: of the flattened array).
Array take(const Array& array, const Array& indices, std::optional<int> axis,
           IndexMode mode = IndexMode::kRaise, const Array* out = nullptr);
// numpy.put: array.flat[indices] = values, repeated.
void put(const Array& array, const Array& indices, const Array& values,
         IndexMode mode = IndexMode::kRaise);
// numpy.choose: out[i] = choices[selector[i]][i], everything broadcast, choices promoted.
Array choose(const Array& selector, std::span<const Array> choices,
             IndexMode mode = IndexMode::kRaise, const Array* out = nullptr);
// numpy.compress: the slices along `axis` (none: flattened) whose condition is true.
Array compress(const Array& condition, const Array& array, std::optional<int> axis,
               const Array* out = nullptr);

// numpy.nonzero: one int64 array per axis. kValue for 0-d: "Calling nonzero on 0d arrays is not
// allowed. Use np.atleast_1d(scalar).nonzero() instead. If the context of this error is of the
// form `arr[nonzero(cond)]`, just use `arr[cond]`."
std::vector<Array> nonzero(const Array& array);
// Positions of the true elements of the flattened array.
Array flatnonzero(const Array& array);
// numpy.argwhere: (count, rank).
Array argwhere(const Array& array);

// numpy.where(condition, x, y), broadcast, of type `dtype` (the caller's promotion).
Array where(const Array& condition, const Array& x, const Array& y, DType dtype);
// numpy.place: the true elements become values, taken in turn and repeated.
void place(const Array& array, const Array& mask, const Array& values);
// numpy.extract is compress of the flattened arrays; numpy.putmask: values[n] by position.
void putmask(const Array& array, const Array& mask, const Array& values);
// numpy.copyto. kType "Cannot cast array data from dtype('float64') to dtype('int64') according to
// the rule 'same_kind'".
void copyto(const Array& destination, const Array& source, Casting casting = Casting::kSameKind,
            const Array* mask = nullptr);

// numpy.unravel_index: one array per axis, shaped as `indices`.
std::vector<Array> unravel_index(const Array& indices, const Dims& shape, Order order = Order::kC);
// numpy.ravel_multi_index; `modes` holds one mode, or one per axis.
Array ravel_multi_index(std::span<const Array> indices, const Dims& shape,
                        std::span<const IndexMode> modes, Order order = Order::kC);

// numpy.diagonal: a read-only view.
Array diagonal(const Array& array, int offset = 0, int axis1 = 0, int axis2 = 1);
// numpy.trace: the sum along the diagonal, in `dtype` (none: as sum).
Array trace(const Array& array, int offset = 0, int axis1 = 0, int axis2 = 1,
            std::optional<DType> dtype = std::nullopt, const Array* out = nullptr);
// numpy.fill_diagonal.
void fill_diagonal(const Array& array, const Array& values, bool wrap = false);
// numpy.tri: ones at and below diagonal k; numpy.tril and triu of the last two axes.
Array tri(std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype);
Array tril(const Array& array, std::int64_t k = 0);
Array triu(const Array& array, std::int64_t k = 0);

enum class Sharing : std::uint8_t { kNone, kSome, kTooHard };

// Whether two arrays have a byte in common, found in at most so many tries (negative: any number).
Sharing find_shared_element(const Array& a, const Array& b, std::int64_t max_work);

// numpy.lib.stride_tricks.as_strided, refused (kValue) when it would leave the array's memory.
Array as_strided(const Array& array, const Dims& shape, const Dims& strides, bool writeable = true);

}  // namespace strider::nd
