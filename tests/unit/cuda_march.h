// Stencils in place against the same stencils from a copy, by the reference backend.
#pragma once

#include <cstdio>

#include "tests/unit/cuda_check.h"
#include "tests/unit/cuda_random.h"

namespace strider::nd::cuda {

struct MarchTrial {
  DType dtype;
  std::int64_t lines, columns;
  std::vector<std::pair<int, int>> offsets;  // of the inputs that read what is replaced
  bool ordinary = true;                      // finite values
};

inline std::vector<MarchTrial> march_trials() {
  const std::vector<std::pair<int, int>> cross{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}},
      square{{-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}},
      far{{-2, 0}, {0, 3}, {1, -5}}, before{{-1, 0}}, beside{{0, -1}}, corner{{4, 8}, {0, 0}},
      third{{-3, 0}, {3, 1}};
  return {{DType::kFloat64, 40, 600, cross},  {DType::kFloat64, 33, 257, square},
          {DType::kFloat64, 300, 130, cross}, {DType::kFloat32, 25, 513, far},
          {DType::kFloat64, 41, 256, before}, {DType::kFloat64, 16, 259, beside},
          {DType::kInt16, 47, 300, corner},   {DType::kFloat64, 20, 270, cross, false},
          {DType::kFloat64, 61, 300, corner}, {DType::kFloat64, 50, 270, third}};
}

// The sum of the inputs, of another array and of a number, in place of the elements between.
inline std::string check_march(const MarchTrial& trial, Executor& executor,
                               const DeviceFacts& facts) {
  std::int64_t size = item_size(trial.dtype), above = 1, left = 1;
  for (auto [line, column] : trial.offsets) {
    above = std::max<std::int64_t>(above, std::abs(line));
    left = std::max<std::int64_t>(left, std::abs(column));
  }
  std::int64_t pitch = (trial.columns + 2 * left) * size;
  std::int64_t elements = (trial.lines + 2 * above) * (trial.columns + 2 * left);
  std::int64_t inner = above * pitch + left * size;
  std::mt19937_64 random(17);
  Bytes array = make_values(trial.dtype, elements, random, trial.ordinary);
  Bytes other = make_values(trial.dtype, elements, random, trial.ordinary);
  FusedLoop loop;
  loop.extents = {trial.lines, trial.columns};
  LoopInput input;
  input.dtype = trial.dtype;
  input.strides = {pitch, size};
  loop.inputs.assign(trial.offsets.size() + 1, input);
  std::uint16_t sum = 0;
  for (std::size_t i = 1; i < loop.inputs.size(); ++i) {
    Step step =
        operation(strider::nd::facts(Op::kAdd), trial.dtype, {sum, static_cast<std::uint16_t>(i)});
    if (is_inexact(trial.dtype)) step.watched = kEveryCondition;
    loop.steps.push_back(step);
    sum = static_cast<std::uint16_t>(loop.inputs.size() + loop.steps.size() - 1);
  }
  loop.outputs.push_back({sum, trial.dtype, Dims{pitch, size}});
  auto bind = [&](const std::byte* from, const std::byte* beside, std::byte* to) {
    LoopMemory memory;
    for (auto [line, column] : trial.offsets) {
      memory.inputs.push_back(from + inner + line * pitch + column * size);
    }
    memory.inputs.push_back(beside + inner);
    memory.outputs.push_back(to + inner);
    return memory;
  };
  Bytes expected = array, words((loop.steps.size() + 1) * 4), got(array.size());
  BoundLoop bound;
  bound.loop = &loop;
  bound.memory = bind(array.data(), other.data(), expected.data());
  reference_backend().run({&bound, 1}, 1);
  std::byte *there = executor.upload(array), *beside = executor.upload(other);
  std::byte* conditions = executor.upload(words);
  LoopMemory memory = bind(there, beside, there);
  memory.delay = 1;
  std::string found;
  if (!runs_in_place(loop, memory)) return "does not run in place";
  Rendering rendering =
      render(loop, memory, reinterpret_cast<std::uint32_t*>(conditions), facts, executor);
  executor.run(kernel_text(loop, memory, rendering.key), rendering);
  executor.download(there, got);
  for (std::size_t at = 0; at < got.size(); at += static_cast<std::size_t>(size)) {
    if (distance(trial.dtype, expected.data() + at, got.data() + at) == 0) continue;
    auto element = static_cast<std::int64_t>(at) / size, wide = pitch / size;
    found = "line " + std::to_string(element / wide - above) + " column " +
            std::to_string(element % wide - left);
    break;
  }
  executor.download(conditions, words);
  for (std::size_t i = 0; i < loop.steps.size() && found.empty(); ++i) {
    std::uint32_t told = 0;
    std::memcpy(&told, words.data() + 4 * i, 4);
    if (told != (bound.conditions[i] & loop.steps[i].watched)) {
      found = "conditions of step " + std::to_string(i);
    }
  }
  executor.clear();
  return found.empty() ? found : found + "\nkey " + rendering.key;
}

inline int check_marches(Executor& executor, const DeviceFacts& facts) {
  DeviceFacts small;
  small.processors = 1;
  small.threads_per_processor = 256;
  int bad = 0;
  for (const MarchTrial& trial : march_trials()) {
    for (const DeviceFacts* each : {&facts, static_cast<const DeviceFacts*>(&small)}) {
      std::string found = check_march(trial, executor, *each);
      if (found.empty()) continue;
      ++bad;
      std::printf("%lld by %lld in place: %s\n", static_cast<long long>(trial.lines),
                  static_cast<long long>(trial.columns), found.c_str());
    }
  }
  std::printf("%d stencils in place differ\n", bad);
  return bad;
}

}  // namespace strider::nd::cuda
