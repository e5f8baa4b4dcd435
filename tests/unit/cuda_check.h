// A loop with operands, run by the reference backend and by whatever runs kernels; and what
// differs.
#pragma once

#include <memory>
#include <sstream>

#include "kernels/backend/cuda/jit/rendering.h"
#include "kernels/backend/reference/reference.h"
#include "tests/unit/cuda_loops.h"
#include "tests/unit/nd_assembler_support.h"

namespace strider::nd::cuda {

// Runs the calls of a rendering. Memory is what it hands out.
class Executor : public Scratch {
 public:
  virtual std::byte* upload(const Bytes& bytes) = 0;
  virtual void download(const std::byte* from, Bytes& bytes) = 0;
  virtual void run(const std::string& text, const Rendering& rendering) = 0;
  virtual void clear() = 0;  // forgets all memory
};

// A loop whose operands are slices of buffers.
struct Trial {
  FusedLoop loop;
  std::vector<Bytes> buffers;         // of inputs, outputs, and the fold's results
  std::vector<std::int64_t> offsets;  // of the first element, in bytes
  bool watched = false;
  bool loose = false;  // whether the fold's order of additions is not the reference's
};

struct Tolerance {
  double ulps = 0;
};

inline std::string describe(const FusedLoop& loop) {
  std::ostringstream text;
  text << "extents";
  for (auto extent : loop.extents) text << " " << extent;
  for (const LoopInput& input : loop.inputs) {
    text << "\n  in " << name(input.dtype) << " kind " << static_cast<int>(input.kind);
    for (auto stride : input.strides) text << " " << stride;
  }
  for (const Step& step : loop.steps) {
    text << "\n  "
         << (step.kind == Step::Kind::kOperation ? facts(step.op).name
             : step.kind == Step::Kind::kSelect  ? "select"
                                                 : "convert");
    for (int k = 0; k < step.count; ++k) text << " " << step.arguments[k];
    text << " -> " << name(step.result);
  }
  for (const LoopOutput& output : loop.outputs) {
    text << "\n  out " << output.value;
    for (auto stride : output.strides) text << " " << stride;
  }
  for (const LoopFold& fold : loop.folds) {
    text << "\n  fold kind " << static_cast<int>(fold.kind) << " " << facts(fold.op).name << " "
         << name(fold.type) << " value " << fold.value << " axes " << fold.axes << " first "
         << fold.from_first << " chunk " << fold.chunk;
  }
  return text.str();
}

// Units in the last place between two elements; 0 for the same bits or two NaN.
inline double distance(DType dtype, const std::byte* a, const std::byte* b) {
  double worst = 0;
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    auto parts = [&](auto part, int count) {
      using P = decltype(part);
      for (int i = 0; i < count; ++i) {
        P x, y;
        std::memcpy(&x, a + i * static_cast<int>(sizeof(P)), sizeof x);
        std::memcpy(&y, b + i * static_cast<int>(sizeof(P)), sizeof y);
        if (std::memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y)) continue;
        double unit = std::nextafter(std::abs(x), std::numeric_limits<P>::infinity()) - std::abs(x);
        double gap = std::abs(static_cast<double>(x) - static_cast<double>(y)) / unit;
        worst = std::max(worst, gap == gap && gap > 0 ? gap : x == y ? 1e8 : 1e9);
      }
    };
    if constexpr (std::is_floating_point_v<T>) {
      parts(T{}, 1);
    } else if constexpr (std::is_same_v<T, std::complex<float>>) {
      parts(float{}, 2);
    } else if constexpr (std::is_same_v<T, std::complex<double>>) {
      parts(double{}, 2);
    } else if constexpr (std::is_same_v<T, Half>) {
      Half x, y;
      std::memcpy(&x, a, 2);
      std::memcpy(&y, b, 2);
      bool nan = std::isnan(static_cast<float>(x)) && std::isnan(static_cast<float>(y));
      if (x.bits != y.bits && !nan) worst = std::abs(int(x.bits) - int(y.bits));
    } else if (std::memcmp(a, b, sizeof(T)) != 0) {
      worst = 1e9;
    }
  });
  return worst;
}

// What differs between the reference and the executor; empty if nothing.
inline std::string check(const Trial& trial, Executor& executor, const DeviceFacts& facts,
                         Tolerance tolerance) {
  const FusedLoop& loop = trial.loop;
  std::size_t inputs = loop.inputs.size(), outputs = loop.outputs.size() + loop.folds.size();
  std::vector<Bytes> expected(trial.buffers.begin() + static_cast<std::ptrdiff_t>(inputs),
                              trial.buffers.end());
  BoundLoop bound;
  bound.loop = &loop;
  LoopMemory memory;
  for (std::size_t i = 0; i < inputs; ++i) {
    const std::byte* host = trial.buffers[i].data() + trial.offsets[i];
    bool scalar = loop.inputs[i].kind == LoopInput::Kind::kScalar;
    bool range = loop.inputs[i].kind == LoopInput::Kind::kRange;
    bound.memory.inputs.push_back(range ? nullptr : host);
    memory.inputs.push_back(range    ? nullptr
                            : scalar ? host
                                     : executor.upload(trial.buffers[i]) + trial.offsets[i]);
  }
  std::vector<std::byte*> results;
  for (std::size_t i = 0; i < outputs; ++i) {
    std::int64_t offset = trial.offsets[inputs + i];
    bound.memory.outputs.push_back(expected[i].data() + offset);
    results.push_back(executor.upload(trial.buffers[inputs + i]));
    memory.outputs.push_back(results.back() + offset);
  }
  Bytes words((loop.steps.size() + 1) * 4);
  std::byte* conditions = executor.upload(words);
  auto* asked = trial.watched ? reinterpret_cast<std::uint32_t*>(conditions) : nullptr;
  Rendering rendering = render(loop, memory, asked, facts, executor);
  executor.run(kernel_text(loop, memory, rendering.key, facts.shape), rendering);
  reference_backend().run({&bound, 1}, 1);
  std::string found;
  std::size_t compared = trial.loose ? loop.outputs.size() : outputs;
  for (std::size_t i = 0; i < compared && found.empty(); ++i) {
    DType dtype = i < loop.outputs.size() ? loop.outputs[i].dtype : loop.folds[0].result();
    Bytes got(expected[i].size());
    executor.download(results[i], got);
    auto size = static_cast<std::size_t>(item_size(dtype));
    std::size_t start = static_cast<std::size_t>(trial.offsets[inputs + i]) % size;
    for (std::size_t at = start; at + size <= got.size(); at += size) {
      double gap = distance(dtype, expected[i].data() + at, got.data() + at);
      if (gap <= tolerance.ulps) continue;
      std::ostringstream text;
      std::uint64_t x = 0, y = 0;
      std::memcpy(&x, expected[i].data() + at, std::min<std::size_t>(size, 8));
      std::memcpy(&y, got.data() + at, std::min<std::size_t>(size, 8));
      text << "output " << i << " byte " << at << " of " << got.size() << " ulps " << gap
           << std::hex << " expected " << x << " got " << y;
      found = text.str();
      break;
    }
  }
  if (trial.watched && found.empty()) {
    executor.download(conditions, words);
    for (std::size_t i = 0; i < loop.steps.size(); ++i) {
      std::uint32_t got = 0;
      std::memcpy(&got, words.data() + 4 * i, 4);
      std::uint32_t wanted = bound.conditions[i] & loop.steps[i].watched;
      if (got == wanted) continue;
      found = "conditions of step " + std::to_string(i) + ": expected " + std::to_string(wanted) +
              " got " + std::to_string(got);
      break;
    }
  }
  executor.clear();
  if (!found.empty()) found += "\nkey " + rendering.key + "\n" + describe(loop);
  return found;
}

}  // namespace strider::nd::cuda
