// Quotients, roots, logarithms and exponentials of a map, and quotients by one number for a row.
#include "kernels/backend/cuda/jit/quick_steps.h"

#include <algorithm>

namespace strider::nd::cuda {
namespace {

// Steps for which a path apart is worth its text; in a row of a pass, where others wait less for
// memory, divisions by one number for all of it are.
constexpr std::ptrdiff_t kFewQuickSteps = 2;

constexpr std::string_view kQuotient = "quick_divide", kByOneNumber = "quick_divide_by",
                           kOfOneNumber = "quick_divide_one", kSeldomNothing = "quick_divide_into",
                           kForNormal = "quick_divide_bare";

bool is_operation(const Step& step, Op op) {
  return step.kind == Step::Kind::kOperation && step.op == op;
}
bool is_logarithm_of_float(const Step& step) {
  return is_operation(step, Op::kLog) && step.result == DType::kFloat32;
}

}  // namespace

bool is_quick(const Step& step) {
  DType type = step.result;
  bool quick = step.op == Op::kDivide || step.op == Op::kSqrt || step.op == Op::kLog;
  if (type == DType::kFloat64) quick |= step.op == Op::kExp;
  return step.kind == Step::Kind::kOperation && quick &&
         (type == DType::kFloat32 || type == DType::kFloat64) && step.types[0] == type &&
         (step.count == 1 || step.types[1] == type);
}

// Folds have no use for what a step gives that is computed again.
QuickSteps::QuickSteps(const FusedLoop& loop, const LoopLayout& layout)
    : loop_(loop), layout_(layout), quick_(loop.steps.size(), false) {
  if (!loop.folds.empty()) return;
  bool row = layout.rows > 1;
  for (std::size_t i = 0; i < quick_.size(); ++i) {
    quick_[i] = is_quick(loop.steps[i]) && (!row || divides_by_still(loop.steps[i]));
  }
  any_ = std::count(quick_.begin(), quick_.end(), true) >= (row ? 1 : kFewQuickSteps);
  if (!any_) quick_.assign(quick_.size(), false);
}

bool QuickSteps::is_scalar(std::size_t value) const {
  return value < loop_.inputs.size() && layout_.inputs[value].steps == Steps::kScalar;
}
bool QuickSteps::is_still(std::size_t value) const {
  return is_scalar(value) ||
         (value < loop_.inputs.size() && layout_.is_still(layout_.inputs[value]));
}

bool QuickSteps::divides_by_still(const Step& step) const {
  return step.op == Op::kDivide && is_still(step.arguments[1]);
}

// A quick one, which finds numbers odd that are not normal.
bool QuickSteps::feeds_logarithm(const Step& step) const {
  auto value = static_cast<std::uint16_t>(loop_.inputs.size() + (&step - loop_.steps.data()));
  for (std::size_t i = 0; i < quick_.size(); ++i) {
    const Step& reader = loop_.steps[i];
    if (quick_[i] && is_logarithm_of_float(reader) && reader.arguments[0] == value) return true;
  }
  return false;
}

// An exponential, or a sum with one or with a logarithm.
bool QuickSteps::is_seldom_nothing(std::size_t value) const {
  const auto is_any = [&](std::size_t of, std::initializer_list<Op> ops) {
    if (of < loop_.inputs.size()) return false;
    const Step& step = loop_.steps[of - loop_.inputs.size()];
    return std::any_of(ops.begin(), ops.end(), [&](Op op) { return is_operation(step, op); });
  };
  if (is_any(value, {Op::kExp})) return true;
  if (!is_any(value, {Op::kAdd})) return false;
  const Step& sum = loop_.steps[value - loop_.inputs.size()];
  return is_any(sum.arguments[0], {Op::kExp, Op::kLog}) ||
         is_any(sum.arguments[1], {Op::kExp, Op::kLog});
}

std::string_view QuickSteps::form_of_quotient(const Step& step) const {
  bool wide = step.result != DType::kFloat32;
  if (divides_by_still(step) && (!wide || layout_.rows > 1)) return kByOneNumber;
  if (wide) return kQuotient;
  if (feeds_logarithm(step)) return kForNormal;
  if (is_scalar(step.arguments[0])) return kOfOneNumber;
  return is_seldom_nothing(step.arguments[0]) ? kSeldomNothing : kQuotient;
}

std::vector<std::uint16_t> QuickSteps::numerators() const {
  std::vector<std::uint16_t> found;
  for (std::size_t i = 0; i < quick_.size(); ++i) {
    const Step& step = loop_.steps[i];
    bool one = quick_[i] && step.op == Op::kDivide && form_of_quotient(step) == kOfOneNumber;
    std::uint16_t value = step.arguments[0];
    if (one && std::find(found.begin(), found.end(), value) == found.end()) found.push_back(value);
  }
  return found;
}

std::string QuickSteps::text(const Step& step, const std::string& x, const std::string& y) const {
  if (step.op == Op::kSqrt) return "quick_root(" + x + ", odd)";
  if (step.op == Op::kExp) return "quick_exponential(" + x + ", odd)";
  if (step.op == Op::kLog) return "quick_logarithm(" + x + ", odd)";
  return std::string(form_of_quotient(step)) + "(" + x + ", " + y + ", odd)";
}

Known QuickSteps::known() const {
  std::size_t inputs = loop_.inputs.size();
  Known known;
  known.finite.assign(inputs + quick_.size(), false);
  known.spreading.assign(quick_.size(), false);
  known.still.resize(inputs);
  for (std::size_t i = 0; i < inputs; ++i) known.still[i] = is_still(i);
  for (std::size_t i = 0; i < quick_.size(); ++i) {
    const Step& step = loop_.steps[i];
    if (!quick_[i]) continue;
    if (step.result == DType::kFloat32 && step.op != Op::kLog && !divides_by_still(step)) {
      known.spreading[i] = true;
      continue;
    }
    known.finite[inputs + i] = true;
    for (int k = 0; k < step.count; ++k) known.finite[step.arguments[k]] = true;
  }
  return known;
}

}  // namespace strider::nd::cuda
