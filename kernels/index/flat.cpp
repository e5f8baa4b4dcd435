// a.flat: elements of any array by their position in C order.
#include <strider/nd/error.h>
#include <strider/nd/eval.h>
#include <strider/nd/index.h>

#include <cstring>

#include "kernels/core/element.h"
#include "kernels/index/arranging.h"

namespace strider::nd {
namespace {

std::int64_t checked_position(std::int64_t position, std::int64_t size) {
  std::int64_t positive = position < 0 ? position + size : position;
  if (positive < 0 || positive >= size)
    throw Error(ErrorKind::kIndex, "index " + std::to_string(position) +
                                       " is out of bounds for size " + std::to_string(size));
  return positive;
}

// The byte offset of a C-order position.
std::int64_t offset_at(const Array& array, std::int64_t position) {
  std::int64_t offset = 0;
  for (int axis = array.rank() - 1; axis >= 0; --axis) {
    std::int64_t extent = array.shape()[axis];
    offset += position % extent * array.strides()[axis];
    position /= extent;
  }
  return offset;
}

Array masked_positions(const Array& mask, std::int64_t size) {
  if (mask.size() != size)
    throw Error(ErrorKind::kIndex,
                "boolean index did not match indexed flat iterator along axis 0; size of axis is " +
                    std::to_string(size) + " but size of corresponding boolean axis is " +
                    std::to_string(mask.size()));
  return flatnonzero(mask);
}

Array slice_positions(const IndexItem& item, std::int64_t size) {
  SliceRange range = resolve_slice(item, size);
  return Array::arange(Scalar(range.start), Scalar(range.step), range.count, DType::kInt64);
}

// Positions that a device has are checked there.
Array checked_there(const Array& indices, std::int64_t size) {
  Array given = indices.contiguous(DType::kInt64), positions = wrap_negative(given, size);
  std::int64_t wrong = find_outside(positions, size);
  if (wrong >= 0) checked_position(given.as<std::int64_t>()[wrong], size);
  return positions.contiguous(DType::kInt64);
}

// The C-order positions that an item names, shaped as the result.
Array positions_of(const Array& array, const IndexItem& item) {
  std::int64_t size = array.size();
  switch (item.kind) {
    case IndexKind::kInteger:
      return Array::scalar(Scalar(checked_position(item.integer, size)));
    case IndexKind::kSlice:
      return slice_positions(item, size);
    case IndexKind::kEllipsis:
      return Array::arange(Scalar(std::int64_t{0}), Scalar(std::int64_t{1}), size, DType::kInt64);
    case IndexKind::kArray:
      break;
    default:
      throw Error(ErrorKind::kIndex,
                  "only integers, slices (`:`), ellipsis (`...`) and integer or boolean arrays are "
                  "valid indices");
  }
  if (item.array.dtype() == DType::kBool) return masked_positions(item.array, size);
  if (is_away(item.array)) return checked_there(item.array, size);
  Array positions = item.array.astype(DType::kInt64, Order::kC, true);
  std::int64_t* at = positions.mutable_as<std::int64_t>();
  for (std::int64_t i = 0; i < positions.size(); ++i) at[i] = checked_position(at[i], size);
  return positions;
}

// Whether the places of a slice lie at one distance in memory, and each gets a value of its own or
// all get one; then they are assigned as a view.
bool assign_slice(const Array& array, const IndexItem& item, const Array& source) {
  if (item.kind != IndexKind::kSlice || !array.is_c_contiguous()) return false;
  SliceRange range = resolve_slice(item, array.size());
  if (source.size() != 1 && source.size() != range.count) return false;
  std::int64_t bytes = item_size(array.dtype());
  Array places = array.view({range.count}, {range.step * bytes}, range.start * bytes);
  places.assign(source.ravel().broadcast_to({range.count}));
  return true;
}

}  // namespace

Scalar flat_element(const Array& array, std::int64_t position) {
  std::int64_t checked = checked_position(position, array.size());
  return load_element(array.dtype(), array.data() + offset_at(array, checked));
}

Array get_flat(const Array& array, const IndexItem& item) {
  return take(array.ravel(), positions_of(array, item), 0);
}

void set_flat(const Array& array, const IndexItem& item, const Array& values) {
  if (!array.writeable()) throw Error(ErrorKind::kValue, "underlying array is read-only");
  if (item.kind == IndexKind::kInteger && values.size() != 1) {
    checked_position(item.integer, array.size());
    throw Error(ErrorKind::kValue, "Error setting single item of array.");
  }
  Array source = values.may_share_elements(array) ? values.astype(array.dtype(), Order::kC, true)
                                                  : values.contiguous(array.dtype());
  if (assign_slice(array, item, source)) return;
  Array positions = positions_of(array, item);
  if (source.size() == 0) return;
  Workbench bench = find_workbench({&array, &positions});
  if (bench && array.is_c_contiguous() &&
      put_there(bench, array, positions, repeated_to(source, positions.size()), false))
    return;
  std::byte* to = array.mutable_data();
  const std::int64_t* at = positions.as<std::int64_t>();
  auto item_bytes = static_cast<std::size_t>(item_size(array.dtype()));
  bool packed = array.is_c_contiguous();
  for (std::int64_t i = 0, next = 0; i < positions.size(); ++i) {
    std::int64_t offset =
        packed ? at[i] * static_cast<std::int64_t>(item_bytes) : offset_at(array, at[i]);
    std::memcpy(to + offset, source.data() + static_cast<std::size_t>(next) * item_bytes,
                item_bytes);
    if (++next == source.size()) next = 0;
  }
}

}  // namespace strider::nd
