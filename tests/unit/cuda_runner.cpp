// Loops run whole where their kernel is there, and one instruction at a time while it is compiled
// or where it does not compile; over a queue that only writes down what it is given.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/backend/cuda/loop_runner.h"
#include "kernels/backend/unfused.h"
#include "tests/unit/cuda_loops.h"

using namespace strider::nd;
namespace cuda = strider::nd::cuda;

namespace {

class FakeDevice : public Device {
 public:
  std::string name() const override { return "fake:0"; }
  std::byte* take(std::size_t bytes) override {
    if (bytes > most) return nullptr;
    ++blocks;
    taken_ += (bytes / 256 + 1) * 256;
    return start() + taken_;
  }
  void free(std::byte*, std::size_t) noexcept override {
    if (--blocks == 0) taken_ = 0;
  }
  void upload(std::byte*, const std::byte*, std::size_t) override {}
  void download(std::byte*, const std::byte*, std::size_t) override {}
  void copy(std::byte*, const std::byte*, std::size_t) override {}
  void clear(std::byte*, std::size_t) override {}
  void synchronize() override {}

  std::size_t most = 1 << 20;
  int blocks = 0;  // handed out

 private:
  // Nobody looks at what lies there.
  static std::byte* start() { return reinterpret_cast<std::byte*>(std::uintptr_t{1} << 40); }
  std::size_t taken_ = 0;
};

class FakeQueue : public cuda::LaunchQueue {
 public:
  Device& device() override { return memory; }
  const cuda::DeviceFacts& facts() override { return facts_; }
  std::uint32_t* take_words(std::size_t count) override {
    return count <= words_.size() ? words_.data() : nullptr;
  }
  void launch(const void* kernel, const cuda::KernelCall& call) override {
    launched += std::string(static_cast<const char*>(kernel)) + ":" + call.entry + " ";
    calls.push_back(call);
  }
  std::string take() { return std::exchange(launched, ""); }

  FakeDevice memory;
  std::string launched;
  std::vector<cuda::KernelCall> calls;

 private:
  cuda::DeviceFacts facts_;
  std::vector<std::uint32_t> words_ = std::vector<std::uint32_t>(64);
};

class NamedKernel : public cuda::Kernel {
 public:
  explicit NamedKernel(std::string name) : name_(std::move(name)) {}
  const void* entry(const std::string&) override { return name_.c_str(); }

 private:
  std::string name_;
};

// Compiles when it is allowed to.
class FakeMaker : public cuda::KernelMaker {
 public:
  std::string identity() override { return "1"; }
  std::string compile(const std::string&) override {
    std::unique_lock<std::mutex> guard(lock_);
    ++begun;
    changed_.wait(guard, [&] { return open_; });
    if (fails) throw std::runtime_error("does not compile");
    return "whole";
  }
  std::shared_ptr<cuda::Kernel> load(const std::string& code) override {
    return std::make_shared<NamedKernel>(code);
  }
  void open() {
    std::lock_guard<std::mutex> guard(lock_);
    open_ = true;
    changed_.notify_all();
  }

  bool fails = false;
  std::atomic<int> begun{0};

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  bool open_ = false;
};

class FakeReady : public cuda::ReadyKernels {
 public:
  std::shared_ptr<cuda::Kernel> find(const std::string& key) override {
    bool single = key[0] != 'p' && std::count(key.begin(), key.end(), 'o') <= 1;
    return single && there ? std::make_shared<NamedKernel>("single") : nullptr;
  }
  bool there = true;
};

struct Setting {
  FakeQueue queue;
  FakeMaker maker;
  FakeReady ready;
  cuda::DiskCache disk{"", 0};
  cuda::KernelCache kernels{maker, disk, 2048, &ready};
  cuda::LoopRunner runner{queue, kernels, false};
  std::vector<double> in = std::vector<double>(1000), out = std::vector<double>(1000);

  ~Setting() { maker.open(); }

  std::string run(cuda::LoopRunner& by, const FusedLoop& loop) {
    BoundLoop bound;
    bound.loop = &loop;
    bound.memory.inputs.push_back(reinterpret_cast<std::byte*>(in.data()));
    bound.memory.outputs.push_back(reinterpret_cast<std::byte*>(out.data()));
    by.run({&bound, 1}, 1);
    return queue.take();
  }
  std::string run(const FusedLoop& loop) { return run(runner, loop); }
  // What runs once the compiler is done, which may take a while.
  std::string run_at_last(const FusedLoop& loop) {
    maker.open();
    for (int i = 0; i < 5000 && kernels.counts().compiled + kernels.counts().failed == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (int i = 0; i < 100; ++i) {  // it is still to be loaded
      std::string launched = run(loop);
      if (launched == "whole:map ") return launched;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return run(loop);
  }
};

// sqrt(x) * x + x
FusedLoop three_steps() {
  DType type = DType::kFloat64;
  FusedLoop loop = cuda::loop_of(cuda::operation(facts(Op::kSqrt), type, {0}), 900);
  loop.steps.push_back(cuda::operation(facts(Op::kMultiply), type, {1, 0}));
  loop.steps.push_back(cuda::operation(facts(Op::kAdd), type, {2, 0}));
  loop.outputs[0].value = 3;
  return loop;
}

}  // namespace

constexpr const char* kApart = "single:map single:map single:map ";

TEST_CASE("a new loop runs one instruction at a time until its kernel is compiled") {
  Setting s;
  FusedLoop loop = three_steps();
  CHECK(s.run(loop) == kApart);
  CHECK(s.run(loop) == kApart);
  CHECK(s.queue.memory.blocks == 0);
  CHECK(s.run_at_last(loop) == "whole:map ");
  CHECK(s.maker.begun == 1);
  CHECK(s.runner.unfused_count() >= 2);
  CHECK(s.kernels.counts().waited == 0);
}

TEST_CASE("a stencil in place takes a detour until its kernel is compiled") {
  Setting s;
  constexpr std::int64_t kLines = 40, kColumns = 200, kPitch = 202;
  std::vector<double> array((kLines + 2) * kPitch);
  FusedLoop loop;
  loop.extents = {kLines, kColumns};
  LoopInput input;
  input.dtype = DType::kFloat64;
  input.strides = {kPitch * 8, 8};
  loop.inputs.assign(3, input);
  loop.steps.push_back(cuda::operation(facts(Op::kAdd), DType::kFloat64, {0, 1}));
  loop.steps.push_back(cuda::operation(facts(Op::kAdd), DType::kFloat64, {3, 2}));
  loop.outputs.push_back({4, DType::kFloat64, input.strides});
  auto run = [&] {
    BoundLoop bound;
    bound.loop = &loop;
    auto* first = reinterpret_cast<std::byte*>(array.data() + kPitch + 1);
    for (std::int64_t line : {-1, 0, 1}) bound.memory.inputs.push_back(first + line * kPitch * 8);
    bound.memory.outputs.push_back(first);
    bound.memory.delay = kColumns;
    s.runner.run({&bound, 1}, 1);
    return s.queue.take();
  };
  CHECK(run().find("whole") == std::string::npos);
  s.maker.open();
  std::string launched;
  for (int i = 0; i < 5000 && launched != "whole:save whole:map "; ++i) {
    launched = run();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(launched == "whole:save whole:map ");
  CHECK(s.queue.memory.blocks == 0);
}

TEST_CASE("what is there beforehand is never compiled") {
  Setting s;
  FusedLoop loop = cuda::loop_of(cuda::operation(facts(Op::kSqrt), DType::kFloat64, {0}), 900);
  CHECK(s.run(loop) == "single:map ");
  CHECK(s.run(loop) == "single:map ");
  CHECK(s.maker.begun == 0);
  CHECK(s.kernels.counts().ready == 1);
  CHECK(s.runner.again_count() == 1);
}

TEST_CASE("a loop that does not compile goes on one instruction at a time") {
  Setting s;
  s.maker.fails = true;
  FusedLoop loop = three_steps();
  CHECK(s.run(loop) == kApart);
  CHECK(s.run_at_last(loop) == kApart);
  CHECK(s.maker.begun == 1);
  CHECK(s.kernels.counts().failed == 1);
  s.ready.there = false;
  FusedLoop other = three_steps();
  other.steps[2].op = Op::kSubtract;
  CHECK_THROWS_WITH(s.run(other), "does not compile");
}

TEST_CASE("without kernels or memory to go on with, the compiler is waited for") {
  Setting s;
  s.maker.open();
  FusedLoop loop = three_steps();
  SUBCASE("kernels") { s.ready.there = false; }
  SUBCASE("memory") { s.queue.memory.most = 1000; }
  SUBCASE("conditions that are not usual") { loop.steps[0].watched = 4; }
  CHECK(s.run(loop) == "whole:map ");
  CHECK(s.queue.memory.blocks == 0);
  CHECK(s.runner.unfused_count() == 0);
}

TEST_CASE("programs may ask to wait, and what does not compile still runs") {
  Setting s;
  s.maker.open();
  cuda::LoopRunner waiting(s.queue, s.kernels, true);
  FusedLoop loop = three_steps();
  CHECK(s.run(waiting, loop) == "whole:map ");
  CHECK(s.kernels.counts().waited == 1);
  s.maker.fails = true;
  FusedLoop other = three_steps();
  other.steps[2].op = Op::kSubtract;
  CHECK(s.run(waiting, other) == kApart);
  CHECK(s.run(waiting, other) == kApart);
  CHECK(s.maker.begun == 2);
}

TEST_CASE("rows that one launch would take are computed loop by loop until it is compiled") {
  Setting s;
  constexpr std::int64_t kRows = 64, kRow = 1024;
  std::vector<double> in(kRows * kRow), total(kRows), out(kRows * kRow);
  LoopInput rows, sums;
  rows.dtype = sums.dtype = DType::kFloat64;
  rows.strides = {8 * kRow, 8};
  sums.strides = {8, 0};
  FusedLoop sum, divide;
  sum.extents = divide.extents = {kRows, kRow};
  sum.inputs = {rows};
  LoopFold fold;
  fold.type = DType::kFloat64;
  fold.axes = 2;
  fold.start = Scalar(0.0);
  sum.folds = {fold};
  divide.inputs = {rows, sums};
  divide.steps = {cuda::operation(facts(Op::kDivide), DType::kFloat64, {0, 1})};
  divide.outputs.push_back({2, DType::kFloat64, Dims{8 * kRow, 8}});
  auto run = [&] {
    BoundLoop pass[2];
    auto bytes = [](std::vector<double>& list) {
      return reinterpret_cast<std::byte*>(list.data());
    };
    pass[0].loop = &sum;
    pass[0].memory.inputs.push_back(bytes(in));
    pass[0].memory.outputs.push_back(bytes(total));
    pass[1].loop = &divide;
    pass[1].memory.inputs.push_back(bytes(in));
    pass[1].memory.inputs.push_back(bytes(total));
    pass[1].memory.outputs.push_back(bytes(out));
    s.runner.run(pass, kRows);
    return s.queue.take();
  };
  CHECK(run() == "single:sum_rows single:map single:map ");
  s.maker.open();
  std::string launched;
  for (int i = 0; i < 5000 && launched != "whole:pass "; ++i) {
    launched = run();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(launched == "whole:pass ");
  CHECK(s.maker.begun == 1);
}

namespace {

// Some loops, and operands for them that lie anywhere, but as evenly each time.
struct Again {
  Setting s;
  cuda::LoopRunner waiting{s.queue, s.kernels, true};
  double scalar = 0;
  std::uintptr_t at = std::uintptr_t{1} << 32;

  Again() { s.maker.open(); }

  LoopMemory operands(const FusedLoop& loop, std::uintptr_t beside = 0) {
    LoopMemory memory;
    auto next = [&] { return reinterpret_cast<std::byte*>((at += 1 << 20) + beside); };
    for (const LoopInput& input : loop.inputs) {
      bool read = input.kind == LoopInput::Kind::kScalar;
      memory.inputs.push_back(read ? reinterpret_cast<const std::byte*>(&scalar) : next());
    }
    for (std::size_t i = 0; i < loop.outputs.size() + loop.folds.size(); ++i)
      memory.outputs.push_back(next());
    return memory;
  }
  std::vector<cuda::KernelCall> run(const FusedLoop& loop, const LoopMemory& memory) {
    BoundLoop bound;
    bound.loop = &loop;
    bound.memory = memory;
    s.queue.calls.clear();
    waiting.run({&bound, 1}, 1);
    return s.queue.calls;
  }
  // Whether launches that are kept are those of a loop that never ran, and for other operands too.
  void check(FusedLoop loop) {
    run(loop, operands(loop));
    for (int i = 0; i < 3; ++i) {
      scalar += 1.5;
      LoopMemory memory = operands(loop);
      std::int64_t before = waiting.again_count();
      auto kept = run(loop, memory);
      CHECK(waiting.again_count() == before + 1);
      FusedLoop fresh = loop;
      fresh.preparation = nullptr;
      auto made = run(fresh, memory);
      CHECK(waiting.again_count() == before + 1);
      REQUIRE(kept.size() == made.size());
      for (std::size_t call = 0; call < kept.size(); ++call) {
        CHECK(kept[call].entry == made[call].entry);
        CHECK(std::equal(kept[call].grid, kept[call].grid + 3, made[call].grid));
        CHECK(kept[call].arguments == made[call].arguments);
      }
    }
  }
};

FusedLoop sum_of(const Dims& extents, std::uint64_t axes) {
  FusedLoop loop;
  loop.extents = extents;
  LoopInput input;
  input.dtype = DType::kFloat64;
  std::int64_t stride = 8;
  input.strides = Dims(extents.size());
  for (int axis = extents.size() - 1; axis >= 0; stride *= extents[axis--])
    input.strides[axis] = stride;
  loop.inputs = {input};
  LoopFold fold;
  fold.type = DType::kFloat64;
  fold.axes = axes;
  fold.start = Scalar(0.0);
  loop.folds = {fold};
  return loop;
}

}  // namespace

TEST_CASE("a loop that runs again is launched with the operands of the day") {
  Again again;
  SUBCASE("a map") { again.check(three_steps()); }
  SUBCASE("a scalar") {
    FusedLoop loop = three_steps();
    LoopInput scalar;
    scalar.kind = LoopInput::Kind::kScalar;
    scalar.dtype = DType::kFloat64;
    loop.inputs.push_back(scalar);
    loop.steps = {cuda::operation(facts(Op::kAdd), DType::kFloat64, {0, 1})};
    loop.outputs[0].value = 2;
    again.check(loop);
  }
  SUBCASE("conditions") {
    FusedLoop loop = three_steps();
    loop.steps[0].watched = 8;
    again.check(loop);
  }
  SUBCASE("a sum along rows") { again.check(sum_of({40, 3000}, 2)); }
  SUBCASE("a sum of everything, in parts") { again.check(sum_of({1 << 22}, 1)); }
  SUBCASE("a sum of chunks, in parts and lines") {
    FusedLoop loop = sum_of({1 << 22}, 1);
    loop.folds[0].chunk = 1 << 16;
    again.check(loop);
  }
  SUBCASE("a sum of lines") {
    FusedLoop loop = sum_of({1 << 16}, 1);
    loop.folds[0].chunk = 1 << 12;
    again.check(loop);
  }
  SUBCASE("a sum across rows, in parts") { again.check(sum_of({1 << 14, 30}, 1)); }
  SUBCASE("the largest, in parts") {
    FusedLoop loop = sum_of({1 << 22}, 1);
    loop.folds[0].op = Op::kMaximum;
    loop.folds[0].from_first = true;
    again.check(loop);
  }
  SUBCASE("where the largest is") {
    FusedLoop loop = sum_of({1 << 22}, 1);
    loop.folds[0].op = Op::kMaximum;
    loop.folds[0].kind = LoopFold::Kind::kFind;
    again.check(loop);
  }
  SUBCASE("running sums") {
    FusedLoop loop = sum_of({1 << 22}, 1);
    loop.folds[0].kind = LoopFold::Kind::kScan;
    again.check(loop);
  }
}

TEST_CASE("launches are made anew for operands that lie otherwise, and where the kernel has gone") {
  Again again;
  FusedLoop loop = three_steps();
  again.run(loop, again.operands(loop));
  again.run(loop, again.operands(loop, 8));
  CHECK(again.waiting.again_count() == 0);
  again.run(loop, again.operands(loop, 8));
  CHECK(again.waiting.again_count() == 1);
  LoopMemory delayed = again.operands(loop, 8);
  delayed.delay = 4;
  again.run(loop, delayed);
  CHECK(again.waiting.again_count() == 1);
  cuda::KernelCache small{again.s.maker, again.s.disk, 1, nullptr};
  cuda::LoopRunner other{again.s.queue, small, true};
  auto run = [&](const FusedLoop& each) {
    BoundLoop bound;
    bound.loop = &each;
    bound.memory = again.operands(each);
    other.run({&bound, 1}, 1);
  };
  FusedLoop first = three_steps(), second = sum_of({900}, 1);
  run(first);
  run(first);
  CHECK(other.again_count() == 1);
  run(second);  // in its place
  run(first);
  CHECK(other.again_count() == 1);
}

TEST_CASE(
    "passes that run again are launched with the arrays of the day, if the same ones are one") {
  Again again;
  constexpr std::int64_t kRows = 64, kRow = 1000, kSize = 8 * kRows * kRow;
  FusedLoop sum = sum_of({kRows, kRow}, 2), divide;
  LoopInput rows = sum.inputs[0], sums = rows;
  sums.strides = {8, 0};
  divide.extents = sum.extents;
  divide.inputs = {rows, sums};
  divide.steps = {cuda::operation(facts(Op::kDivide), DType::kFloat64, {0, 1})};
  divide.outputs.push_back({2, DType::kFloat64, rows.strides});
  std::byte* at = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 32);
  auto run = [&](std::int64_t in, std::int64_t total, std::int64_t out) {
    BoundLoop pass[2];
    pass[0].loop = &sum;
    pass[0].memory.inputs.push_back(at + in);
    pass[0].memory.outputs.push_back(at + total);
    pass[1].loop = &divide;
    pass[1].memory.inputs.push_back(at + in);
    pass[1].memory.inputs.push_back(at + total);
    pass[1].memory.outputs.push_back(at + out);
    again.s.queue.calls.clear();
    again.waiting.run(pass, kRows);
    REQUIRE(again.s.queue.calls.size() == 1);
    CHECK(again.s.queue.calls[0].entry == "pass");
    return again.s.queue.calls[0].arguments;
  };
  run(0, 2 * kSize, 3 * kSize);
  CHECK(again.waiting.again_count() == 0);
  auto kept = run(5 * kSize, 3 * kSize, kSize);
  CHECK(again.waiting.again_count() == 1);
  sum.preparation = nullptr;
  CHECK(run(5 * kSize, 3 * kSize, kSize) == kept);
  run(0, 3 * kSize, 0);  // in place
  CHECK(again.waiting.again_count() == 1);
  run(kSize, 4 * kSize, kSize);
  CHECK(again.waiting.again_count() == 2);
  run(kSize, 4 * kSize, 5 * kSize);
  CHECK(again.waiting.again_count() == 2);
  run(kSize + 8, 4 * kSize, 5 * kSize);  // not as even
  CHECK(again.waiting.again_count() == 2);
}

TEST_CASE(
    "maps side by side take one launch, again with the operands of the day if they are the same") {
  Again again;
  FusedLoop a = three_steps(), b = three_steps(), c = three_steps(), other = three_steps();
  b.extents = {70};
  c.extents = {1};
  other.steps[2].op = Op::kSubtract;
  auto run = [&](std::vector<const FusedLoop*> loops) {
    std::vector<BoundLoop> bound;
    for (const FusedLoop* loop : loops) bound.push_back({loop, again.operands(*loop), {}, nullptr});
    again.s.queue.calls.clear();
    again.waiting.run_side_by_side(bound);
    std::string entries;
    for (const cuda::KernelCall& call : again.s.queue.calls) entries += call.entry + " ";
    return entries;
  };
  CHECK(run({&a, &b, &c}) == "maps ");
  CHECK(again.waiting.again_count() == 0);
  std::uintptr_t at = again.at;
  CHECK(run({&a, &b, &c}) == "maps ");
  CHECK(again.waiting.again_count() == 1);
  auto kept = again.s.queue.calls[0];
  for (FusedLoop* loop : {&a, &b, &c}) loop->preparation = nullptr;
  again.at = at;
  CHECK(run({&a, &b, &c}) == "maps ");
  CHECK(again.waiting.again_count() == 1);
  CHECK(again.s.queue.calls[0].arguments == kept.arguments);
  CHECK(again.s.queue.calls[0].grid[0] == kept.grid[0]);
  CHECK(run({&a, &c, &b}) == "maps ");  // in another order
  CHECK(run({&a, &c}) == "maps ");
  CHECK(again.waiting.again_count() == 1);
  CHECK(run({&a, &c}) == "maps ");
  CHECK(again.waiting.again_count() == 2);
  again.run(a, again.operands(a));  // alone
  CHECK(again.waiting.again_count() == 2);
  CHECK(run({&a, &c}) == "maps ");
  CHECK(again.waiting.again_count() == 2);
  CHECK(run({&a, &other}) == "map map ");
}

TEST_CASE("the end of a program finishes what was begun, and not much more") {
  Setting s;
  s.run(three_steps());
  for (Op op : {Op::kSubtract, Op::kMultiply, Op::kDivide}) {
    FusedLoop loop = three_steps();
    loop.steps[2].op = op;
    s.run(loop);
  }
  while (s.maker.begun == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    s.maker.open();
  });
  s.kernels.stop();
  opener.join();
  CHECK(s.kernels.counts().compiled == 1);
  CHECK(s.run(three_steps()) == "whole:map ");
}
