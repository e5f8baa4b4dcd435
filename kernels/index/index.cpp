// a[items] and a[items] = value: views for basic items, gather and scatter for the others, and
// short ways for the commonest subscripts.
#include <strider/nd/error.h>
#include <strider/nd/eval.h>
#include <strider/nd/index.h>
#include <strider/nd/reduce.h>
#include <strider/nd/threads.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/core/element.h"
#include "kernels/core/node.h"
#include "kernels/index/arranging.h"
#include "kernels/index/gather.h"
#include "kernels/index/mask.h"
#include "kernels/index/subscript.h"

namespace strider::nd {

IndexItem IndexItem::of_integer(std::int64_t value) {
  IndexItem item;
  item.kind = IndexKind::kInteger;
  item.integer = value;
  return item;
}

IndexItem IndexItem::of_slice(std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                              std::optional<std::int64_t> step) {
  IndexItem item;
  item.has_start = start.has_value();
  item.has_stop = stop.has_value();
  item.has_step = step.has_value();
  item.start = start.value_or(0);
  item.stop = stop.value_or(0);
  item.step = step.value_or(1);
  return item;
}

IndexItem IndexItem::new_axis() {
  IndexItem item;
  item.kind = IndexKind::kNewAxis;
  return item;
}

IndexItem IndexItem::ellipsis() {
  IndexItem item;
  item.kind = IndexKind::kEllipsis;
  return item;
}

IndexItem IndexItem::of_boolean(bool truth) {
  IndexItem item;
  item.kind = IndexKind::kBoolean;
  item.truth = truth;
  return item;
}

IndexItem IndexItem::of_array(const Array& indices) {
  if (category(indices.dtype()) >= Category::kFloating)
    throw Error(ErrorKind::kIndex, "arrays used as indices must be of integer (or boolean) type");
  IndexItem item;
  item.kind = IndexKind::kArray;
  item.array = indices;
  return item;
}

bool is_basic(IndexItems items) {
  for (const IndexItem& item : items)
    if (item.kind == IndexKind::kBoolean || item.kind == IndexKind::kArray) return false;
  return true;
}

bool yields_scalar(IndexItems items) {
  for (const IndexItem& item : items)
    if (item.kind == IndexKind::kEllipsis) return false;
  return true;
}

Array get_row(const Array& array, std::int64_t index) {
  if (array.rank() == 0)
    throw Error(ErrorKind::kIndex,
                "too many indices for array: array is 0-dimensional, but 1 were indexed");
  std::int64_t positive = checked_index(index, array.shape()[0], 0);
  std::span<const std::int64_t> shape = array.shape(), strides = array.strides();
  return array.view(Dims(shape.subspan(1)), Dims(strides.subspan(1)), positive * strides[0]);
}

namespace {

[[noreturn]] void throw_value_mismatch(const Array& value, const Dims& result) {
  throw Error(ErrorKind::kValue,
              "shape mismatch: value array of shape " + shape_text(value.shape()) +
                  " could not be broadcast to indexing result of shape " + shape_text(result));
}

// Bytes that are brought to the host whole, and elements that are fetched one by one before all
// are.
constexpr std::int64_t kSmallDownload = 1 << 16;
constexpr int kLoneReads = 16;

// Elements worth a thread when they are picked from all over.
constexpr std::int64_t kGatherGrain = 65536;

bool is_full_mask(const Array& array, IndexItems items) {
  return items.size() == 1 && items[0].kind == IndexKind::kArray &&
         items[0].array.dtype() == DType::kBool && array.rank() > 0 &&
         items[0].array.shape() == array.shape();
}

const std::uint8_t* mask_bytes(const Array& mask) {
  return reinterpret_cast<const std::uint8_t*>(mask.data());
}

// The same on a device, which is waited for to know how many there are.
Array get_masked_there(const Workbench& bench, const Array& values, const Array& flags) {
  auto* mask = bench.read_as<std::uint8_t>(flags);
  std::int64_t count = count_nonzero(flags);
  if (count == 0) return Array::empty({0}, values.dtype());
  Array result = bench.make({count}, values.dtype());
  bool done = bench.arranger->choose(mask, flags.size(), bench.read(values),
                                     item_size(values.dtype()), count, bench.write(result));
  return done ? result : Array();
}

Array get_masked(const Array& array, const Array& mask) {
  Array flags = mask.contiguous(), values = array.contiguous();
  if (Workbench bench = find_workbench({&values, &flags})) {
    if (Array result = get_masked_there(bench, values, flags)) return result;
  }
  std::int64_t count = count_true(mask_bytes(flags), flags.size());
  Array result = Array::empty({count}, array.dtype());
  compress_masked(values.data(), mask_bytes(flags), count, item_size(array.dtype()),
                  result.mutable_data());
  return result;
}

// The offsets of a subscript's advanced indices, on the stack when there are few.
class Offsets {
 public:
  explicit Offsets(const Subscript& subscript) : count_(element_count(subscript.index_shape)) {
    if (count_ > kInline) block_ = Array::empty({count_}, DType::kInt64);
    std::int64_t* at = count_ > kInline ? block_.mutable_as<std::int64_t>() : inline_;
    subscript.fill_offsets(at);
    span_ = {at, static_cast<std::size_t>(count_)};
  }
  std::span<const std::int64_t> span() const { return span_; }

 private:
  static constexpr std::int64_t kInline = 64;
  std::int64_t count_;
  std::int64_t inline_[kInline];
  Array block_;
  std::span<const std::int64_t> span_;
};

Places places_of(const Subscript& subscript, const Offsets& offsets, DType dtype) {
  std::span<const std::int64_t> shape = subscript.shape, strides = subscript.strides;
  auto before = static_cast<std::size_t>(subscript.position);
  return {Dims(shape.first(before)),   Dims(strides.first(before)),   offsets.span(),
          Dims(shape.subspan(before)), Dims(strides.subspan(before)), item_size(dtype)};
}

bool is_index_line(const Array& array, IndexItems items) {
  return items.size() == 1 && items[0].kind == IndexKind::kArray && array.rank() == 1 &&
         items[0].array.rank() > 0 && items[0].array.dtype() != DType::kBool;
}

// The same on a device.
Array get_line_there(const Workbench& bench, const Array& array, const Array& indices) {
  Places places;
  places.item = item_size(array.dtype());
  std::int64_t extent = array.shape()[0], stride = array.strides()[0];
  widen(places, extent, stride);
  Array offsets = checked_offsets(indices, extent, stride, 0);
  return gather_there(bench, array, 0, std::move(places), offsets, indices.shape());
}

// a[indices] of a 1-d array; columns of indices give columns.
Array get_line(const Array& array, const Array& indices) {
  if (indices.is_f_contiguous() && !indices.is_c_contiguous())
    return get_line(array, indices.transpose()).transpose();
  Array places = indices.contiguous(DType::kInt64);
  if (Workbench bench = find_workbench({&array, &places})) {
    if (Array result = get_line_there(bench, array, places)) return result;
  }
  Array result = Array::empty(places.shape(), array.dtype());
  const std::int64_t* index = places.as<std::int64_t>();
  Line line{array.shape()[0], array.strides()[0], item_size(array.dtype())};
  std::byte* to = result.mutable_data();
  const std::byte* from = array.data();
  parallel_for(places.size(), kGatherGrain, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t done = gather_line(from, line, index + begin, end - begin, to + begin * line.item);
    if (done < end - begin) throw_out_of_bounds(index[begin + done], line.extent, 0);
  });
  return result;
}

// Results of which the elements stand apart along several axes are first gathered in C order from
// here on.
constexpr std::int64_t kLargeGather = 1 << 16;

// As NumPy lays results out: the index axes outermost, then the other axes in the order in which
// they step through the array.
struct AdvancedLayout {
  explicit AdvancedLayout(const Subscript& subscript, int item)
      : inner(similar_strides(subscript.shape, subscript.strides, item)),
        plain(subscript.position == 0 && inner == dense_strides(subscript.shape, item)) {
    std::int64_t block = item;
    for (std::int64_t extent : subscript.shape) block *= extent;
    Dims outer = dense_strides(subscript.index_shape, static_cast<int>(block));
    for (int axis = 0; axis < subscript.position; ++axis) strides.push_back(inner[axis]);
    for (std::int64_t stride : outer) strides.push_back(stride);
    for (int axis = subscript.position; axis < inner.size(); ++axis) strides.push_back(inner[axis]);
  }
  Dims inner, strides;
  bool plain;  // C order
};

// The places in the order of the result's memory.
Places places_in_order(const Subscript& subscript, const Offsets& offsets, const Dims& steps,
                       int item) {
  std::vector<int> axes(static_cast<std::size_t>(steps.size()));
  std::iota(axes.begin(), axes.end(), 0);
  std::ranges::stable_sort(axes, [&](int a, int b) { return steps[a] > steps[b]; });
  Places places;
  places.offsets = offsets.span();
  places.item = item;
  for (int axis : axes) {
    places.inner_shape.push_back(subscript.shape[axis]);
    places.inner_strides.push_back(subscript.strides[axis]);
  }
  return places;
}

// The bench for a subscript of an array that has elements.
Workbench find_bench(const Array& array, const Subscript& subscript) {
  for (const AxisIndex& index : subscript.advanced) {
    Workbench bench = find_workbench({&array, &index.indices});
    if (!bench || &index == &subscript.advanced.back()) return bench;
  }
  return {};
}

Places places_there(const Subscript& subscript, DType dtype) {
  std::span<const std::int64_t> shape = subscript.shape, strides = subscript.strides;
  auto before = static_cast<std::size_t>(subscript.position);
  Places places;
  places.outer_shape = Dims(shape.first(before));
  places.outer_strides = Dims(strides.first(before));
  places.inner_shape = Dims(shape.subspan(before));
  places.inner_strides = Dims(strides.subspan(before));
  places.item = item_size(dtype);
  for (const AxisIndex& index : subscript.advanced) widen(places, index.extent, index.stride);
  return places;
}

// The same on a device. Null where that has nothing for it.
Array get_advanced_there(const Workbench& bench, const Array& array, const Subscript& subscript) {
  Dims shape = subscript.result_shape();
  Array offsets = subscript.offsets();
  if (element_count(shape) == 0) return Array();
  Array result = gather_there(bench, array, subscript.offset,
                              places_there(subscript, array.dtype()), offsets, shape);
  AdvancedLayout layout(subscript, item_size(array.dtype()));
  if (layout.plain || !result) return result;
  Array moved = subscript.position > 0
                    ? bench.make({result.size()}, array.dtype()).view(shape, layout.strides, 0)
                    : make_array(shape, layout.strides, array.dtype());
  moved.assign(result);
  return moved;
}

Array get_advanced(const Array& array, const Subscript& subscript) {
  if (Workbench bench = find_bench(array, subscript)) {
    if (Array result = get_advanced_there(bench, array, subscript)) return result;
  }
  Offsets offsets(subscript);
  int item = item_size(array.dtype());
  Dims shape = subscript.result_shape();
  AdvancedLayout layout(subscript, item);
  const std::byte* from = array.data() + subscript.offset;
  bool direct = subscript.shape.size() == 1 || element_count(shape) < kLargeGather;
  if (layout.plain || (!direct && subscript.position > 0)) {
    Array result = Array::empty(shape, array.dtype());
    if (result.size())
      gather(from, places_of(subscript, offsets, array.dtype()), result.mutable_data());
    if (layout.plain || result.size() == 0) return result;
    Array moved = Array::empty({result.size()}, array.dtype()).view(shape, layout.strides, 0);
    moved.assign(result);
    return moved;
  }
  Array block = subscript.position > 0 ? Array::empty({element_count(shape)}, array.dtype())
                                       : make_array(shape, layout.strides, array.dtype());
  if (block.size())
    gather(from, places_in_order(subscript, offsets, layout.inner, item), block.mutable_data());
  return subscript.position > 0 ? block.view(shape, layout.strides, 0) : block;
}

// The value as packed elements of `dtype` for a result of this shape: one element, or all.
Array packed_value(const Array& value, const Array& target, const Dims& shape) {
  Array converted = value.dtype() == target.dtype() ? value : value.astype(target.dtype());
  if (value.may_share_elements(target)) converted = value.astype(target.dtype(), Order::kC, true);
  if (converted.size() == 1 && converted.rank() <= shape.size()) return converted;
  while (converted.rank() > shape.size() && converted.shape()[0] == 1)
    converted = get_row(converted, 0);
  if (converted.shape() == shape) return converted.contiguous();
  try {
    return converted.broadcast_to(shape).contiguous();
  } catch (const Error&) {
    throw_value_mismatch(value, shape);
  }
}

void require_writeable(const Array& array) {
  if (!array.writeable()) throw Error(ErrorKind::kValue, "assignment destination is read-only");
}

void set_advanced(const Array& array, const Subscript& subscript, const Array& value) {
  Dims shape = subscript.result_shape();
  Array packed = packed_value(value, array, shape);
  if (Workbench bench = find_bench(array, subscript); bench && packed.size() > 0) {
    if (scatter_there(bench, array, subscript.offset, places_there(subscript, array.dtype()),
                      subscript.offsets(), packed))
      return;
  }
  Offsets offsets(subscript);
  if (element_count(shape) == 0) return;
  scatter(array.mutable_data() + subscript.offset, places_of(subscript, offsets, array.dtype()),
          packed.data(), packed.size() == 1);
}

// array[indices] = value of a 1-d array in host memory; false for others.
bool set_line(const Array& array, const Array& indices, const Array& value) {
  Array places = indices.may_share_elements(array) ? indices.astype(DType::kInt64, Order::kC, true)
                                                   : indices.contiguous(DType::kInt64);
  if (find_workbench({&array, &places})) return false;
  Array packed = packed_value(value, array, places.shape());
  const std::int64_t *index = places.as<std::int64_t>(), count = places.size();
  Line line{array.shape()[0], array.strides()[0], item_size(array.dtype())};
  std::int64_t fits = check_line(line, index, count);
  if (fits < count) throw_out_of_bounds(index[fits], line.extent, 0);
  scatter_line(array.mutable_data(), line, index, count, packed.data(), packed.size() == 1);
  return true;
}

void check_masked_value(const Array& value, std::int64_t count) {
  if (value.rank() > 1)
    throw Error(ErrorKind::kType,
                "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
                "input has " +
                    std::to_string(value.rank()) + " dimensions");
  if (value.size() != 1 && value.size() != count)
    throw Error(ErrorKind::kValue, "NumPy boolean array indexing assignment cannot assign " +
                                       std::to_string(value.size()) + " input values to the " +
                                       std::to_string(count) +
                                       " output values where the mask is true");
}

// One value for all chosen elements of a large array: a choice that is computed in place, together
// with the mask.
bool set_by_choice(const Array& array, const Array& mask, const Array& value) {
  bool large = array.size() >= recording().limit() && !array.node()->storage->borrowed();
  if (!large || value.size() != 1 || value.rank() > 1 || mask.shape() != array.shape()) {
    return false;
  }
  array.assign(select(mask, Operand(value.contiguous(array.dtype()).item()), array));
  return true;
}

void set_masked(const Array& array, const Array& mask, const Array& value) {
  if (set_by_choice(array, mask, value)) return;
  Array flags = mask.may_share_elements(array) ? mask.copy() : mask.contiguous();
  Workbench bench = find_workbench({&array, &flags});
  Array positions = bench ? list_there(bench, flags) : Array();
  std::int64_t count = positions ? positions.size() : count_true(mask_bytes(flags), flags.size());
  check_masked_value(value, count);
  bool overlap = value.may_share_elements(array);
  Array packed =
      overlap ? value.astype(array.dtype(), Order::kC, true) : value.contiguous(array.dtype());
  if (count == 0) return;
  Array target = array.is_c_contiguous() ? array : array.copy();
  if (!positions || !put_there(bench, target, positions, packed, true))
    expand_masked(target.mutable_data(), mask_bytes(flags), flags.size(), item_size(array.dtype()),
                  packed.data(), value.size() == 1);
  if (!array.is_c_contiguous()) array.assign(target);
}

// One element given an array with axes: refused, but for a boolean given a one-element array.
void check_element_value(const Array& array, const Array& value) {
  if (is_complex(array.dtype()))
    throw Error(ErrorKind::kType, "only 0-dimensional arrays can be converted to Python scalars");
  if (array.dtype() != DType::kBool || value.size() != 1)
    throw Error(ErrorKind::kValue, "setting an array element with a sequence.");
}

void set_view(const Array& view, IndexItems items, const Array& value) {
  if (value.rank() <= view.rank()) return view.assign(value);
  if (view.rank() == 0 && yields_scalar(items)) check_element_value(view, value);
  Array fitted = value;
  while (fitted.rank() > view.rank() && fitted.shape()[0] == 1) fitted = get_row(fitted, 0);
  view.assign(fitted);
}

}  // namespace

Array get(const Array& array, IndexItems items) {
  if (is_basic(items)) return get_view(array, items);
  if (is_full_mask(array, items)) return get_masked(array, items[0].array);
  if (is_index_line(array, items)) return get_line(array, items[0].array);
  Subscript subscript = resolve(array, items);
  if (!subscript.advanced.empty()) return get_advanced(array, subscript);
  return array.view(subscript.shape, subscript.strides, subscript.offset).copy();
}

void set(const Array& array, IndexItems items, const Array& value) {
  require_writeable(array);
  if (is_basic(items)) return set_view(get_view(array, items), items, value);
  if (is_full_mask(array, items)) return set_masked(array, items[0].array, value);
  if (is_index_line(array, items) && set_line(array, items[0].array, value)) return;
  Subscript subscript = resolve(array, items);
  if (!subscript.advanced.empty()) return set_advanced(array, subscript, value);
  set_view(array.view(subscript.shape, subscript.strides, subscript.offset), items, value);
}

void set(const Array& array, IndexItems items, const Scalar& value) {
  require_writeable(array);
  if (is_basic(items)) return get_view(array, items).assign(value);
  set(array, items, Array::scalar(value.as(array.dtype())));
}

namespace {

// Whether one element should be fetched from a device without the others: of large arrays, until a
// program has asked for several of the same array.
bool reads_alone(const Array& array) {
  if (!is_away(array) || array.byte_count() <= kSmallDownload) return false;
  thread_local std::pair<const Storage*, int> last{nullptr, 0};
  if (last.first != array.node()->storage) last = {array.node()->storage, 0};
  return ++last.second <= kLoneReads;
}

}  // namespace

Scalar get_element(const Array& array, std::int64_t i) {
  std::int64_t position = checked_index(i, array.shape()[0], 0);
  if (reads_alone(array)) return array.item_at({position});
  std::int64_t at = position * array.strides()[0];
  return load_element(array.dtype(), array.data() + at);
}

Scalar get_element(const Array& array, std::int64_t i, std::int64_t j) {
  std::int64_t at = checked_index(i, array.shape()[0], 0) * array.strides()[0] +
                    checked_index(j, array.shape()[1], 1) * array.strides()[1];
  return load_element(array.dtype(), array.data() + at);
}

namespace {

void store_element(const Array& array, std::int64_t at, const Scalar& value) {
  require_writeable(array);
  std::byte* to = array.mutable_data() + at;
  if (value.dtype() == array.dtype())
    std::memcpy(to, value.data(), static_cast<std::size_t>(item_size(array.dtype())));
  else
    std::memcpy(to, value.as(array.dtype()).data(),
                static_cast<std::size_t>(item_size(array.dtype())));
}

}  // namespace

void set_element(const Array& array, const Scalar& value) { store_element(array, 0, value); }

void set_element(const Array& array, std::int64_t i, const Scalar& value) {
  store_element(array, checked_index(i, array.shape()[0], 0) * array.strides()[0], value);
}

void set_element(const Array& array, std::int64_t i, std::int64_t j, const Scalar& value) {
  store_element(array,
                checked_index(i, array.shape()[0], 0) * array.strides()[0] +
                    checked_index(j, array.shape()[1], 1) * array.strides()[1],
                value);
}

}  // namespace strider::nd
