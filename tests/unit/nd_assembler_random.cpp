// Random lists of steps as assembled code against tiles: registers, saved values, calls, tails.
#include <doctest/doctest.h>

#include <algorithm>

#include "nd_assembler_support.h"

using namespace strider::nd;

namespace {

// Operations that have code for a type, found by asking.
std::vector<Op> operations_of(DType dtype) {
  std::vector<Op> list;
  for (int row = 0; row < kOpCount; ++row) {
    const OpFacts& op = facts(static_cast<Op>(row));
    bool complex_length = is_complex(dtype) && op.result == 'r';
    if (op.outputs != 1 || op.op == Op::kLdexp || complex_length) continue;
    if (!find_kernel(op.op, dtype)) continue;
    // The sign of a NaN may depend on the order of operands.
    if (op.op == Op::kSignbit || op.op == Op::kCopysign) continue;
    FusedLoop loop;
    Step step;
    step.op = op.op;
    step.count = static_cast<std::uint8_t>(op.inputs);
    step.result = op.result == '?' ? DType::kBool : dtype;
    for (int k = 0; k < op.inputs; ++k) {
      loop.inputs.emplace_back().dtype = dtype;
      step.types[k] = dtype;
      step.arguments[k] = static_cast<std::uint16_t>(k);
    }
    loop.steps.push_back(step);
    std::vector<bool> still(loop.inputs.size(), false);
    auto result = static_cast<std::uint16_t>(op.inputs);
    if (Assembled::make(loop, {result}, still, best_target())) list.push_back(op.op);
  }
  return list;
}

class Program {
 public:
  explicit Program(std::uint64_t seed) : random_(seed) {
    constexpr DType kUsual[] = {DType::kFloat64, DType::kFloat32, DType::kInt64, DType::kBool};
    bool mixed = pick(2) == 0;
    main_ = mixed ? kUsual[pick(4)] : kEveryDType[pick(kDTypeCount)];
    trial_.count = pick(3) == 0 ? pick(kTile) + 1 : pick(80) + 1;
    std::size_t inputs = 1 + pick(7);
    for (std::size_t i = 0; i < inputs; ++i) {
      DType dtype = pick(4) ? main_ : kEveryDType[pick(kDTypeCount)];
      trial_.add_input(dtype, pick(4) == 0, random_, pick(2));
    }
    std::size_t steps = 1 + pick(40);
    for (std::size_t i = 0; i < steps; ++i) add_step();
    std::size_t outputs = 1 + pick(4);
    for (std::size_t i = 0; i < outputs; ++i) trial_.wanted.push_back(any_value(pick(3) == 0));
  }

  const Trial& trial() const { return trial_; }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }
  std::size_t value_count() const { return trial_.loop.inputs.size() + trial_.loop.steps.size(); }

  // A value, more often a recent one.
  std::uint16_t any_value(bool old) {
    std::size_t count = value_count(), recent = std::min<std::size_t>(count, 6);
    return static_cast<std::uint16_t>(old ? pick(count) : count - 1 - pick(recent));
  }

  std::uint16_t value_of(DType dtype) {
    std::vector<std::uint16_t> fitting;
    for (std::size_t i = 0; i < value_count(); ++i) {
      auto value = static_cast<std::uint16_t>(i);
      if (trial_.loop.type_of(value) == dtype) fitting.push_back(value);
    }
    return fitting.empty() ? convert(any_value(true), dtype) : fitting[pick(fitting.size())];
  }

  std::uint16_t convert(std::uint16_t value, DType dtype) {
    DType from = trial_.loop.type_of(value);
    if (from == dtype) return value;
    Step step;
    step.kind = Step::Kind::kConvert;
    step.count = 1;
    step.types[0] = from;
    step.arguments[0] = value;
    step.result = dtype;
    trial_.loop.steps.push_back(step);
    return static_cast<std::uint16_t>(value_count() - 1);
  }

  void add_step() {
    std::uint16_t first = any_value(pick(2));
    DType dtype = trial_.loop.type_of(first);
    if (pick(12) == 0 && !is_complex(dtype)) {
      convert(first, main_);
      return;
    }
    Step step;
    if (pick(6) == 0) {
      step.kind = Step::Kind::kSelect;
      step.count = 3;
      step.types[0] = DType::kBool;
      step.types[1] = step.types[2] = step.result = dtype;
      step.arguments[0] = value_of(DType::kBool);
      step.arguments[1] = first;
      step.arguments[2] = value_of(dtype);
    } else {
      static std::vector<Op> known[kDTypeCount];
      std::vector<Op>& list = known[static_cast<int>(dtype)];
      if (list.empty()) list = operations_of(dtype);
      const OpFacts& op = facts(list[pick(list.size())]);
      step.op = op.op;
      step.count = static_cast<std::uint8_t>(op.inputs);
      step.result = op.result == '?' ? DType::kBool : dtype;
      for (int k = 0; k < op.inputs; ++k) {
        step.types[k] = dtype;
        step.arguments[k] = k == 0 ? first : value_of(dtype);
      }
    }
    trial_.loop.steps.push_back(step);
  }

  std::mt19937_64 random_;
  Trial trial_;
  DType main_ = DType::kFloat64;
};

std::string describe(const FusedLoop& loop) {
  std::string text;
  for (const LoopInput& input : loop.inputs)
    text += std::string(strider::nd::name(input.dtype)) + " ";
  for (const Step& step : loop.steps) {
    text += "\n  " + std::string(step.kind == Step::Kind::kOperation ? facts(step.op).name
                                 : step.kind == Step::Kind::kSelect  ? "select"
                                                                     : "convert");
    for (int k = 0; k < step.count; ++k) text += " " + std::to_string(step.arguments[k]);
    text += " -> " + std::string(strider::nd::name(step.result));
  }
  return text;
}

}  // namespace

TEST_CASE("random loops have the same bits assembled and by tiles") {
  if (best_target() == Target::kPlain) return;
  int with_code = 0;
  const char* wanted = std::getenv("STRIDER_TEST_PROGRAMS");
  int programs = wanted ? std::atoi(wanted) : 3000;
  for (int seed = 0; seed < programs; ++seed) {
    Program program(static_cast<std::uint64_t>(seed));
    const Trial& trial = program.trial();
    std::vector<Bytes> assembled;
    std::uint8_t flags = 0;
    if (!trial.by_code(assembled, seed % 2, &flags)) continue;
    ++with_code;
    std::vector<Bytes> tiles = trial.by_tiles(&flags);
    std::string found = difference(trial, tiles, assembled);
    CHECK_MESSAGE(found == "", "seed ", seed, " ", found, "\n", describe(trial.loop));
    if (!found.empty()) break;
  }
  CHECK(with_code > programs / 2);
  MESSAGE(with_code, " of ", programs, " programs have code");
}
