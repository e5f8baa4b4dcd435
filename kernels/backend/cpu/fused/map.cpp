// Fused maps: threads share the points; each computes tiles and writes them where they belong.
#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <mutex>

#include "kernels/backend/backend.h"
#include "kernels/backend/cpu/fused/run.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kInterruptSpan = 1 << 18;

// Writes tiles to outputs of any layout.
class Writer {
 public:
  Writer(const FusedLoop& loop, const JointAxes& axes, const LoopMemory& memory)
      : axes_(axes), outputs_(loop.outputs.size()), targets_(loop.outputs.size()) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      Output& output = outputs_[i];
      output.first = memory.outputs[i];
      output.strides = &axes.outputs[i];
      output.type = loop.outputs[i].dtype;
      output.size = item_size(output.type);
      std::int64_t expected = output.size;
      output.dense = true;
      for (int axis = axes.extents.size() - 1; axis >= 0; --axis) {
        output.dense &= axes.extents[axis] == 1 || (*output.strides)[axis] == expected;
        expected *= axes.extents[axis];
      }
      if (!output.dense) {
        output.buffer.reset(new std::byte[static_cast<std::size_t>(kTile * output.size)]);
      }
    }
  }

  // Where the tile that begins at this point is to be computed.
  std::byte* const* targets(std::int64_t begin) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const Output& output = outputs_[i];
      targets_[i] = output.dense ? output.first + begin * output.size : output.buffer.get();
    }
    return targets_.data();
  }
  // Moves what was computed beside its place.
  void place(const LinearReader& reader, std::int64_t begin, std::int64_t count) {
    for (Output& output : outputs_) {
      if (!output.dense) scatter(output, reader, begin, count);
    }
  }

 private:
  struct Output {
    std::byte* first = nullptr;
    const Dims* strides = nullptr;
    DType type = DType::kBool;
    int size = 0;
    bool dense = false;
    std::unique_ptr<std::byte[]> buffer;
  };

  void scatter(Output& output, const LinearReader& reader, std::int64_t begin, std::int64_t count) {
    std::int64_t width = axes_.row();
    std::int64_t step = (*output.strides)[output.strides->size() - 1];
    CastLoop copy = kernels().casts[static_cast<int>(output.type)][static_cast<int>(output.type)];
    for (std::int64_t done = 0; done < count;) {
      std::int64_t at = begin + done, column = at % width;
      std::int64_t part = std::min(count - done, width - column);
      std::byte* target =
          output.first + reader.row_offset(*output.strides, at / width) + column * step;
      copy(output.buffer.get() + done * output.size, output.size, target, step, part);
      done += part;
    }
  }

  const JointAxes& axes_;
  std::vector<Output> outputs_;
  std::vector<std::byte*> targets_;
};

class CpuBackend : public Backend {
 public:
  StepConditions run(const FusedLoop& loop, const LoopMemory& memory, bool whole) override {
    return loop.folds.empty() ? run_map(loop, memory, whole) : run_fold(loop, memory);
  }
};

}  // namespace

Backend& cpu_backend() {
  static CpuBackend backend;
  return backend;
}

std::vector<std::uint16_t> wanted_values(const FusedLoop& loop) {
  std::vector<std::uint16_t> wanted;
  for (const LoopOutput& output : loop.outputs) wanted.push_back(output.value);
  for (const LoopFold& fold : loop.folds) wanted.push_back(fold.value);
  return wanted;
}

std::int64_t work_per_point(const FusedLoop& loop) {
  std::int64_t work = 1 + static_cast<std::int64_t>(loop.inputs.size()) / 2;
  for (const Step& step : loop.steps) {
    bool elementary =
        step.kind == Step::Kind::kOperation && facts(step.op).group >= OpGroup::kDivision;
    work += elementary ? 16 : 1;
  }
  return work;
}

void add_conditions(const StepConditions& from, StepConditions& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] |= from[i];
}

TileRunner::TileRunner(const FusedLoop& loop, const JointAxes& axes, const TileProgram& program,
                       const LoopMemory& memory, StepConditions* conditions)
    : program_(program),
      reader_(loop, axes, memory.inputs),
      scratch_(new std::byte[program.scratch_bytes() + 64]),
      conditions_(conditions) {
  for (std::uint16_t value : wanted_values(loop)) sizes_.push_back(item_size(loop.type_of(value)));
  targets_.resize(sizes_.size());
}

void TileRunner::compute(std::int64_t begin, std::int64_t count, std::byte* const* outputs) {
  std::byte* scratch = scratch_.get();
  for (std::int64_t done = 0; done < count;) {
    std::int64_t part = reader_.span(begin + done, begin + count);
    for (std::size_t i = 0; i < targets_.size(); ++i) targets_[i] = outputs[i] + done * sizes_[i];
    const std::byte* const* inputs = reader_.read(begin + done, part);
    program_.run(inputs, targets_.data(), part, scratch, conditions_);
    done += part;
  }
}

StepConditions run_map(const FusedLoop& loop, const LoopMemory& memory, bool whole) {
  TileProgram program(loop, wanted_values(loop));
  JointAxes axes(loop);
  StepConditions all(loop.steps.size() + 1);
  std::mutex lock;
  std::int64_t points = loop.point_count(), work = work_per_point(loop);
  std::int64_t grain = std::max(kTile, kThreadWork / work);
  grain = (grain + kTile - 1) / kTile * kTile;
  auto part = [&](std::int64_t begin, std::int64_t end) {
    StepConditions conditions(all.size());
    TileRunner runner(loop, axes, program, memory, program.watched() ? &conditions : nullptr);
    Writer writer(loop, axes, memory);
    clear_floating_errors();
    std::int64_t since = 0;
    while (begin < end) {
      std::int64_t count = runner.reader().span(begin, end);
      runner.compute(begin, count, writer.targets(begin));
      writer.place(runner.reader(), begin, count);
      begin += count;
      since += count;
      if (since < kInterruptSpan) continue;
      since = 0;
      if (!whole) check_interrupt();
    }
    std::lock_guard<std::mutex> guard(lock);
    add_conditions(conditions, all);
  };
  parallel_for(points, points * work < 2 * kThreadWork ? points : grain, part);
  clear_floating_errors();
  return all;
}

}  // namespace strider::nd
