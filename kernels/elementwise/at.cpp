// ufunc.at: operations in place at listed positions, one after the other.
#include <strider/nd/error.h>
#include <strider/nd/floating_errors.h>

#include <algorithm>
#include <type_traits>

#include "kernels/core/copy.h"
#include "kernels/elementwise/layout.h"
#include "kernels/elementwise/powers.h"
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

void check_positions(const std::int64_t* positions, std::int64_t count, std::int64_t size) {
  // In bounds are those from which neither distance to a bound has the sign bit.
  auto end = static_cast<std::uint64_t>(size), distances = std::uint64_t{0};
  auto distances_of = [end](std::int64_t position) {
    auto bits = static_cast<std::uint64_t>(position);
    return bits | (end - 1 - bits);
  };
  for (std::int64_t i = 0; i < count; ++i) distances |= distances_of(positions[i]);
  if (!(distances >> 63)) return;
  std::int64_t position = *std::find_if(
      positions, positions + count, [&](std::int64_t each) { return distances_of(each) >> 63; });
  throw Error(ErrorKind::kIndex, "index " + std::to_string(position) +
                                     " is out of bounds for size " + std::to_string(size));
}

// Integers wrap around.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>,
                                             std::make_unsigned<T>, std::type_identity<T>>::type;

template <class T>
T larger(T x, T y) {
  if (x != x) return x;
  return x >= y ? x : y;
}
template <class T>
T smaller(T x, T y) {
  if (x != x) return x;
  return x <= y ? x : y;
}

template <class T>
T times(T x, T y) {
  if constexpr (std::is_integral_v<T>)  // short ones are no int meanwhile
    return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
  else
    return x * y;
}

// The usual cases, without a call for each element.
template <class T, class Step>
void change_at(const Array& array, const Array& positions, const Array& values, Step step) {
  T* data = array.mutable_as<T>();
  const T* value = values.as<T>();
  auto* place = positions.as<std::int64_t>();
  for (std::int64_t i = 0, count = positions.size(); i < count; ++i) {
    T& element = data[place[i]];
    element = static_cast<T>(step(element, value[i]));
  }
}

template <class T>
bool change_bits_at(Op op, const Array& array, const Array& positions, const Array& values) {
  auto change = [&](auto step) {
    change_at<T>(array, positions, values, step);
    return true;
  };
  switch (op) {
    case Op::kBitwiseAnd:
      return change([](T x, T y) { return x & y; });
    case Op::kBitwiseOr:
      return change([](T x, T y) { return x | y; });
    case Op::kBitwiseXor:
      return change([](T x, T y) { return x ^ y; });
    default:
      return false;
  }
}

template <class T>
bool change_numbers_at(Op op, const Array& array, const Array& positions, const Array& values) {
  using W = Wrapping<T>;
  auto change = [&](auto step) {
    change_at<T>(array, positions, values, step);
    return true;
  };
  switch (op) {
    case Op::kAdd:
      return change([](T x, T y) { return static_cast<W>(x) + static_cast<W>(y); });
    case Op::kSubtract:
      return change([](T x, T y) { return static_cast<W>(x) - static_cast<W>(y); });
    case Op::kMultiply:
      return change(times<T>);
    case Op::kMaximum:
      return change(larger<T>);
    case Op::kMinimum:
      return change(smaller<T>);
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>)
    return op == Op::kDivide && change([](T x, T y) { return x / y; });
  else
    return change_bits_at<T>(op, array, positions, values);
}

bool change_fast(Op op, const Array& array, const Array& positions, const Array& values) {
  bool plain = array.is_c_contiguous() && values.dtype() == array.dtype();
  if (!plain || is_complex(array.dtype())) return false;
  return dispatch(array.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>) {
      if constexpr (!std::is_same_v<T, bool>)
        return change_numbers_at<T>(op, array, positions, values);
    }
    return false;
  });
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
  check_positions(place, count, size);
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
    if (op == Op::kPower && places.size() > 0) {
      Operand powers[2] = {array, given};
      refuse_negative_powers(powers, loop.inputs[1]);
    }
    values = given.broadcast_to(places.shape()).contiguous(loop.inputs[1]);
  }
  clear_floating_errors();
  if (!b || !change_fast(op, array, places, values)) {
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
    deliver_floating_errors(take_floating_errors(), "at");
  }
}

}  // namespace strider::nd
