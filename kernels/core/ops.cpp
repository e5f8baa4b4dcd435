// The table of operations as data.
#include <strider/nd/ops.h>

#include <array>
#include <limits>

namespace strider::nd {

constexpr OpFacts kOpFacts[kOpCount] = {
#define OP(id, name, inputs, group, types, result, identity, conditions, expression, doc, example) \
  {Op::id,                                                                                         \
   name,                                                                                           \
   inputs,                                                                                         \
   1,                                                                                              \
   OpGroup::group,                                                                                 \
   types,                                                                                          \
   result,                                                                                         \
   Identity::identity,                                                                             \
   Conditions::conditions,                                                                         \
   doc,                                                                                            \
   example},
#define OP2(id, name, inputs, group, types, result, conditions, first, second, doc, example) \
  {Op::id,                                                                                   \
   name,                                                                                     \
   inputs,                                                                                   \
   2,                                                                                        \
   OpGroup::group,                                                                           \
   types,                                                                                    \
   result,                                                                                   \
   Identity::kNoIdentity,                                                                    \
   Conditions::conditions,                                                                   \
   doc,                                                                                      \
   example},
#include "kernels/table/ops.def"
};

namespace {

constexpr OpAlias kAliases[] = {
#define OP(id, name, inputs, group, types, result, identity, conditions, expression, doc, example)
#define ALIAS(name, id) {name, Op::id},
#include "kernels/table/ops.def"
};

char real_code(char code) { return code == 'F' ? 'f' : code == 'D' ? 'd' : code; }

constexpr bool is_operator(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kFloorDivide:
    case Op::kRemainder:
    case Op::kDivmod:
    case Op::kPower:
    case Op::kNegative:
    case Op::kAbsolute:
      return true;
    default:
      return false;
  }
}

std::string output_codes(const OpFacts& op, char loop) {
  if (op.op == Op::kFrexp) return {loop, 'i'};
  char code = op.result == '=' ? loop : op.result == 'r' ? real_code(loop) : op.result;
  return std::string(static_cast<std::size_t>(op.outputs), code);
}

}  // namespace

std::string_view name_of_scalars(Op op) {
  static const auto& names = *[] {
    auto* made = new std::array<std::string, kOpCount>;
    for (const OpFacts& row : kOpFacts) {
      std::string& name = (*made)[static_cast<std::size_t>(row.op)];
      name = is_operator(row.op) ? "scalar " + std::string(row.name) : row.name;
    }
    return made;
  }();
  return names[static_cast<std::size_t>(op)];
}

std::optional<Op> find_op(std::string_view name) {
  for (const OpFacts& op : kOpFacts) {
    if (op.name == name) return op.op;
  }
  for (const OpAlias& alias : kAliases) {
    if (alias.name == name) return alias.op;
  }
  return std::nullopt;
}

std::span<const OpAlias> op_aliases() { return kAliases; }

std::vector<std::string> loop_types(Op op) {
  const OpFacts& row = facts(op);
  std::vector<std::string> loops;
  for (char code : row.types) {
    if (op == Op::kLdexp) {
      for (char power : {'i', 'l'}) loops.push_back({code, power, '-', '>', code});
      continue;
    }
    loops.push_back(std::string(static_cast<std::size_t>(row.inputs), code) + "->" +
                    output_codes(row, code));
  }
  return loops;
}

std::optional<Scalar> identity_of(Op op, DType dtype) {
  switch (facts(op).identity) {
    case Identity::kZero:
      return Scalar(false).as(dtype);
    case Identity::kOne:
      return Scalar(true).as(dtype);
    case Identity::kAllOnes:
      return Scalar(std::int64_t{-1}).as(dtype);
    case Identity::kMinusInfinity:
      return Scalar(-std::numeric_limits<double>::infinity()).as(dtype);
    default:
      return std::nullopt;
  }
}

bool is_idempotent(Op op) {
  switch (op) {
    case Op::kMaximum:
    case Op::kMinimum:
    case Op::kFmax:
    case Op::kFmin:
    case Op::kLogicalAnd:
    case Op::kLogicalOr:
    case Op::kBitwiseAnd:
    case Op::kBitwiseOr:
      return true;
    default:
      return false;
  }
}

}  // namespace strider::nd
