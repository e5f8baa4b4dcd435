// The texts of kernels without a device: each compiles, is the same for the same key, and one key
// stands for all shapes of a class.
#include <doctest/doctest.h>

#include <set>

#include "kernels/backend/cuda/jit/nvrtc.h"
#include "kernels/backend/cuda/jit/unplaced.h"
#include "kernels/backend/cuda/jit/watching.h"
#include "tests/unit/cuda_random.h"
#include "tests/unit/cuda_workloads.h"

using namespace strider::nd;
using namespace strider::nd::cuda;
namespace cuda = strider::nd::cuda;

namespace {

// Addresses that nothing lies at, far from each other.
constexpr std::uintptr_t kApart = std::uintptr_t{1} << 30;
LoopMemory anywhere(const FusedLoop& loop, const std::byte* scalars) {
  LoopMemory memory;
  std::uintptr_t at = kApart;
  for (const LoopInput& input : loop.inputs) {
    bool read = input.kind == LoopInput::Kind::kScalar;
    memory.inputs.push_back(read ? scalars : reinterpret_cast<const std::byte*>(at += kApart));
  }
  for (std::size_t i = 0; i < loop.outputs.size() + loop.folds.size(); ++i) {
    memory.outputs.push_back(reinterpret_cast<std::byte*>(at += kApart));
  }
  return memory;
}

std::string key_of(const FusedLoop& loop, bool watched = true) {
  static const std::byte scalars[16] = {};
  static std::uint32_t conditions = 0;
  NoScratch scratch;
  DeviceFacts facts;
  return render(loop, anywhere(loop, scalars), watched ? &conditions : nullptr, facts, scratch).key;
}

// Compiles for the oldest architecture, and now and then for the one that counts.
void compiles(const FusedLoop& loop, bool machine_code) {
  static const std::byte scalars[16] = {};
  LoopMemory memory = anywhere(loop, scalars);
  std::string key = key_of(loop);
  std::string text = kernel_text(loop, memory, key);
  CHECK(text == kernel_text(loop, memory, key));
  CHECK_NOTHROW(compile(text, "compute_75"));
  if (machine_code) CHECK_NOTHROW(compile(text, "sm_90"));
}

}  // namespace

TEST_CASE("every operation and conversion of every type compiles") {
  if (!has_nvrtc()) return;
  for (DType dtype : kEveryDType) {
    CAPTURE(name(dtype));
    compiles(all_operations(dtype, 0), dtype == DType::kInt16);
    compiles(all_operations(dtype, 15), dtype == DType::kInt32);
  }
}

TEST_CASE("random maps, folds, searches and scans compile") {
  if (!has_nvrtc()) return;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    compiles(RandomTrial(seed, true).map().loop, seed % 4 == 0);
    compiles(RandomTrial(seed, true).fold(LoopFold::Kind::kFold).loop, seed % 4 == 1);
    compiles(RandomTrial(seed, true).fold(LoopFold::Kind::kFind).loop, seed % 4 == 2);
    compiles(RandomTrial(seed, true).fold(LoopFold::Kind::kScan).loop, seed % 4 == 3);
  }
}

TEST_CASE("transposed inputs go through tiles") {
  FusedLoop loop = loop_of(operation(facts(Op::kAdd), DType::kComplex128, {0, 1}), 1);
  loop.extents = {100, 200};
  loop.inputs[0].strides = {16, 16 * 100};
  loop.inputs[1].strides = {16 * 200, 16};
  loop.outputs[0].strides = {16 * 200, 16};
  CHECK(key_of(loop).substr(0, 3) == "mnt");
  if (has_nvrtc()) compiles(loop, true);
}

TEST_CASE("lines that are read again and again go through bands") {
  FusedLoop loop = loop_of(operation(facts(Op::kAdd), DType::kFloat64, {0, 1}), 1);
  loop.extents = {1100, 1100};
  loop.inputs[0].strides = loop.inputs[1].strides = {8 * 1102, 8};
  loop.outputs[0].strides = {8 * 1100, 8};
  static const std::byte scalars[16] = {};
  LoopMemory memory = anywhere(loop, scalars);
  NoScratch scratch;
  auto key = [&] { return render(loop, memory, nullptr, DeviceFacts(), scratch).key; };
  CHECK(key().substr(0, 3) != "mnb");
  memory.inputs[1] = memory.inputs[0] + 8 * 1102 + 16;
  CHECK(key().substr(0, 3) == "mnb");
  if (has_nvrtc()) CHECK_NOTHROW(compile(kernel_text(loop, memory, key()), "sm_90"));
  loop.extents = {110, 110};
  CHECK(key().substr(0, 3) != "mnb");
}

TEST_CASE("more points than 32 bits count") {
  FusedLoop loop = loop_of(operation(facts(Op::kAdd), DType::kInt8, {0, 1}), 1);
  loop.extents = {3, std::int64_t{1} << 30};
  loop.inputs[0].strides = {std::int64_t{1} << 31, 2};
  loop.inputs[1].strides = {0, 1};
  loop.outputs[0].strides = {std::int64_t{1} << 30, 1};
  CHECK(key_of(loop).substr(0, 2) == "mw");
  if (has_nvrtc()) compiles(loop, true);
  LoopFold fold;
  fold.type = DType::kInt8;
  fold.value = 2;
  fold.axes = 2;
  loop.folds.push_back(fold);
  if (has_nvrtc()) compiles(loop, false);
}

TEST_CASE("folds of nothing are one launch") {
  for (Dims extents : {Dims{5, 0}, Dims{0, 5}, Dims{0, 4, 3}}) {
    FusedLoop loop;
    loop.extents = extents;
    LoopInput input;
    input.dtype = DType::kFloat64;
    input.strides.resize(extents.size(), 8);
    loop.inputs.push_back(input);
    LoopFold fold;
    fold.type = DType::kFloat64;
    for (int axis = 0; axis < extents.size(); ++axis) {
      if (extents[axis] == 0 || axis == 2) fold.axes |= std::uint64_t{1} << axis;
    }
    loop.folds.push_back(fold);
    NoScratch scratch;
    CHECK(render(loop, anywhere(loop, nullptr), nullptr, DeviceFacts(), scratch).calls.size() == 1);
  }
}

TEST_CASE("a thousand shapes of one class have one key") {
  std::set<std::string> keys;
  for (std::int64_t rows = 2; rows < 1002; ++rows) {
    FusedLoop loop = loop_of(operation(facts(Op::kAdd), DType::kFloat32, {0, 1}), 1);
    loop.extents = {rows, 2 * rows + 4};
    loop.inputs[0].strides = {8 * rows + 16, 4};
    loop.inputs[1].strides = {0, 4};
    loop.outputs[0].strides = {8 * rows + 16, 4};
    keys.insert(key_of(loop));
  }
  CHECK(keys.size() == 1);
}

TEST_CASE("sums of all lengths but of a few elements have one key") {
  std::set<std::string> keys;
  for (std::int64_t count : {8, 130, 5000, 1000000}) {
    FusedLoop loop = loop_of(operation(facts(Op::kSquare), DType::kFloat64, {0}), count);
    loop.outputs.clear();
    LoopFold fold;
    fold.type = DType::kFloat64;
    fold.value = 1;
    fold.axes = 1;
    loop.folds.push_back(fold);
    keys.insert(key_of(loop));
  }
  CHECK(keys.size() == 1);
}

TEST_CASE("a few tests tell of many steps") {
  FusedLoop loop = black_scholes(DType::kFloat64, 1000).loop;
  Tests tests = find_tests(loop);
  CHECK(tests.steps.empty());
  CHECK(tests.values.size() < 12);
  if (has_nvrtc()) compiles(loop, true);
}

TEST_CASE("a step is tested where what follows may be finite again") {
  auto count = [](Op op, bool first, std::uint8_t watched = kEveryCondition) {
    Workload work(DType::kFloat32, {100});
    std::uint16_t x = work.dense(), product = work.step(Op::kMultiply, {x, x});
    work.write(work.step(op, {first ? product : x, first ? x : product}));
    for (Step& step : work.loop.steps) step.watched = watched;
    Tests tests = find_tests(work.loop);
    return tests.values.size() + tests.steps.size();
  };
  CHECK(count(Op::kAdd, true) == 1);
  CHECK(count(Op::kAdd, false) == 1);
  CHECK(count(Op::kDivide, true) == 1);
  CHECK(count(Op::kDivide, false) == 2);
  CHECK(count(Op::kPower, true) == 2);
  CHECK(count(Op::kSubtract, true, FloatingErrors::kUnderflow) == 2);
}

TEST_CASE("a value that is known to be finite tells of what it follows") {
  Workload work(DType::kFloat32, {100});
  std::uint16_t x = work.dense(), product = work.step(Op::kMultiply, {x, x});
  work.write(work.step(Op::kDivide, {product, x}));
  for (Step& step : work.loop.steps) step.watched = FloatingErrors::kOverflow;
  CHECK(find_tests(work.loop).values.size() == 1);
  CHECK(find_tests(work.loop, {.finite = {false, false, true}}).values.empty());
  CHECK(find_tests(work.loop, {.finite = {false, true, false}}).values.size() == 1);
}

TEST_CASE("a step that is right where it is finite is tested by what follows it") {
  Workload work(DType::kFloat32, {100});
  std::uint16_t x = work.dense(),
                quotient = work.step(Op::kDivide, {x, work.step(Op::kSquare, {x})});
  work.write(work.step(Op::kMultiply, {quotient, x}));
  for (Step& step : work.loop.steps) step.watched = FloatingErrors::kOverflow;
  CHECK(find_tests(work.loop).values.size() == 2);
  Known known{.spreading = {false, true, false}};
  CHECK(find_tests(work.loop, known).values == std::vector<std::uint16_t>{3});
  known.watched = false;
  CHECK(find_tests(work.loop, known).values.size() == 1);
  CHECK(find_tests(work.loop, {.watched = false}).values.empty());
}

TEST_CASE("sums with a number for all points that is small are not tested") {
  Workload work(DType::kFloat32, {100});
  std::uint16_t x = work.dense(), one = work.scalar(1), sum = work.step(Op::kAdd, {x, one});
  work.write(work.step(Op::kSubtract, {one, sum}));
  for (Step& step : work.loop.steps) step.watched = kEveryCondition & ~FloatingErrors::kUnderflow;
  CHECK(find_tests(work.loop).values.size() == 1);
  Tests tests = find_tests(work.loop, {.still = {false, true}});
  CHECK(tests.values.empty());
  CHECK(tests.steps.empty());
  CHECK(tests.addends == std::vector<std::uint16_t>{one});
}

TEST_CASE("a choice of two that follow a step follows it") {
  Workload work(DType::kFloat64, {100});
  std::uint16_t x = work.dense(), one = work.scalar(1), above = work.step(Op::kGreater, {x, one});
  std::uint16_t square = work.step(Op::kSquare, {x}), other = work.step(Op::kAdd, {square, one});
  work.write(work.select(above, square, other));
  CHECK(find_tests(work.loop).values == std::vector<std::uint16_t>{other});
  work.loop.steps[3].arguments[2] = one;
  CHECK(find_tests(work.loop).values.size() == 1);
}

// Loops as a pass over memory that lies anywhere.
class AnyPass {
 public:
  explicit AnyPass(const std::vector<Workload>& works) {
    for (const Workload& work : works) memory_.push_back(anywhere(work.loop, kScalars));
    for (std::size_t i = 0; i < works.size(); ++i) {
      loops_.push_back({&works[i].loop, &memory_[i], &words_});
    }
  }
  auto& loops() { return loops_; }

 private:
  static constexpr std::byte kScalars[16] = {};
  std::uint32_t words_ = 0;
  std::vector<LoopMemory> memory_;
  std::vector<PassLoop> loops_;
};

TEST_CASE("a pass over rows is one launch") {
  auto rendering = [](const std::vector<Workload>& works, std::int64_t rows,
                      bool compiled = false) {
    AnyPass pass(works);
    auto rendering = render_pass(pass.loops(), rows, DeviceFacts());
    if (rendering && compiled && has_nvrtc()) {
      std::string text = pass_text(pass.loops(), rows, DeviceFacts());
      CHECK_NOTHROW(compile(text, "compute_75"));
      CHECK_NOTHROW(compile(text, "sm_90"));
    }
    return rendering;
  };
  for (DType dtype : {DType::kFloat64, DType::kFloat32, DType::kFloat16}) {
    CHECK(rendering(softmax(dtype, 1000, 4096), 1000, true)->calls.size() == 1);
    CHECK(rendering(layer_norm(dtype, 1000, 4096), 1000, true)->calls.size() == 1);
  }
  for (std::int64_t width : {10, 100, 1000, 1020, 2000, 16384}) {
    CHECK(rendering(softmax(DType::kFloat32, 1000, width), 1000, true)->calls.size() == 1);
  }
  auto one = rendering(softmax(DType::kFloat64, 1000, 4096), 1000);
  constexpr std::uint32_t kResult = 16;  // the row's maximum
  CHECK(one->calls[0].shared_bytes == 8 * 4096 + kResult);
  CHECK(one->key == rendering(softmax(DType::kFloat64, 700, 3000), 700)->key);
  CHECK(rendering(softmax(DType::kFloat64, 700, 6000), 700)->calls[0].shared_bytes == kResult);
  CHECK_FALSE(rendering(softmax(DType::kFloat64, 10, 4096), 10));
  CHECK_FALSE(rendering(softmax(DType::kFloat64, 1000, 100000), 1000));
}

TEST_CASE("a pass gives a row as many threads as it has work for") {
  struct Launch {
    std::uint32_t grid, block;
    bool operator==(const Launch&) const = default;
  };
  auto launch = [](DType dtype, std::int64_t rows, std::int64_t width) {
    std::vector<Workload> works = softmax(dtype, rows, width);
    AnyPass pass(works);
    auto rendering = render_pass(pass.loops(), rows, DeviceFacts());
    if (!rendering) return Launch{0, 0};
    return Launch{rendering->calls[0].grid[0], rendering->calls[0].block[0]};
  };
  CHECK(launch(DType::kFloat32, 100, 10) == Launch{4, 256});
  CHECK(launch(DType::kFloat32, 1000, 1000) == Launch{125, 256});
  CHECK(launch(DType::kFloat32, 1000, 2000) == Launch{1000, 64});
  CHECK(launch(DType::kFloat64, 1000, 1000) == Launch{1000, 64});
  CHECK(launch(DType::kFloat64, 1000, 4096) == Launch{1000, 256});
  CHECK(launch(DType::kFloat32, 10000000, 3) == Launch{0, 0});
}
