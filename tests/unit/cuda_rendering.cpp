// Random loops and every operation, rendered and run, against the reference backend:
//   cuda_rendering [TRIALS [FIRST_SEED]]   on the first GPU; then times of a few loops
//   cuda_rendering --host [TRIALS [FIRST_SEED]]   on the host, emulated
#include <cstdio>

#include "tests/unit/cuda_host.h"
#include "tests/unit/cuda_march.h"
#include "tests/unit/cuda_pass.h"
#include "tests/unit/cuda_random.h"
#include "tests/unit/cuda_side_by_side.h"
#ifdef STRIDER_CUDA_DEVICE
#include "tests/unit/cuda_device.h"
#endif

using namespace strider::nd;
using namespace strider::nd::cuda;
namespace cuda = strider::nd::cuda;

namespace {

cuda::Trial random_trial(std::uint64_t seed) {
  RandomTrial random(seed, false);
  switch (seed % 8) {
    case 0:
    case 1:
    case 2:
      return random.map();
    case 3:
      return random.fold(LoopFold::Kind::kFind);
    case 4:
      return random.fold(LoopFold::Kind::kScan);
    default:
      return random.fold(LoopFold::Kind::kFold);
  }
}

// `collects`: the executor runs nothing and only notes what it would have run.
int check_random(Executor& executor, const DeviceFacts& usual, std::uint64_t first,
                 std::uint64_t trials, bool collects = false) {
  DeviceFacts small;
  small.processors = 1;
  small.threads_per_processor = 512;
  int bad = 0;
  for (std::uint64_t seed = first; seed < first + trials; ++seed) {
    DeviceFacts facts = seed % 2 ? usual : small;
    facts.shape.wide = seed % 16 >= 8;
    std::string found = check(random_trial(seed), executor, facts, {});
    if (found.empty() || collects) continue;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), found.c_str());
    if (++bad == 10) break;
  }
  if (collects) return 0;
  std::printf("%d of %llu random loops differ\n", bad, static_cast<unsigned long long>(trials));
  return bad;
}

// One operation on rows of odd values.
cuda::Trial operation_trial(const OpFacts& op, DType dtype, bool watched) {
  constexpr std::int64_t kCount = 5000;
  std::mt19937_64 random(static_cast<std::uint64_t>(op.op) * 31 + static_cast<unsigned>(dtype));
  cuda::Trial trial;
  Step step = operation(op, dtype, {0, 1, 2});
  step.watched = watched && op.conditions != Conditions::kNone ? kEveryCondition : 0;
  trial.loop = loop_of(step, kCount);
  for (const LoopInput& input : trial.loop.inputs) {
    trial.buffers.push_back(make_values(input.dtype, kCount, random, false));
    trial.offsets.push_back(0);
  }
  trial.buffers.emplace_back(static_cast<std::size_t>(kCount * item_size(step.result)));
  trial.offsets.push_back(0);
  trial.watched = watched;
  return trial;
}

// How far results may be from the CPU's, whose own elementary functions may be 1 to 4 ULP off.
double allowed(const OpFacts& op, DType dtype) {
  bool length = is_complex(dtype) && (op.op == Op::kSign || op.op == Op::kSqrt);
  bool function = op.conditions == Conditions::kDerived && is_inexact(dtype);
  if (!function && !length) return 0;
  bool cancels = op.op == Op::kLogaddexp || op.op == Op::kLogaddexp2;  // near 0
  return dtype == DType::kFloat16 ? 1 : is_complex(dtype) ? 1e6 : cancels ? 64 : 6;
}

std::vector<cuda::Trial> operation_trials(std::vector<std::pair<const OpFacts*, DType>>& names) {
  std::vector<cuda::Trial> trials;
  for (DType dtype : kEveryDType) {
    for (const OpFacts* op : operations_of(dtype)) {
      trials.push_back(operation_trial(*op, dtype, false));
      names.emplace_back(op, dtype);
    }
  }
  return trials;
}

[[maybe_unused]] int check_operations(Executor& executor, const DeviceFacts& facts,
                                      bool collects = false) {
  std::vector<std::pair<const OpFacts*, DType>> names;
  std::vector<cuda::Trial> trials = operation_trials(names);
  int bad = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const auto& [op, dtype] = names[i];
    std::string found = check(trials[i], executor, facts, {allowed(*op, dtype)});
    std::string told;
    if (op->conditions != Conditions::kNone) {
      told = check(operation_trial(*op, dtype, true), executor, facts, {1e10});
    }
    if (collects) continue;
    bad += !found.empty();
    if (!found.empty() || !told.empty()) {
      std::printf("%s of %s: %s%s\n", std::string(op->name).c_str(),
                  std::string(name(dtype)).c_str(), found.substr(0, found.find('\n')).c_str(),
                  told.substr(0, told.find('\n')).c_str());
    }
  }
  if (collects) return 0;
  std::printf("%d of %zu operations differ by more than they may\n", bad, trials.size());
  return bad;
}

// The conditions of all operations and conversions of a type, as one loop.
cuda::Trial type_trial(DType dtype) {
  constexpr std::int64_t kCount = 1000;
  std::mt19937_64 random(static_cast<std::uint64_t>(dtype) + 7);
  cuda::Trial trial;
  trial.loop = all_operations(dtype, kEveryCondition);
  std::erase_if(trial.loop.steps,
                [](const Step& step) {  // the CPU tells of these what NumPy does not
                  return step.kind == Step::Kind::kConvert && is_complex(step.types[0]) &&
                         step.result == DType::kFloat16;
                });
  trial.loop.outputs.resize(1);
  for (const LoopInput& input : trial.loop.inputs) {
    trial.buffers.push_back(make_values(input.dtype, kCount, random, false));
    trial.offsets.push_back(0);
  }
  auto bytes = static_cast<std::size_t>(kCount * item_size(trial.loop.outputs[0].dtype));
  trial.buffers.emplace_back(bytes);
  trial.offsets.push_back(0);
  trial.watched = true;
  return trial;
}

// Steps that have forms which do not branch, of ordinary values among odd ones.
int check_quick(Executor& executor, const DeviceFacts& facts) {
  int bad = 0;
  for (bool watched : {true, false}) {
    for (Op last : {Op::kSqrt, Op::kExp, Op::kLog}) {
      constexpr std::int64_t kCount = 3001;
      std::mt19937_64 random(5);
      cuda::Trial trial;
      trial.watched = watched;
      trial.loop =
          loop_of(operation(strider::nd::facts(Op::kDivide), DType::kFloat64, {0, 1}), kCount);
      trial.loop.steps.push_back(operation(strider::nd::facts(last), DType::kFloat64, {0}));
      trial.loop.outputs.push_back(trial.loop.outputs[0]);
      trial.loop.outputs[1].value = 3;
      for (Step& step : trial.loop.steps) step.watched = watched ? kEveryCondition : 0;
      for (int i = 0; i < 2; ++i) {
        trial.buffers.push_back(make_values(DType::kFloat64, kCount, random, false));
        trial.offsets.push_back(0);
      }
      for (int i = 0; i < 2; ++i) {
        trial.buffers.emplace_back(static_cast<std::size_t>(kCount * 8));
        trial.offsets.push_back(0);
      }
      std::string found = check(trial, executor, facts, {last == Op::kSqrt ? 0.0 : 1.0});
      if (found.empty()) continue;
      ++bad;
      std::printf("quick steps: %s\n", found.c_str());
    }
  }
  return bad;
}

int check_types(Executor& executor, const DeviceFacts& facts) {
  int bad = 0;
  for (DType dtype : kEveryDType) {
    std::string found = check(type_trial(dtype), executor, facts, {});
    if (found.empty()) continue;
    ++bad;
    std::printf("%s: %s\n", std::string(name(dtype)).c_str(), found.c_str());
  }
  return bad;
}

#ifdef STRIDER_CUDA_DEVICE
// Notes what would be run, so that all of it can be compiled at once.
class Collector : public HostExecutor {
 public:
  void run(const std::string& text, const Rendering& rendering) override {
    texts[rendering.key] = text;
  }
  std::map<std::string, std::string> texts;
};

struct Timed {
  const char* name;
  Dims extents;
  std::vector<Dims> strides;  // of the inputs, float64
  Op op;
  std::uint64_t folded;  // axes; 0: a map
  LoopFold::Kind kind;
};

void show_times(DeviceExecutor& executor) {
  constexpr std::int64_t kMany = 100000000, kSide = 10000, kItem = 8;
  using Kind = LoopFold::Kind;
  const Dims dense{kItem}, plane{kSide * kItem, kItem}, turned{kItem, kSide * kItem};
  const Timed list[] = {
      {"add", {kMany}, {dense, dense}, Op::kAdd, 0, Kind::kFold},
      {"exp", {kMany}, {dense}, Op::kExp, 0, Kind::kFold},
      {"add transposed", {kSide, kSide}, {plane, turned}, Op::kAdd, 0, Kind::kFold},
      {"square transposed", {kSide, kSide}, {turned}, Op::kSquare, 0, Kind::kFold},
      {"sum of squares", {kMany}, {dense}, Op::kSquare, 1, Kind::kFold},
      {"along rows", {kSide, kSide}, {plane}, Op::kSquare, 2, Kind::kFold},
      {"along short rows", {kMany / 10, 10}, {{10 * kItem, kItem}}, Op::kSquare, 2, Kind::kFold},
      {"along columns", {kSide, kSide}, {plane}, Op::kSquare, 1, Kind::kFold},
      {"along three columns", {kMany / 4, 3}, {{3 * kItem, kItem}}, Op::kSquare, 1, Kind::kFold},
      {"find", {kMany}, {dense}, Op::kSquare, 1, Kind::kFind},
      {"find in rows", {kSide, kSide}, {plane}, Op::kSquare, 2, Kind::kFind},
      {"scan", {kMany}, {dense}, Op::kSquare, 1, Kind::kScan},
  };
  for (const Timed& each : list) {
    FusedLoop loop;
    loop.extents = each.extents;
    LoopMemory memory;
    std::int64_t points = loop.point_count();
    auto bytes = static_cast<std::size_t>(points * kItem);
    std::vector<std::uint16_t> arguments;
    for (const Dims& strides : each.strides) {
      LoopInput input;
      input.dtype = DType::kFloat64;
      input.strides = strides;
      arguments.push_back(static_cast<std::uint16_t>(loop.inputs.size()));
      loop.inputs.push_back(input);
      memory.inputs.push_back(executor.take(bytes));
    }
    loop.steps.push_back(operation(facts(each.op), DType::kFloat64, arguments));
    auto result = static_cast<std::uint16_t>(loop.inputs.size());
    double moved = static_cast<double>(bytes * loop.inputs.size());
    bool writes_all = each.folded == 0 || each.kind == LoopFold::Kind::kScan;
    if (each.folded) {
      LoopFold fold;
      fold.kind = each.kind;
      fold.op = each.kind == LoopFold::Kind::kFind ? Op::kMaximum : Op::kAdd;
      fold.type = DType::kFloat64;
      fold.value = result;
      fold.axes = each.folded;
      loop.folds.push_back(fold);
    } else {
      Dims strides = each.extents.size() == 1 ? Dims{kItem} : Dims{each.extents[1] * kItem, kItem};
      loop.outputs.push_back({result, DType::kFloat64, strides});
    }
    if (writes_all) moved += static_cast<double>(bytes);
    memory.outputs.push_back(executor.take(bytes));
    Rendering rendering = render(loop, memory, nullptr, executor.device_facts(), executor);
    double seconds = executor.time(kernel_text(loop, memory, rendering.key), rendering);
    std::printf("%-22s %8.3f ms  %6.2f TB/s\n", each.name, seconds * 1e3, moved / seconds * 1e-12);
    executor.clear();
  }
}

int run_on_device(std::uint64_t first, std::uint64_t trials) {
  DeviceExecutor executor;
  Collector collector;
  check_random(collector, executor.device_facts(), first, trials, true);
  check_operations(collector, executor.device_facts(), true);
  std::printf("%zu texts\n", collector.texts.size());
  executor.prepare(collector.texts);
  int bad = check_random(executor, executor.device_facts(), first, trials);
  bad += check_operations(executor, executor.device_facts());
  bad += check_passes(executor, executor.device_facts(),
                      {DType::kFloat64, DType::kFloat32, DType::kFloat16},
                      {10, 100, 257, 512, 1001, 1020, 4096, 6000, 16000});
  bad += check_quick(executor, executor.device_facts());
  bad += check_marches(executor, executor.device_facts());
  bad += check_side_by_side(executor, executor.device_facts());
  show_times(executor);
  return bad;
}
#endif

}  // namespace

int main(int count, char** arguments) try {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what was found stays when it is stopped
  bool host = count > 1 && std::string(arguments[1]) == "--host";
  int at = host ? 2 : 1;
  std::uint64_t trials = count > at ? std::strtoull(arguments[at], nullptr, 10) : 400;
  std::uint64_t first = count > at + 1 ? std::strtoull(arguments[at + 1], nullptr, 10) : 0;
  if (host) {
    HostExecutor executor;
    int bad = check_types(executor, DeviceFacts()) + check_quick(executor, DeviceFacts()) +
              check_marches(executor, DeviceFacts()) + check_side_by_side(executor, DeviceFacts()) +
              check_passes(executor, DeviceFacts(), {DType::kFloat64}, {521}) +
              check_passes(executor, DeviceFacts(), {DType::kFloat32}, {10, 300, 1020});
    return bad + check_random(executor, DeviceFacts(), first, trials) != 0;
  }
#ifdef STRIDER_CUDA_DEVICE
  return run_on_device(first, trials) != 0;
#else
  std::printf("built without CUDA: only --host\n");
  return 1;
#endif
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 2;
}
