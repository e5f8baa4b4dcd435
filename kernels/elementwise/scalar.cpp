// Operations on single elements: the arithmetic of NumPy scalars, without arrays.
#include <strider/nd/error.h>
#include <strider/nd/floating_errors.h>
#include <strider/nd/quick_scalar.h>

#include <cmath>

#include "kernels/elementwise/types.h"

namespace strider::nd {
namespace {

void deliver(Op op, FloatingErrors errors) {
  if (!errors) return;
  deliver_floating_errors(errors, name_of_scalars(op));
}

// Products and lengths of complex scalars, with every operation rounded and glibc's hypot.
bool apply_complex(Op op, const Scalar& a, const Scalar& b, Scalar& out) {
  if (a.dtype() != DType::kComplex128) return false;
  auto x = a.get<std::complex<double>>(), y = b.get<std::complex<double>>();
  if (op == Op::kMultiply) {
    out = Scalar(std::complex<double>(x.real() * y.real() - x.imag() * y.imag(),
                                      x.real() * y.imag() + x.imag() * y.real()));
  } else if (op == Op::kAbsolute) {
    out = Scalar(std::hypot(x.real(), x.imag()));
  } else {
    return false;
  }
  return true;
}

// Powers of real scalars are C's, as in quick_scalar.cpp.
bool apply_power(Op op, const Scalar& a, const Scalar& b, Scalar& out) {
  if (op != Op::kPower) return false;
  if (a.dtype() == DType::kFloat64) {
    out = Scalar(std::pow(a.get<double>(), b.get<double>()));
  } else if (a.dtype() == DType::kFloat32) {
    out = Scalar(std::pow(a.get<float>(), b.get<float>()));
  } else {
    return false;
  }
  return true;
}

// Whether an integer result wrapped; exact for every type but 64-bit ones, which have their own
// way.
bool overflows(Op op, DType dtype, const Scalar& a, const Scalar& b) {
  if (!is_integer(dtype)) return false;
  return dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      T x = a.get<T>(), y = b.get<T>(), result;
      switch (op) {
        case Op::kAdd:
          return __builtin_add_overflow(x, y, &result);
        case Op::kSubtract:
          return __builtin_sub_overflow(x, y, &result);
        case Op::kMultiply:
          return __builtin_mul_overflow(x, y, &result);
        case Op::kNegative:
          return __builtin_sub_overflow(T(0), x, &result);
        case Op::kAbsolute:
          return x < T(0) && __builtin_sub_overflow(T(0), x, &result);
        default:
          return false;
      }
    } else {
      return false;
    }
  });
}

bool run_scalar(Op op, const Loop& loop, const Scalar* values, Scalar& out) {
  const std::byte* inputs[3] = {static_cast<const std::byte*>(values[0].data()),
                                static_cast<const std::byte*>(values[1].data()), nullptr};
  alignas(16) std::byte result[16];
  std::byte* outputs[2] = {result, nullptr};
  clear_floating_errors();
  FloatingErrors errors;
  if (apply_complex(op, values[0], values[1], out) || apply_power(op, values[0], values[1], out)) {
    deliver(op, take_floating_errors());
    return true;
  }
  loop.kernel(inputs, outputs, 1);
  if (facts(op).conditions != Conditions::kNone) errors = take_floating_errors();
  if (overflows(op, loop.inputs[0], values[0], values[1]))
    errors.flags |= FloatingErrors::kOverflow;
  out = Scalar(loop.outputs[0], result);
  deliver(op, errors);
  return true;
}

// The order of complex scalars: real parts decide before imaginary ones are looked at, so that a
// NaN behind an infinity does not matter, as it does to arrays. False for other operations, and for
// numbers of which neither takes the other's type: they are compared as arrays.
bool compare_complex(Op op, const Scalar& a, const Scalar& b, Scalar& out) {
  if (op < Op::kLess || op > Op::kGreaterEqual) return false;
  DType common = promote(a.dtype(), b.dtype());
  if (common != a.dtype() && common != b.dtype()) return false;
  std::complex<double> x = a.to_complex(), y = b.to_complex();
  if (op == Op::kGreater || op == Op::kGreaterEqual) std::swap(x, y);
  bool or_equal = op == Op::kLessEqual || op == Op::kGreaterEqual;
  bool behind = or_equal ? x.imag() <= y.imag() : x.imag() < y.imag();
  out = Scalar(x.real() < y.real() || (x.real() == y.real() && behind));
  return true;
}

// Operations of two operands whose types or values ask for more than a loop.
bool is_particular(Op op, std::span<const Operand> operands) {
  if (op == Op::kPower || op == Op::kLdexp) return true;
  if (op == Op::kLogicalAnd || op == Op::kLogicalOr || op == Op::kLogicalXor) return true;
  return is_comparison(op) && operands[0].is_weak() != operands[1].is_weak();
}

}  // namespace

bool apply_numbers(Op op, std::span<const Operand> operands, Scalar& out) {
  const OpFacts& row = facts(op);
  auto count = static_cast<std::size_t>(row.inputs);
  if (count != operands.size() || count > 2 || row.outputs != 1) return false;
  for (const Operand& operand : operands) {
    if (operand.kind() == Operand::Kind::kArray || operand.kind() == Operand::Kind::kTooBig)
      return false;
  }
  if (count == 2 && is_particular(op, operands)) return false;
  Loop loop;
  if (count == 1) loop = loop_for(op, operands[0].dtype());
  if (!loop.kernel) loop = resolve_loop(op, operands, {});
  Scalar values[2];
  const std::byte* inputs[3] = {};
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = convert_operand(operands[i], loop.inputs[i]);
    inputs[i] = static_cast<const std::byte*>(values[i].data());
  }
  alignas(16) std::byte result[16];
  std::byte* outputs[2] = {result, nullptr};
  clear_floating_errors();
  loop.kernel(inputs, outputs, 1);
  out = Scalar(loop.outputs[0], result);
  if (row.conditions != Conditions::kNone)
    deliver_floating_errors(take_floating_errors(), row.name);
  return true;
}

bool apply_scalar(Op op, const Scalar& a, const Scalar& b, Scalar& out) {
  if (apply_quickly(op, a, b, out)) return true;
  if ((is_complex(a.dtype()) || is_complex(b.dtype())) && compare_complex(op, a, b, out)) {
    return true;
  }
  if (facts(op).inputs != 2 || facts(op).outputs != 1) return false;
  Loop loop;
  if (a.dtype() == b.dtype()) loop = loop_for(op, a.dtype());
  if (!loop.kernel || op == Op::kLdexp) {
    Operand operands[2] = {a, b};
    loop = resolve_loop(op, operands, {});
  }
  if (!loop.kernel) return false;
  Scalar values[2] = {a.as(loop.inputs[0]), b.as(loop.inputs[1])};
  if (op == Op::kPower && category(loop.inputs[1]) == Category::kSigned &&
      values[1].as(DType::kInt64).get<std::int64_t>() < 0) {
    throw Error(ErrorKind::kValue, "Integers to negative integer powers are not allowed.");
  }
  return run_scalar(op, loop, values, out);
}

bool apply_scalar(Op op, const Scalar& a, Scalar& out) {
  if (apply_quickly(op, a, out)) return true;
  if (facts(op).inputs != 1 || facts(op).outputs != 1) return false;
  Loop loop = loop_for(op, a.dtype());
  if (!loop.kernel) {
    Operand operand(a);
    loop = resolve_loop(op, {&operand, 1}, {});
  }
  if (!loop.kernel) return false;
  Scalar values[2] = {a.as(loop.inputs[0]), Scalar()};
  return run_scalar(op, loop, values, out);
}

}  // namespace strider::nd
