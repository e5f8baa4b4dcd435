// Masks at work: nonzero, where, place, putmask, copyto.
#include <strider/nd/error.h>
#include <strider/nd/eval.h>
#include <strider/nd/index.h>
#include <strider/nd/join.h>
#include <strider/nd/reduce.h>
#include <strider/nd/ufunc.h>

#include <cstring>

#include "kernels/core/unaligned.h"
#include "kernels/index/arranging.h"
#include "kernels/index/mask.h"
#include "kernels/index/walk.h"

namespace strider::nd {
namespace {

Array as_mask(const Array& array) { return array.contiguous(DType::kBool); }

const std::uint8_t* mask_bytes(const Array& mask) {
  return reinterpret_cast<const std::uint8_t*>(mask.data());
}

// Fills one column of positions per axis, rows of the last axis at a time.
void fill_positions(const Array& mask, std::span<std::int64_t* const> columns) {
  int rank = mask.rank();
  std::int64_t width = mask.shape()[rank - 1];
  if (mask.size() == 0) return;
  Dims index(rank);
  const std::uint8_t* row = mask_bytes(mask);
  std::int64_t at = 0;
  for (std::int64_t rows = mask.size() / width; rows > 0; --rows, row += width) {
    std::int64_t count = count_true(row, width);
    true_positions(row, count, columns[static_cast<std::size_t>(rank - 1)] + at);
    for (int axis = 0; axis < rank - 1; ++axis)
      for (std::int64_t i = 0; i < count; ++i)
        columns[static_cast<std::size_t>(axis)][at + i] = index[axis];
    at += count;
    for (int axis = rank - 2; axis >= 0; --axis) {
      if (++index[axis] < mask.shape()[axis]) break;
      index[axis] = 0;
    }
  }
}

}  // namespace

Array flatnonzero(const Array& array) {
  Array mask = as_mask(array);
  if (Workbench bench = find_workbench({&mask})) {
    if (Array positions = list_there(bench, mask)) return positions;
  }
  std::int64_t count = count_true(mask_bytes(mask), mask.size());
  Array result = Array::empty({count}, DType::kInt64);
  true_positions(mask_bytes(mask), count, result.mutable_as<std::int64_t>());
  return result;
}

std::vector<Array> position_columns(const Array& array) {
  if (array.rank() == 0)
    throw Error(ErrorKind::kValue,
                "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
                "instead.");
  if (array.rank() == 1) return {flatnonzero(array)};
  Array mask = as_mask(array);
  if (Workbench bench = find_workbench({&mask})) {
    if (Array positions = list_there(bench, mask)) return split_positions(positions, mask.shape());
  }
  std::int64_t count = count_true(mask_bytes(mask), mask.size());
  std::vector<Array> result;
  std::vector<std::int64_t*> columns;
  for (int axis = 0; axis < array.rank(); ++axis) {
    result.push_back(Array::empty({count}, DType::kInt64));
    columns.push_back(result.back().mutable_as<std::int64_t>());
  }
  fill_positions(mask, columns);
  return result;
}

std::vector<Array> nonzero(const Array& array) {
  std::vector<Array> columns = position_columns(array);
  if (array.rank() < 2) return columns;
  // NumPy's are columns of one table.
  Array table = stack(columns, 1);
  for (int axis = 0; axis < array.rank(); ++axis)
    columns[static_cast<std::size_t>(axis)] =
        table.view({table.shape()[0]}, {table.strides()[0]}, axis * table.strides()[1]);
  return columns;
}

Array argwhere(const Array& array) {
  if (array.rank() == 0) {
    return Array::empty({array.item().truth() ? 1 : 0, 0}, DType::kInt64);
  }
  return stack(position_columns(array), 0).transpose();
}

namespace {

// One row of where(), elements of type T at any strides.
template <class T>
void select_strided(const std::byte* mask, const std::byte* x, const std::byte* y, std::byte* out,
                    const Walk<4>::Offsets& step, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    T a = load<T>(x + i * step[1]), b = load<T>(y + i * step[2]);
    T value = mask[i * step[0]] != std::byte{0} ? a : b;
    std::memcpy(out + i * step[3], &value, sizeof value);
  }
}

}  // namespace

Array where(const Array& condition, const Array& x, const Array& y, DType dtype) {
  Array a = x.astype(dtype, Order::kKeep, false), b = y.astype(dtype, Order::kKeep, false);
  Array mask = condition.astype(DType::kBool, Order::kKeep, false);
  Dims shape = condition.shape();
  if (!(a.shape() == shape && b.shape() == shape)) {
    Dims shapes[] = {mask.shape(), a.shape(), b.shape()};
    shape = broadcast_shapes(shapes);
    mask = mask.broadcast_to(shape);
    a = a.broadcast_to(shape);
    b = b.broadcast_to(shape);
  }
  Array result = Array::empty(shape, dtype);
  Walk<4> walk(shape, {&mask.strides(), &a.strides(), &b.strides(), &result.strides()});
  const std::byte *from = mask.data(), *from_a = a.data(), *from_b = b.data();
  std::byte* to = result.mutable_data();
  std::int64_t length = walk.row_length();
  Walk<4>::Offsets steps = walk.row_steps();
  int item = item_size(dtype);
  bool packed = steps[0] == 1 && steps[3] == item && (steps[1] == 0 || steps[1] == item) &&
                (steps[2] == 0 || steps[2] == item);
  walk.for_each_row([&](const Walk<4>::Offsets& at) {
    if (packed)
      return select_masked(reinterpret_cast<const std::uint8_t*>(from + at[0]), from_a + at[1],
                           steps[1], from_b + at[2], steps[2], length, item, to + at[3]);
    dispatch_size(item, [&](auto word) {
      select_strided<decltype(word)>(from + at[0], from_a + at[1], from_b + at[2], to + at[3],
                                     steps, length);
    });
  });
  return result;
}

namespace {

void require_same_size(const Array& array, const Array& mask, const char* function) {
  if (mask.size() != array.size())
    throw Error(ErrorKind::kValue, std::string(function) + ": mask and data must be the same size");
}

// Runs fill(bytes, mask) on a C-contiguous form of `array` and writes the result back.
template <class Fill>
void edit_flat(const Array& array, const Array& mask, Fill&& fill) {
  if (!array.writeable()) throw Error(ErrorKind::kValue, "assignment destination is read-only");
  Array flags =
      mask.may_share_elements(array) ? mask.astype(DType::kBool, Order::kC, true) : as_mask(mask);
  Array target = array.is_c_contiguous() ? array : array.copy();
  fill(target.mutable_data(), mask_bytes(flags));
  if (!array.is_c_contiguous()) array.assign(target);
}

Array packed_source(const Array& values, const Array& array) {
  return values.may_share_elements(array) ? values.astype(array.dtype(), Order::kC, true)
                                          : values.contiguous(array.dtype());
}

// Whether place was done on a device.
bool place_there(const Array& array, const Array& mask, const Array& source) {
  Workbench bench = find_workbench({&array, &mask});
  if (!bench || !array.is_c_contiguous()) return false;
  Array positions = flatnonzero(mask);
  return positions.size() == 0 ||
         put_there(bench, array, positions, repeated_to(source, positions.size()), true);
}

}  // namespace

void place(const Array& array, const Array& mask, const Array& values) {
  require_same_size(array, mask, "place");
  Array source = packed_source(values, array);
  std::int64_t given = source.size(), next = 0;
  if (given > 0 && array.writeable() && place_there(array, mask, source)) return;
  auto item = static_cast<std::size_t>(item_size(array.dtype()));
  edit_flat(array, mask, [&](std::byte* to, const std::uint8_t* flags) {
    if (given == 0 && count_true(flags, array.size()) > 0)
      throw Error(ErrorKind::kValue, "Cannot insert from an empty array!");
    if (given == 1)
      return expand_masked(to, flags, array.size(), item_size(array.dtype()), source.data(), true);
    for (std::int64_t i = 0; i < array.size(); ++i) {
      if (!flags[i]) continue;
      std::memcpy(to + static_cast<std::size_t>(i) * item,
                  source.data() + static_cast<std::size_t>(next) * item, item);
      if (++next == given) next = 0;
    }
  });
}

void putmask(const Array& array, const Array& mask, const Array& values) {
  require_same_size(array, mask, "putmask");
  Array source = packed_source(values, array);
  std::int64_t given = source.size();
  if (given == 0) return;
  if (array.writeable() && find_workbench({&array, &mask})) {
    Array all = given == 1 ? source.reshape({}) : repeated_to(source, array.size());
    Array flags = mask.astype(DType::kBool, Order::kC, false).reshape(array.shape());
    array.assign(select(flags, given == 1 ? all : all.reshape(array.shape()), array));
    return;
  }
  auto item = static_cast<std::size_t>(item_size(array.dtype()));
  edit_flat(array, mask, [&](std::byte* to, const std::uint8_t* flags) {
    if (given == 1)
      return expand_masked(to, flags, array.size(), item_size(array.dtype()), source.data(), true);
    constexpr std::int64_t kFew = 512;
    if (given < kFew && given < array.size()) {
      // whole rounds of values, so that each call has enough to do
      given *= kFew / given + 1;
      source = repeated_to(source, given);
    }
    auto part = given * static_cast<std::int64_t>(item);
    for (std::int64_t i = 0; i < array.size(); i += given, to += part) {
      std::int64_t count = std::min(given, array.size() - i);
      select_masked(flags + i, source.data(), 1, to, 1, count, static_cast<int>(item), to);
    }
  });
}

namespace {

[[noreturn]] void throw_cast(DType from, DType to, const char* rule) {
  throw Error(ErrorKind::kType, "Cannot cast array data from dtype('" + std::string(name(from)) +
                                    "') to dtype('" + std::string(name(to)) +
                                    "') according to the rule '" + rule + "'");
}

constexpr const char* kRuleNames[] = {"no", "equiv", "safe", "same_kind", "unsafe"};

}  // namespace

void copyto(const Array& destination, const Array& source, Casting casting, const Array* mask) {
  if (!can_cast(source.dtype(), destination.dtype(), casting))
    throw_cast(source.dtype(), destination.dtype(), kRuleNames[static_cast<int>(casting)]);
  if (!mask) return destination.assign(source);
  if (mask->dtype() != DType::kBool) throw_cast(mask->dtype(), DType::kBool, "safe");
  Array flags = mask->broadcast_to(destination.shape());
  Array values = source.broadcast_to(destination.shape());
  if (destination.size() >= recording().limit() || is_away(destination))
    return destination.assign(
        select(flags, values.astype(destination.dtype(), Order::kKeep, false), destination));
  destination.assign(where(flags, values, destination, destination.dtype()));
}

}  // namespace strider::nd
