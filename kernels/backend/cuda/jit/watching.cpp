// For each value the watched steps whose results it follows: were one of them not finite, the value
// would not be finite. Values are taken as tests until all steps are followed.
#include "kernels/backend/cuda/jit/watching.h"

#include <strider/nd/floating_errors.h>

#include <algorithm>
#include <bit>

namespace strider::nd::cuda {
namespace {

// What becomes of arguments that are not finite.
enum class Keeps {
  kNone,   // the result may be finite
  kFirst,  // the result is not finite if the first argument is not
  kAny,    // if any is not
  kAll,    // if all are not
};

bool is_float(DType dtype) { return is_inexact(dtype) && !is_complex(dtype); }

Keeps keeps(const Step& step) {
  if (!is_float(step.result)) return Keeps::kNone;
  if (step.kind == Step::Kind::kSelect) return Keeps::kAll;
  if (!is_float(step.types[0])) return Keeps::kNone;
  if (step.kind == Step::Kind::kConvert) return Keeps::kAny;
  switch (step.op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kNegative:
    case Op::kPositive:
    case Op::kAbsolute:
    case Op::kFabs:
    case Op::kSquare:
    case Op::kSqrt:
    case Op::kDegrees:
    case Op::kRadians:
    case Op::kRad2deg:
    case Op::kDeg2rad:
    case Op::kRint:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kTrunc:
    case Op::kLog:
    case Op::kLog2:
    case Op::kLog10:
    case Op::kLog1p:
    case Op::kCbrt:
    case Op::kSin:
    case Op::kCos:
    case Op::kTan:
    case Op::kSinh:
    case Op::kCosh:
    case Op::kArcsin:
    case Op::kArccos:
    case Op::kArcsinh:
    case Op::kArccosh:
    case Op::kArctanh:
    case Op::kHypot:
      return Keeps::kAny;
    case Op::kDivide:
    case Op::kCopysign:
      return Keeps::kFirst;
    case Op::kMaximum:
    case Op::kMinimum:
    case Op::kFmax:
    case Op::kFmin:
    case Op::kClip:
      return Keeps::kAll;
    default:
      return Keeps::kNone;
  }
}

// Whether the step raises nothing while its result is finite.
bool shows_in_result(const Step& step) {
  bool floats = is_float(step.result) && is_float(step.types[0]);
  return floats && step.kind != Step::Kind::kSelect &&
         (step.watched & FloatingErrors::kUnderflow) == 0;
}

// A set of steps.
class Followed {
 public:
  explicit Followed(std::size_t steps) : words_((steps + 63) / 64) {}
  void add(std::size_t step) { words_[step / 64] |= std::uint64_t{1} << step % 64; }
  void add(const Followed& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void keep(const Followed& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  void remove(const Followed& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  int count_common(const Followed& other) const {
    int count = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      count += std::popcount(words_[i] & other.words_[i]);
    }
    return count;
  }

 private:
  std::vector<std::uint64_t> words_;
};

Followed follow(const Step& step, Keeps kept, const std::vector<Followed>& values) {
  int first = step.kind == Step::Kind::kSelect ? 1 : 0;
  Followed all = values[step.arguments[first]];
  for (int i = first + 1; i < step.count; ++i) {
    if (kept == Keeps::kAny) all.add(values[step.arguments[i]]);
    if (kept == Keeps::kAll) all.keep(values[step.arguments[i]]);
  }
  return all;
}

bool holds(const std::vector<bool>& list, std::size_t place) {
  return place < list.size() && list[place];
}

// The argument of a sum or difference that is still, or its last.
std::uint16_t find_addend(const Step& step, const Known& known) {
  return step.arguments[holds(known.still, step.arguments[0]) ? 0 : 1];
}
bool adds_still(const Step& step, const Known& known) {
  bool sum =
      step.kind == Step::Kind::kOperation && (step.op == Op::kAdd || step.op == Op::kSubtract);
  bool real = step.result == DType::kFloat32 || step.result == DType::kFloat64;
  return sum && real && step.types[0] == step.result && step.types[1] == step.result &&
         holds(known.still, find_addend(step, known));
}

void add_once(std::uint16_t value, std::vector<std::uint16_t>& values) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

}  // namespace

Tests find_tests(const FusedLoop& loop, const Known& known) {
  std::size_t count = loop.steps.size(), inputs = loop.inputs.size();
  Followed wanted(count);
  std::vector<Followed> values(inputs, Followed(count));
  Tests tests;
  for (std::size_t i = 0; i < count; ++i) {
    const Step& step = loop.steps[i];
    bool spreading = holds(known.spreading, i), watched = known.watched && step.watched;
    bool small = watched && adds_still(step, known);
    bool shows = watched && !small && shows_in_result(step);
    Keeps kept = spreading ? Keeps::kAny : keeps(step);
    Followed followed = kept == Keeps::kNone ? Followed(count) : follow(step, kept, values);
    if (small) add_once(find_addend(step, known), tests.addends);
    if (watched && !small && !shows) tests.steps.push_back(static_cast<std::uint16_t>(i));
    if (shows || spreading) {
      followed.add(i);
      wanted.add(i);
    }
    values.push_back(std::move(followed));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (holds(known.finite, i)) wanted.remove(values[i]);
  }
  while (true) {
    std::size_t best = 0;
    int most = 0;
    for (std::size_t i = inputs; i < values.size(); ++i) {
      int common = values[i].count_common(wanted);
      if (common <= most) continue;
      most = common;
      best = i;
    }
    if (most == 0) break;
    tests.values.push_back(static_cast<std::uint16_t>(best));
    wanted.remove(values[best]);
  }
  std::sort(tests.values.begin(), tests.values.end());
  return tests;
}

}  // namespace strider::nd::cuda
