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
    return static_cast<std::byte*>(std::aligned_alloc(256, (bytes / 256 + 1) * 256));
  }
  void free(std::byte* address, std::size_t) noexcept override {
    --blocks;
    std::free(address);
  }
  void upload(std::byte*, const std::byte*, std::size_t) override {}
  void download(std::byte*, const std::byte*, std::size_t) override {}
  void copy(std::byte*, const std::byte*, std::size_t) override {}
  void clear(std::byte*, std::size_t) override {}
  void synchronize() override {}

  std::size_t most = 1 << 20;
  int blocks = 0;  // handed out
};

class FakeQueue : public cuda::LaunchQueue {
 public:
  Device& device() override { return memory; }
  const cuda::DeviceFacts& facts() override { return facts_; }
  std::uint32_t* take_words(std::size_t count) override {
    words_.assign(count, 0);
    return words_.data();
  }
  void launch(const void* kernel, const cuda::KernelCall& call) override {
    launched += std::string(static_cast<const char*>(kernel)) + ":" + call.entry + " ";
  }
  std::string take() { return std::exchange(launched, ""); }

  FakeDevice memory;
  std::string launched;

 private:
  cuda::DeviceFacts facts_;
  std::vector<std::uint32_t> words_;
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
  CHECK(s.kernels.counts().hits == 1);
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
  loop.steps[2].op = Op::kSubtract;
  CHECK(s.run(waiting, loop) == kApart);
  CHECK(s.run(waiting, loop) == kApart);
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
