// Passes over rows: one launch has the bits and the conditions of loop after loop.
#pragma once

#include <cstdio>

#include "tests/unit/cuda_check.h"
#include "tests/unit/cuda_workloads.h"

namespace strider::nd::cuda {

// The loops of a pass, with memory: each reads what its `sources` say, -1 for the array itself, or
// the number of a result; results are counted over all loops. The last result lies where the one
// numbered `replaced` does, unless that is -1.
struct PassTrial {
  std::vector<Workload> loops;
  std::vector<std::vector<int>> sources;
  std::int64_t rows, width;
  int replaced = -1;
};

inline PassTrial softmax_trial(DType dtype, std::int64_t rows, std::int64_t width) {
  return {softmax(dtype, rows, width), {{-1}, {-1, 0}, {1, 2}}, rows, width};
}
inline PassTrial softmax_in_place_trial(DType dtype, std::int64_t rows, std::int64_t width) {
  PassTrial trial = softmax_trial(dtype, rows, width);
  trial.replaced = 1;
  return trial;
}
inline PassTrial norm_trial(DType dtype, std::int64_t rows, std::int64_t width) {
  return {layer_norm(dtype, rows, width), {{-1}, {0}, {-1, 1}, {2}, {-1, 1, 3}}, rows, width};
}

// Memory of a trial, handed out by an executor.
struct PassMemory {
  std::vector<LoopMemory> memory;
  std::vector<std::byte*> results;
  std::vector<std::byte*> conditions;
  std::vector<PassLoop> loops;
  std::size_t bytes;

  PassMemory(const PassTrial& trial, Executor& executor, const Bytes& values)
      : bytes(values.size()) {
    std::byte* array = executor.upload(values);
    for (std::size_t i = 0; i < trial.loops.size(); ++i) {
      const Workload& work = trial.loops[i];
      LoopMemory& each = memory.emplace_back();
      std::size_t source = 0, constant = 0;
      for (const LoopInput& input : work.loop.inputs) {
        if (input.kind == LoopInput::Kind::kScalar) {
          each.inputs.push_back(
              reinterpret_cast<const std::byte*>(work.constants[constant++].data()));
        } else {
          int from = trial.sources[i][source++];
          each.inputs.push_back(from < 0 ? array : results[static_cast<std::size_t>(from)]);
        }
      }
      for (std::size_t k = 0; k < work.loop.outputs.size() + work.loop.folds.size(); ++k) {
        bool replaces = trial.replaced >= 0 && i + 1 == trial.loops.size();
        results.push_back(replaces ? results[static_cast<std::size_t>(trial.replaced)]
                                   : executor.upload(Bytes(values.size())));
        each.outputs.push_back(results.back());
      }
      conditions.push_back(executor.upload(Bytes((work.loop.steps.size() + 1) * 4)));
    }
    for (std::size_t i = 0; i < trial.loops.size(); ++i) {
      loops.push_back(
          {&trial.loops[i].loop, &memory[i], reinterpret_cast<std::uint32_t*>(conditions[i])});
    }
  }

  // Whether results (but for NaN's bits) and conditions are the same.
  bool agrees(const PassMemory& other, const PassTrial& trial, DType dtype, Executor& executor) {
    auto same = [&](const std::byte* one, const std::byte* two, std::size_t count, DType type) {
      auto size = static_cast<std::size_t>(item_size(type));
      Bytes a(count * size), b(count * size);
      executor.download(one, a);
      executor.download(two, b);
      for (std::size_t at = 0; at < a.size(); at += size) {
        if (distance(type, a.data() + at, b.data() + at) != 0) return false;
      }
      return true;
    };
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::size_t count = bytes / static_cast<std::size_t>(item_size(dtype));
      if (!same(results[i], other.results[i], count, dtype)) return false;
    }
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      std::size_t count = trial.loops[i].loop.steps.size() + 1;
      if (!same(conditions[i], other.conditions[i], count, DType::kUInt32)) return false;
    }
    return true;
  }
};

// How many trials differ.
inline int check_passes(Executor& executor, const DeviceFacts& facts,
                        const std::vector<DType>& dtypes, const std::vector<std::int64_t>& widths) {
  int bad = 0;
  for (DType dtype : dtypes) {
    for (std::int64_t width : widths) {
      for (auto make : {softmax_trial, softmax_in_place_trial, norm_trial}) {
        PassTrial trial = make(dtype, 67, width);
        std::mt19937_64 random(static_cast<std::uint64_t>(width));
        Bytes values = make_values(dtype, trial.rows * width, random, false);
        PassMemory apart(trial, executor, values), together(trial, executor, values);
        for (const PassLoop& each : apart.loops) {
          Rendering rendering = render(*each.loop, *each.memory, each.conditions, facts, executor);
          executor.run(kernel_text(*each.loop, *each.memory, rendering.key), rendering);
        }
        std::optional<Rendering> rendering = render_pass(together.loops, trial.rows, facts);
        if (rendering) executor.run(pass_text(together.loops, trial.rows, facts), *rendering);
        bool same = rendering && apart.agrees(together, trial, dtype, executor);
        if (!same) {
          ++bad;
          std::printf("pass of %s, %d wide, %s: %s\n", std::string(name(dtype)).c_str(),
                      static_cast<int>(width), make == norm_trial ? "layer norm" : "softmax",
                      rendering ? "differs" : "is not rendered");
        }
        executor.clear();
      }
    }
  }
  std::printf("%d passes differ\n", bad);
  return bad;
}

}  // namespace strider::nd::cuda
