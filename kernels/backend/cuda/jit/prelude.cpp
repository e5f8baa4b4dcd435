// Rows come from ops.def: its expressions are text here and code on the CPU.
#include "kernels/backend/cuda/jit/prelude.h"

#include <strider/nd/floating_errors.h>

#include <algorithm>

#include "kernels/backend/cuda/jit/quick_steps.h"
#include "kernels/backend/cuda/jit/texts.h"

namespace strider::nd::cuda {
namespace {

struct RowText {
  std::string_view name, expression;
};
constexpr RowText kRows[kOpCount] = {
#define OP(id, name, inputs, group, types, result, identity, conditions, expression, doc, example) \
  {"Op::" #id, #expression},
#include "kernels/table/ops.def"
};

constexpr std::string_view kOpEnumeration =
    "enum class Op : std::uint8_t {"
#define OP(id, name, inputs, group, types, result, identity, conditions, expression, doc, example) \
#id ","
#include "kernels/table/ops.def"
    "};\n";

struct Needs {
  bool division = false, elementary = false, complex = false, single = false, wide = false;

  explicit Needs(const FusedLoop& loop, bool watches) {
    for (const Step& step : loop.steps) {
      if (step.kind == Step::Kind::kOperation) add(step.op, step.types[0]);
      (step.result == DType::kFloat32 ? single : wide) |= is_quick(step);
    }
    for (const LoopFold& fold : loop.folds) add(fold.op, fold.type);
    division |= watches;
  }
  void add(Op op, DType dtype) {
    OpGroup group = facts(op).group;
    bool functions = group == OpGroup::kExponential || group == OpGroup::kPower ||
                     group == OpGroup::kTrigonometric;
    division |= group == OpGroup::kDivision;
    elementary |= functions || (op == Op::kSqrt && is_complex(dtype));
    complex |= is_complex(dtype) && (functions || op == Op::kSqrt);
  }
};

std::string condition_bits() {
  auto bit = [](std::string_view name, std::uint8_t value) {
    return "  static constexpr std::uint8_t " + std::string(name) + " = " + std::to_string(value) +
           ";\n";
  };
  return "struct FloatingErrors {\n" + bit("kDivide", FloatingErrors::kDivide) +
         bit("kOverflow", FloatingErrors::kOverflow) +
         bit("kUnderflow", FloatingErrors::kUnderflow) + bit("kInvalid", FloatingErrors::kInvalid) +
         "};\n";
}

std::string row_text(Op op) {
  const RowText& row = kRows[static_cast<int>(op)];
  return "template <>\nstruct Row<" + std::string(row.name) +
         "> {\n  template <class X, class Y, class Z>\n"
         "  static inline auto first(X x, Y y, Z z) { return " +
         std::string(row.expression) + "; }\n};\n";
}

std::string rows_text(const FusedLoop& loop) {
  std::vector<Op> ops;
  for (const Step& step : loop.steps) {
    if (step.kind == Step::Kind::kOperation) ops.push_back(step.op);
  }
  for (const LoopFold& fold : loop.folds) ops.push_back(fold.op);
  std::sort(ops.begin(), ops.end());
  ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
  std::string text = "template <Op kOp>\nstruct Row;\n";
  for (Op op : ops) text += row_text(op);
  return text;
}

}  // namespace

std::string_view type_name(DType dtype) {
  switch (dtype) {
#define DTYPE(id, type, name, kind, code, category) \
  case DType::id:                                   \
    return #type;
#include "kernels/table/dtypes.def"
  }
  return {};
}

std::string_view op_name(Op op) { return kRows[static_cast<int>(op)].name; }

std::string prelude_text(const FusedLoop& loop, bool watches, bool wide) {
  Needs needs(loop, watches);
  std::string text;
  auto add = [&](std::string_view path) { text += embedded_text(path); };
  text += "#define STRIDER_APART __noinline__\n";
  add("kernels/backend/cuda/jit/text/standard.h");
  add("kernels/backend/cuda/jit/text/machine.h");
  if (needs.elementary || needs.single) add("kernels/backend/cuda/jit/text/float32.h");
  if (needs.elementary || needs.wide) add("kernels/backend/cuda/jit/text/float64.h");
  if (needs.elementary) add("kernels/backend/cuda/jit/text/elementary.h");
  if (needs.complex) add("kernels/backend/cuda/jit/text/complex.h");
  add("kernels/backend/cuda/jit/text/half.h");
  text += "namespace strider::nd {\n";
  text += kOpEnumeration;
  text += condition_bits();
  text += "}\n#define STRIDER_TARGET device\n";
  add("kernels/core/convert.h");
  add("kernels/instructions/basic.h");
  add("kernels/backend/cuda/jit/text/negation.h");
  if (needs.division) add("kernels/instructions/division.h");
  if (needs.elementary) add("kernels/instructions/elementary.h");
  add("kernels/instructions/rows.h");
  add("kernels/backend/cuda/jit/text/access.h");
  if (watches) {
    add("kernels/instructions/conditions.h");
    add("kernels/backend/cuda/jit/text/conditions.h");
  }
  text += "namespace strider::nd::device {\n";
  text += wide ? "using Index = unsigned long;\nusing Stride = long;\n"
               : "using Index = unsigned;\nusing Stride = int;\n";
  text += rows_text(loop);
  text += "}\n";
  return text;
}

}  // namespace strider::nd::cuda
