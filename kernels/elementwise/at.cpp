// ufunc.at: operations in place at listed positions, one after the other.
#include <strider/nd/error.h>
#include <strider/nd/floating_errors.h>

#include "kernels/core/copy.h"
#include "kernels/elementwise/layout.h"
#include "kernels/elementwise/types.h"

namespace strider::nd {
namespace {

std::int64_t offset_of(const Array& array, std::int64_t position) {
  std::int64_t offset = 0;
  for (int axis = array.rank() - 1; axis >= 0; --axis) {
    offset += position % array.shape()[axis] * array.strides()[axis];
    position /= array.shape()[axis];
  }
  return offset;
}

void check_position(std::int64_t position, std::int64_t size) {
  if (position >= 0 && position < size) return;
  throw Error(ErrorKind::kIndex, "index " + std::to_string(position) +
                                     " is out of bounds for size " + std::to_string(size));
}

// The usual case, adding or subtracting float64 or int64, without a call per element.
template <class T>
void accumulate_at(T* data, const std::int64_t* positions, const T* values, std::int64_t count,
                   bool negative) {
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<T>) {
      auto change = static_cast<std::uint64_t>(values[i]);
      auto old = static_cast<std::uint64_t>(data[positions[i]]);
      data[positions[i]] = static_cast<T>(negative ? old - change : old + change);
    } else {
      data[positions[i]] += negative ? -values[i] : values[i];
    }
  }
}

bool accumulate_fast(Op op, const Array& array, const Array& positions, const Array& values) {
  if ((op != Op::kAdd && op != Op::kSubtract) || !array.is_c_contiguous()) return false;
  if (values.dtype() != array.dtype()) return false;
  auto* places = positions.as<std::int64_t>();
  bool negative = op == Op::kSubtract;
  if (array.dtype() == DType::kFloat64) {
    accumulate_at(array.mutable_as<double>(), places, values.as<double>(), positions.size(),
                  negative);
    return true;
  }
  if (array.dtype() == DType::kInt64) {
    accumulate_at(array.mutable_as<std::int64_t>(), places, values.as<std::int64_t>(),
                  positions.size(), negative);
    return true;
  }
  return false;
}

}  // namespace

void at(Op op, const Array& array, const Array& positions, const Operand* b) {
  const OpFacts& row = facts(op);
  if (row.outputs != 1 || row.inputs != (b ? 2 : 1)) {
    throw Error(ErrorKind::kValue, b ? "second operand provided when ufunc is unary"
                                     : "second operand needed for ufunc");
  }
  Array places = positions.contiguous(DType::kInt64);
  const std::int64_t *place = places.as<std::int64_t>(), count = places.size(), size = array.size();
  for (std::int64_t i = 0; i < count; ++i) check_position(place[i], size);
  UfuncOptions options;
  options.out[0] = &array;
  options.casting = Casting::kUnsafe;  // results are stored as an assignment would store them
  // ufunc.at makes arrays of Python's numbers, with types of their own.
  Operand second = b ? *b : Operand(array);
  if (b && b->is_weak() && b->kind() != Operand::Kind::kTooBig) second = Operand(b->scalar());
  Operand operands[2] = {array, second};
  Loop loop = resolve_loop(op, {operands, static_cast<std::size_t>(row.inputs)}, options);
  std::byte* data = array.mutable_data();
  Array values;
  if (b) {
    Array given = second.kind() == Operand::Kind::kArray
                      ? second.array()
                      : Array::scalar(convert_operand(second, loop.inputs[1]));
    if (!broadcasts_to(given.shape(), places.shape()))
      throw Error(ErrorKind::kValue, "array is not broadcastable to correct shape");
    values = given.broadcast_to(places.shape()).contiguous(loop.inputs[1]);
  }
  clear_floating_errors();
  if (!b || !accumulate_fast(op, array, places, values)) {
    CastLoop load = cast_loop(array.dtype(), loop.inputs[0]);
    CastLoop store = cast_loop(loop.outputs[0], array.dtype());
    alignas(16) std::byte element[16], result[16];
    std::byte* outputs[2] = {result, nullptr};
    for (std::int64_t i = 0; i < count; ++i) {
      std::byte* target = data + offset_of(array, place[i]);
      load(target, 0, element, 0, 1);
      const std::byte* inputs[3] = {element, nullptr, nullptr};
      if (b) inputs[1] = values.data() + i * item_size(loop.inputs[1]);
      loop.kernel(inputs, outputs, 1);
      store(result, 0, target, 0, 1);
    }
  }
  if (row.conditions != Conditions::kNone) {
    deliver_floating_errors(take_floating_errors(), row.name);
  }
}

}  // namespace strider::nd
