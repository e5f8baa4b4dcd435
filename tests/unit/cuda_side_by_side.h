// Maps side by side: one launch has the bits and the conditions of one map after the other.
#pragma once

#include <cstdio>

#include "tests/unit/cuda_check.h"
#include "tests/unit/cuda_workloads.h"

namespace strider::nd::cuda {

// A running mean that moves, and what is made of it.
inline Workload running_mean(DType dtype, std::int64_t count) {
  Workload work(dtype, {count});
  std::uint16_t x = work.dense(), mean = work.dense(), rate = work.scalar(0.125);
  std::uint16_t by = work.step(Op::kMultiply, {rate, work.step(Op::kSubtract, {x, mean})});
  std::uint16_t next = work.step(Op::kAdd, {mean, by});
  work.write(work.step(Op::kDivide, {x, work.step(Op::kSqrt, {next})}));
  work.write(next);
  return work;
}

// Maps with memory of an executor.
class SideBySide {
 public:
  SideBySide(const std::vector<Workload>& works, const std::vector<Bytes>& values,
             Executor& executor)
      : works_(works), executor_(executor), memory_(works.size()) {
    for (std::size_t i = 0; i < works.size(); ++i) {
      for (int k = 0; k < 2; ++k) {
        memory_[i].inputs.push_back(executor.upload(values[i]));
        memory_[i].outputs.push_back(executor.upload(Bytes(values[i].size())));
      }
      memory_[i].inputs.push_back(reinterpret_cast<const std::byte*>(works[i].constants[0].data()));
      conditions_.push_back(executor.upload(Bytes((works[i].loop.steps.size() + 1) * 4)));
      maps.push_back(
          {&works[i].loop, &memory_[i], reinterpret_cast<std::uint32_t*>(conditions_[i])});
    }
  }

  // All results and conditions, one behind the other.
  Bytes results(const std::vector<Bytes>& values) const {
    Bytes all;
    auto add = [&](const std::byte* from, std::size_t size) {
      Bytes bytes(size);
      executor_.download(from, bytes);
      all.insert(all.end(), bytes.begin(), bytes.end());
    };
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      for (const std::byte* output : memory_[i].outputs) add(output, values[i].size());
      add(conditions_[i], (works_[i].loop.steps.size() + 1) * 4);
    }
    return all;
  }

  std::vector<PassLoop> maps;

 private:
  const std::vector<Workload>& works_;
  Executor& executor_;
  std::vector<LoopMemory> memory_;
  std::vector<std::byte*> conditions_;
};

// How many trials differ.
inline int check_side_by_side(Executor& executor, const DeviceFacts& facts) {
  int bad = 0;
  for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
    std::vector<Workload> works;
    std::vector<Bytes> values;
    std::mt19937_64 random(7);
    for (std::int64_t count : {10, 1280, 129, 1, 5000}) {
      works.push_back(running_mean(dtype, count));
      values.push_back(make_values(dtype, count, random, false));
    }
    SideBySide apart(works, values, executor), together(works, values, executor);
    for (const PassLoop& each : apart.maps) {
      Rendering rendering = render(*each.loop, *each.memory, each.conditions, facts, executor);
      executor.run(kernel_text(*each.loop, *each.memory, rendering.key), rendering);
    }
    std::optional<Rendering> rendering = render_side_by_side(together.maps, facts);
    if (rendering) executor.run(side_by_side_text(together.maps, rendering->key), *rendering);
    if (!rendering || apart.results(values) != together.results(values)) {
      ++bad;
      std::printf("maps of %s side by side: %s\n", std::string(name(dtype)).c_str(),
                  rendering ? "differ" : "are not rendered");
    }
    executor.clear();
  }
  std::printf("%d maps side by side differ\n", bad);
  return bad;
}

}  // namespace strider::nd::cuda
