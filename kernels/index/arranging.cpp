// Positions are computed by recorded operations, which fuse; only moving elements is the device's
// own.
#include "kernels/index/arranging.h"

#include <strider/nd/reduce.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "kernels/core/node.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/placement/placement.h"

namespace strider::nd {
namespace {

constexpr double kWorkPerElement = 4;  // in multiplications

}  // namespace

Array Workbench::make(const Dims& shape, DType dtype) const {
  return make_on(*device, shape, dtype);
}

const std::byte* Workbench::read(const Array& array) const {
  const Node& node = *array.node();
  return node.storage->bytes_on(*device) + node.offset;
}

std::byte* Workbench::write(const Array& array) const {
  const Node& node = *array.node();
  node.storage->bytes_on(*device);
  if (node.storage->readers) settle_readers(*node.storage);
  return node.storage->claim(device) + node.offset;
}

Workbench find_workbench(std::initializer_list<const Array*> arrays) {
  double work = 0;
  for (const Array* array : arrays) work += kWorkPerElement * static_cast<double>(array->size());
  Backend* backend = place_work(arrays, work);
  if (!backend || !backend->arranger()) return {};
  return {backend->device(), backend->arranger()};
}

Array empty_for(std::span<const Array> arrays, const Dims& shape, DType dtype) {
  std::int64_t bytes;
  bool fits = !__builtin_mul_overflow(element_count(shape), item_size(dtype), &bytes) &&
              !is_too_large(bytes);
  for (const Array& array : arrays) {
    if (!fits || element_count(shape) < recording().limit()) break;
    if (Workbench bench = find_workbench({&array})) return bench.make(shape, dtype);
  }
  return Array::empty(shape, dtype);
}

Array empty_as(const Array& array) {
  Dims strides =
      similar_strides(array.shape(), distinct_steps(array.strides()), item_size(array.dtype()));
  if (array.is_c_contiguous() || strides == dense_strides(array.shape(), item_size(array.dtype())))
    return empty_for({&array, 1}, array.shape(), array.dtype());
  return make_array(array.shape(), strides, array.dtype());
}

Array wrap_negative(const Array& indices, std::int64_t extent) {
  Array below = apply(Op::kLess, indices, Operand::weak_int(0));
  Array from_end = apply(Op::kAdd, indices, Operand::weak_int(extent));
  return select(below, from_end, indices);
}

std::int64_t find_outside(const Array& positions, std::int64_t extent) {
  if (positions.size() == 0) return -1;
  Array outside = apply(Op::kLogicalOr, apply(Op::kLess, positions, Operand::weak_int(0)),
                        apply(Op::kGreaterEqual, positions, Operand::weak_int(extent)));
  if (!any(outside).item().truth()) return -1;
  return argmax(outside.ravel(), 0).item().get<std::int64_t>();
}

Array count_cyclically(std::int64_t count, std::int64_t period) {
  Array numbers =
      Array::arange(Scalar(std::int64_t{0}), Scalar(std::int64_t{1}), count, DType::kInt64);
  return period >= count ? numbers : apply(Op::kRemainder, numbers, Operand::weak_int(period));
}

Array repeated_to(const Array& packed, std::int64_t count) {
  Array line = packed.reshape({packed.size()});
  if (packed.size() == count) return line;
  if (packed.size() > count) return line.view({count}, line.strides(), 0);
  return take(line, count_cyclically(count, packed.size()), 0);
}

std::vector<Array> split_positions(Array positions, const Dims& shape) {
  std::vector<Array> columns(static_cast<std::size_t>(shape.size()));
  for (int axis = shape.size() - 1; axis > 0; --axis) {
    Operand extent = Operand::weak_int(shape[axis]);
    columns[static_cast<std::size_t>(axis)] = apply(Op::kRemainder, positions, extent);
    positions = apply(Op::kFloorDivide, positions, extent);
  }
  columns[0] = positions;
  return columns;
}

void widen(Places& places, std::int64_t extent, std::int64_t stride) {
  std::int64_t reach = std::max<std::int64_t>(extent - 1, 0) * stride;
  places.lowest += std::min<std::int64_t>(reach, 0);
  places.highest += std::max<std::int64_t>(reach, 0);
  places.step = std::gcd(places.step, std::abs(stride));
}

namespace {

// The places with their offsets as the device sees them.
Places with_offsets(const Workbench& bench, Places places, const Array& offsets) {
  places.offsets = {bench.read_as<std::int64_t>(offsets), static_cast<std::size_t>(offsets.size())};
  return places;
}

}  // namespace

Array gather_there(const Workbench& bench, const Array& array, std::int64_t start, Places places,
                   const Array& offsets, const Dims& shape) {
  Array result = bench.make(shape, array.dtype());
  places = with_offsets(bench, std::move(places), offsets);
  const std::byte* base = bench.read(array) + start;
  return bench.arranger->gather(base, places, bench.write(result)) ? result : Array();
}

bool scatter_there(const Workbench& bench, const Array& array, std::int64_t start, Places places,
                   const Array& offsets, const Array& packed) {
  if (packed.node()->storage->borrowed())
    return scatter_there(bench, array, start, std::move(places), offsets, packed.copy());
  places = with_offsets(bench, std::move(places), offsets);
  const std::byte* from = bench.read(packed);
  std::byte* base = bench.write(array) + start;
  return bench.arranger->scatter(base, places, from, packed.size() == 1);
}

bool put_there(const Workbench& bench, const Array& array, const Array& positions,
               const Array& packed, bool distinct) {
  std::int64_t item = item_size(array.dtype());
  Array offsets =
      apply(Op::kMultiply, positions, Operand::weak_int(item)).contiguous(DType::kInt64);
  Places places;
  places.item = static_cast<int>(item);
  places.distinct = distinct;
  places.step = item;
  places.highest = (array.size() - 1) * item;
  return scatter_there(bench, array, 0, std::move(places), offsets, packed);
}

Array list_there(const Workbench& bench, const Array& mask) {
  auto* flags = bench.read_as<std::uint8_t>(mask);
  std::int64_t count = count_nonzero(mask);
  if (count == 0) return Array::empty({0}, DType::kInt64);
  Array positions = bench.make({count}, DType::kInt64);
  bool done =
      bench.arranger->list(flags, mask.size(), count, bench.write_as<std::int64_t>(positions));
  return done ? positions : Array();
}

}  // namespace strider::nd
