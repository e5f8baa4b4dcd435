// Every operation, element type and length as assembled code against the ready-made kernels.
#include <doctest/doctest.h>

#include <set>

#include "nd_assembler_support.h"

using namespace strider::nd;

namespace {

constexpr std::int64_t kLengths[] = {1, 2, 3, 7, 8, 9, 16, 31, 33, 64, 65, 127, 200, 515};

DType result_type(const OpFacts& row, DType dtype) {
  switch (row.result) {
    case '?':
      return DType::kBool;
    case 'B':
      return DType::kUInt8;
    case 'r':
      return dtype == DType::kComplex64    ? DType::kFloat32
             : dtype == DType::kComplex128 ? DType::kFloat64
                                           : dtype;
    default:
      return dtype;
  }
}

// Runs one step; returns whether it has code.
bool check(const std::vector<DType>& types, Step step, std::int64_t count, unsigned still,
           bool tame) {
  std::mt19937_64 random(static_cast<std::uint64_t>(count) * 31 + still);
  Trial trial;
  trial.count = count;
  for (std::size_t i = 0; i < types.size(); ++i) {
    trial.add_input(types[i], still >> i & 1, random, tame);
    step.types[i] = types[i];
    step.arguments[i] = static_cast<std::uint16_t>(i);
  }
  step.count = static_cast<std::uint8_t>(types.size());
  step.watched = 0xff;
  trial.loop.steps.push_back(step);
  trial.wanted = {static_cast<std::uint16_t>(types.size())};
  std::vector<Bytes> assembled;
  std::uint8_t code_flags = 0, tile_flags = 0;
  for (bool apart : {false, true}) {
    if (!trial.by_code(assembled, apart, &code_flags)) return false;
    std::vector<Bytes> tiles = trial.by_tiles(&tile_flags);
    CHECK_MESSAGE(difference(trial, tiles, assembled) == "", "op ",
                  std::string(facts(step.op).name), " type ", static_cast<int>(types[0]), " to ",
                  static_cast<int>(step.result), " kind ", static_cast<int>(step.kind), " count ",
                  count, " still ", still);
    std::uint8_t wanted =
        facts(step.op).conditions == Conditions::kNone && step.kind == Step::Kind::kOperation
            ? 0
            : tile_flags;
    CHECK_MESSAGE((wanted & ~code_flags) == 0, "flags of ", std::string(facts(step.op).name),
                  " type ", static_cast<int>(types[0]), " kind ", static_cast<int>(step.kind),
                  " to ", static_cast<int>(step.result), ": ", static_cast<int>(wanted),
                  static_cast<int>(code_flags));
  }
  return true;
}

}  // namespace

TEST_CASE("assembled operations have the bits of the kernels") {
  int with_code = 0;
  std::set<std::string> without;
  for (int row = 0; row < kOpCount; ++row) {
    const OpFacts& op = facts(static_cast<Op>(row));
    if (op.outputs != 1 || op.op == Op::kLdexp) continue;
    for (DType dtype : kEveryDType) {
      if (!find_kernel(op.op, dtype)) continue;
      Step step;
      step.op = op.op;
      step.result = result_type(op, dtype);
      bool has_code = false;
      std::vector<DType> types(static_cast<std::size_t>(op.inputs), dtype);
      for (std::int64_t count : kLengths) {
        for (unsigned still = 0; still < 1u << op.inputs; ++still) {
          bool whole = check(types, step, count, still, false);
          if (!whole) break;
          check(types, step, count, still, true);
          has_code = true;
        }
        if (!has_code) break;
      }
      with_code += has_code;
      if (!has_code)
        without.insert(std::string(op.name) + ":" +
                       std::string(1, "?bBhHiIlLefdFD"[static_cast<int>(dtype)]));
    }
  }
  std::string list;
  for (const std::string& each : without) list += each + " ";
  CHECK((best_target() == Target::kPlain || with_code >= 600));
  MESSAGE(with_code, " with code; without: ", list);
}

TEST_CASE("assembled conversions have the bits of the casts") {
  std::string without;
  for (DType from : kEveryDType) {
    for (DType to : kEveryDType) {
      if (from == to) continue;
      Step step;
      step.kind = Step::Kind::kConvert;
      step.result = to;
      for (std::int64_t count : kLengths) {
        for (unsigned still = 0; still < 2; ++still) {
          bool has_code = check({from}, step, count, still, false);
          if (!has_code && count == 1 && still == 0) {
            without += std::string(1, "?bBhHiIlLefdFD"[static_cast<int>(from)]) +
                       std::string(1, "?bBhHiIlLefdFD"[static_cast<int>(to)]) + " ";
          }
        }
      }
    }
  }
  MESSAGE("without: ", without);
}

TEST_CASE("assembled selects have the bits of the kernels") {
  for (DType dtype : kEveryDType) {
    Step step;
    step.kind = Step::Kind::kSelect;
    step.result = dtype;
    for (std::int64_t count : kLengths) {
      for (unsigned still = 0; still < 8; ++still) {
        bool has_code = check({DType::kBool, dtype, dtype}, step, count, still, false);
        CHECK((has_code || best_target() == Target::kPlain));
      }
    }
  }
}
