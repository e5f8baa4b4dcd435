// Type resolution, with NumPy's rules and messages.
#include "kernels/elementwise/types.h"

#include <strider/nd/error.h>

#include <array>
#include <string>

namespace strider::nd {
namespace {

std::string quoted(DType dtype) { return "dtype('" + std::string(name(dtype)) + "')"; }

std::string_view casting_text(Casting casting) {
  static constexpr std::string_view kNames[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  return kNames[static_cast<int>(casting)];
}

[[noreturn]] void throw_type(const std::string& message) { throw Error(ErrorKind::kType, message); }

// The name of the class of an operand's type, as NumPy shows it.
std::string type_class(const Operand& operand) {
  switch (operand.kind()) {
    case Operand::Kind::kWeakInteger:
    case Operand::Kind::kTooBig:
      return "<class 'numpy.dtypes._PyLongDType'>";
    case Operand::Kind::kWeakFloat:
      return "<class 'numpy.dtypes._PyFloatDType'>";
    case Operand::Kind::kWeakComplex:
      return "<class 'numpy.dtypes._PyComplexDType'>";
    default:
      break;
  }
  std::string text(name(operand.dtype()));
  std::size_t letters = text[0] == 'u' ? 2 : 1;
  for (std::size_t i = 0; i < letters; ++i) text[i] = static_cast<char>(text[i] - 'a' + 'A');
  return "<class 'numpy.dtypes." + text + "DType'>";
}

[[noreturn]] void throw_no_signature(const OpFacts& op, std::span<const Operand> operands) {
  std::string types;
  for (const Operand& operand : operands)
    types += (types.empty() ? "" : ", ") + type_class(operand);
  if (operands.size() > 1) types = "(" + types + ")";
  throw Error(ErrorKind::kUfuncCast, "ufunc '" + std::string(op.name) +
                                         "' did not contain a loop with signature matching types " +
                                         types + " -> None");
}

[[noreturn]] void throw_no_loop(const OpFacts& op, std::span<const Operand> operands) {
  bool strict =
      op.op == Op::kGcd || op.op == Op::kLcm || op.op == Op::kSign || op.op == Op::kPositive;
  if (strict) throw_no_signature(op, operands);
  throw_type("ufunc '" + std::string(op.name) +
             "' not supported for the input types, and the inputs could not be safely coerced to "
             "any supported types according to the casting rule ''safe''");
}

// Operations that NumPy refuses for bool with a message of their own.
void refuse_bool(Op op, DType common, std::span<const Operand> operands) {
  if (common != DType::kBool) return;
  if (op == Op::kSubtract) {
    throw_type(
        "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
        "operator, or the logical_xor function instead.");
  }
  if (op == Op::kNegative) {
    throw_type(
        "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or "
        "the logical_not function instead.");
  }
  if (op == Op::kSign || op == Op::kPositive || op == Op::kGcd || op == Op::kLcm) {
    throw_no_signature(facts(op), operands);
  }
}

// Whether every operand converts to `dtype` without loss; Python numbers convert by kind.
bool all_safe(std::span<const Operand> operands, DType dtype) {
  for (const Operand& operand : operands) {
    switch (operand.kind()) {
      case Operand::Kind::kWeakInteger:
      case Operand::Kind::kTooBig:
        if (dtype == DType::kBool) return false;
        break;
      case Operand::Kind::kWeakFloat:
        if (!is_inexact(dtype)) return false;
        break;
      case Operand::Kind::kWeakComplex:
        if (!is_complex(dtype)) return false;
        break;
      default:
        if (!can_cast(operand.dtype(), dtype, Casting::kSafe)) return false;
    }
  }
  return true;
}

DType type_of_code(char code) {
  static const std::array<DType, 128> types = [] {
    std::array<DType, 128> made{};
    for (int i = 0; i < kDTypeCount; ++i)
      made[static_cast<unsigned char>(facts(static_cast<DType>(i)).code)] = static_cast<DType>(i);
    return made;
  }();
  return types[static_cast<unsigned char>(code)];
}

// The first loop that takes the operands. Python numbers alone, or with bool, have their default
// types.
std::optional<DType> first_safe_type(const OpFacts& op, std::span<const Operand> operands) {
  bool strong = false;
  for (const Operand& operand : operands) {
    strong |= !operand.is_weak() && operand.dtype() != DType::kBool;
  }
  DType common = result_type(operands);
  for (char code : op.types) {
    DType dtype = type_of_code(code);
    if (strong ? all_safe(operands, dtype) : can_cast(common, dtype, Casting::kSafe)) return dtype;
  }
  return std::nullopt;
}

bool has_type(const OpFacts& op, DType dtype) {
  return op.types.find(facts(dtype).code) != std::string_view::npos;
}

[[noreturn]] void throw_no_match(const OpFacts& op) {
  throw_type("No loop matching the specified signature and casting was found for ufunc " +
             std::string(op.name));
}

// The loop type that dtype= or signature= asks for; none when they say nothing about it.
std::optional<DType> requested_type(const OpFacts& op, const UfuncOptions& options) {
  for (std::size_t i = 0; i < options.signature.size(); ++i) {
    if (!options.signature[i]) continue;
    bool output = static_cast<int>(i) >= op.inputs;
    if (output && op.result == '?' && *options.signature[i] != DType::kBool) throw_no_match(op);
    if (output && op.result != '=') continue;
    if (!has_type(op, *options.signature[i])) throw_no_match(op);
    return options.signature[i];
  }
  if (!options.dtype) return std::nullopt;
  if (op.result == '=') {
    if (!has_type(op, *options.dtype)) throw_no_match(op);
    return options.dtype;
  }
  if (op.result == 'r' && has_type(op, *options.dtype) && !is_complex(*options.dtype)) {
    return options.dtype;
  }
  if (output_type(op, DType::kInt8) != *options.dtype) throw_no_match(op);
  return std::nullopt;
}

// A Python number goes into any type of its own kind or a higher one.
bool weak_converts(const Operand& operand, DType dtype) {
  if (!operand.is_weak() || dtype == DType::kBool) return false;
  if (operand.kind() == Operand::Kind::kWeakComplex) return is_complex(dtype);
  return operand.kind() != Operand::Kind::kWeakFloat || is_inexact(dtype);
}

void check_inputs(const OpFacts& op, std::span<const Operand> operands, const Loop& loop,
                  Casting casting) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (weak_converts(operands[i], loop.inputs[i])) continue;
    if (can_cast(operands[i].dtype(), loop.inputs[i], casting)) continue;
    std::string which = operands.size() > 1 ? "input " + std::to_string(i) : "input";
    throw Error(ErrorKind::kUfuncCast, "Cannot cast ufunc '" + std::string(op.name) + "' " + which +
                                           " from " + quoted(operands[i].dtype()) + " to " +
                                           quoted(loop.inputs[i]) + " with casting rule '" +
                                           std::string(casting_text(casting)) + "'");
  }
}

void check_outputs(const OpFacts& op, const Loop& loop, const UfuncOptions& options) {
  for (int i = 0; i < op.outputs; ++i) {
    const Array* out = options.out[i];
    if (!out || can_cast(loop.outputs[i], out->dtype(), options.casting)) continue;
    std::string which = op.outputs > 1 ? "output " + std::to_string(i) : "output";
    throw Error(ErrorKind::kUfuncCast, "Cannot cast ufunc '" + std::string(op.name) + "' " + which +
                                           " from " + quoted(loop.outputs[i]) + " to " +
                                           quoted(out->dtype()) + " with casting rule '" +
                                           std::string(casting_text(options.casting)) + "'");
  }
}

bool is_integer_kind(DType dtype) { return !is_inexact(dtype); }

// int64 against uint64 is compared exactly, not through float64.
bool resolve_mixed(Op op, std::span<const Operand> operands, Loop& loop) {
  if (!is_comparison(op) || operands[0].is_weak() || operands[1].is_weak()) return false;
  DType a = operands[0].dtype(), b = operands[1].dtype();
  bool first_signed = category(a) == Category::kSigned && b == DType::kUInt64;
  bool second_signed = category(b) == Category::kSigned && a == DType::kUInt64;
  if (!first_signed && !second_signed) return false;
  int row = static_cast<int>(op) - static_cast<int>(Op::kEqual);
  loop.kernel = kernels().compare_mixed[second_signed][row];
  loop.inputs[0] = first_signed ? DType::kInt64 : DType::kUInt64;
  loop.inputs[1] = first_signed ? DType::kUInt64 : DType::kInt64;
  loop.outputs[0] = DType::kBool;
  return true;
}

DType resolve_ldexp(std::span<const Operand> operands, const OpFacts& op) {
  DType power = operands[1].dtype();
  bool whole = is_integer_kind(power) && can_cast(power, DType::kInt64, Casting::kSafe);
  std::optional<DType> dtype = first_safe_type(op, operands.first(1));
  if (!whole || !dtype) throw_no_loop(op, operands);
  // A Python integer beside an exponent that is none fits the first loop, as in NumPy.
  bool yields = operands[0].is_weak() && is_integer_kind(operands[0].dtype());
  bool half = yields && !operands[1].is_weak() && power != DType::kBool;
  return half ? DType::kFloat16 : *dtype;
}

DType resolve_common(Op op, std::span<const Operand> operands) {
  const OpFacts& row = facts(op);
  if (op == Op::kLdexp) return resolve_ldexp(operands, row);
  DType common = result_type(operands);
  if (has_type(row, common)) return common;
  refuse_bool(op, common, operands);
  if (op == Op::kDivide && is_integer_kind(common)) return DType::kFloat64;
  std::optional<DType> dtype = first_safe_type(row, operands);
  if (!dtype) throw_no_loop(row, operands);
  return *dtype;
}

}  // namespace

Loop loop_for(Op op, DType dtype) {
  const OpFacts& row = facts(op);
  Loop loop;
  loop.kernel = find_kernel(op, dtype);
  loop.strided = kernels().strided[static_cast<int>(op)][static_cast<int>(dtype)];
  for (DType& input : loop.inputs) input = dtype;
  if (op == Op::kLdexp) loop.inputs[1] = DType::kInt64;
  for (DType& output : loop.outputs) output = output_type(row, dtype);
  if (op == Op::kFrexp) loop.outputs[1] = DType::kInt32;
  return loop;
}

Loop resolve_loop(Op op, std::span<const Operand> operands, const UfuncOptions& options) {
  const OpFacts& row = facts(op);
  std::optional<DType> requested = requested_type(row, options);
  Loop loop;
  if (requested) {
    loop = loop_for(op, *requested);
    check_inputs(row, operands, loop, options.casting);
  } else if (!resolve_mixed(op, operands, loop)) {
    loop = loop_for(op, resolve_common(op, operands));
    Casting strictest = options.casting < Casting::kSafe ? options.casting : Casting::kUnsafe;
    check_inputs(row, operands, loop, strictest);
  }
  check_outputs(row, loop, options);
  return loop;
}

std::vector<DType> resolve_dtypes(Op op, std::span<const Operand> operands,
                                  const UfuncOptions& options) {
  Loop loop = resolve_loop(op, operands, options);
  std::vector<DType> types(loop.inputs, loop.inputs + facts(op).inputs);
  types.insert(types.end(), loop.outputs, loop.outputs + facts(op).outputs);
  return types;
}

}  // namespace strider::nd
