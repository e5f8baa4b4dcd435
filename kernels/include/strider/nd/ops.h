// Op: the elementwise operations and their facts, derived from ops.def.
#pragma once

#include <strider/nd/dtype.h>
#include <strider/nd/scalar.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strider::nd {

enum class Op : std::uint8_t {
#define OP(id, name, inputs, group, types, result, identity, conditions, expression, doc, example) \
  id,
#include "kernels/table/ops.def"
};

// What a reduction over nothing gives.
enum class Identity : std::uint8_t { kNoIdentity, kZero, kOne, kAllOnes, kMinusInfinity };
// Where the floating-point conditions of an operation come from.
enum class Conditions : std::uint8_t { kNone, kHardware, kDerived, kInteger };
// Which loop file renders an operation.
enum class OpGroup : std::uint8_t {
  kArithmetic,
  kComparison,
  kBitwise,
  kDivision,
  kExponential,
  kPower,
  kTrigonometric
};

struct OpFacts {
  Op op;
  std::string_view name;
  int inputs;
  int outputs;
  OpGroup group;
  std::string_view types;  // characters of the element types with a loop, in order of preference
  char result;             // '=' loop type, '?' bool, 'B' uint8, 'r' real type of a complex one
  Identity identity;
  Conditions conditions;
  std::string_view doc;
  std::string_view example;
};

inline constexpr int kOpCount =
#define OP(id, name, inputs, group, types, result, identity, conditions, expression, doc, example) \
  1 +
#include "kernels/table/ops.def"
    0;

extern const OpFacts kOpFacts[kOpCount];
inline const OpFacts& facts(Op op) { return kOpFacts[static_cast<int>(op)]; }
// What NumPy's warnings call the operation where its operands are NumPy scalars: "scalar add".
std::string_view name_of_scalars(Op op);
// The operation of a NumPy name or alias; none if there is no such ufunc ("clip" is found too).
std::optional<Op> find_op(std::string_view name);

struct OpAlias {
  std::string_view name;
  Op op;
};
// Second names: "abs" for absolute, "mod" for remainder …
std::span<const OpAlias> op_aliases();

// The loops as numpy's `types` lists them: "dd->d".
std::vector<std::string> loop_types(Op op);
// The value of an empty reduction as NumPy shows it; none when there is no identity.
std::optional<Scalar> identity_of(Op op, DType dtype);
// Whether a value combined with itself stays what it is, so that a fold may begin with any element.
bool is_idempotent(Op op);

}  // namespace strider::nd
