// Loops of one step, or of none, whose operands lie as the step's ready-made kernel takes them: it
// runs straight on them, and nothing is prepared.
#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cstring>

#include "kernels/backend/cpu/fused/run.h"
#include "kernels/core/copy.h"
#include "kernels/core/node.h"

namespace strider::nd {
namespace {

// Points between two looks for an interrupt.
constexpr std::int64_t kSpan = 1 << 18;
// Shorter rows are better gathered.
constexpr std::int64_t kShortRow = 32;

// Runs body over the points by threads and by spans, and notes what conditions it met.
template <class Body>
void run_spans(BoundLoop& bound, std::int64_t points, std::int64_t work, Body&& body) {
  SharedConditions all(*bound.loop);
  bool watched = !bound.loop->steps.empty() && bound.loop->steps[0].watched;
  bool may_stop = bound.memory.delay < 0;
  auto part = [&](std::int64_t begin, std::int64_t end) {
    if (watched) clear_floating_errors();
    for (std::int64_t i = begin; i < end; i += kSpan) {
      if (i > begin && may_stop) check_interrupt();
      body(i, std::min(i + kSpan, end));
    }
    if (!watched) return;
    StepConditions met(bound.loop->steps.size() + 1);
    met[0] = take_floating_errors().flags;
    all.add(met);
  };
  bool alone = points * work < 2 * thread_work();
  parallel_for(points, alone ? points : std::max(kTile, thread_work() / work), part);
  clear_floating_errors();
  bound.conditions = all.take();
}

// One operation on contiguous operands and scalars.
class Operation {
 public:
  explicit Operation(BoundLoop& bound) : bound_(bound), loop_(*bound.loop), step_(loop_.steps[0]) {
    for (const LoopInput& input : loop_.inputs) {
      scalars_ |= input.kind == LoopInput::Kind::kScalar;
    }
  }

  static bool fits(const FusedLoop& loop) {
    const LoopOutput& output = loop.outputs[0];
    if (output.value != loop.inputs.size() || loop.inputs.size() > 3) return false;
    if (!is_dense(loop.extents, output.strides, item_size(output.dtype), false)) return false;
    return std::all_of(loop.inputs.begin(), loop.inputs.end(), [&](const LoopInput& input) {
      bool memory = input.kind == LoopInput::Kind::kMemory;
      return input.kind == LoopInput::Kind::kScalar ||
             (memory && is_dense(loop.extents, input.strides, item_size(input.dtype), false));
    });
  }

  void run() {
    Kernel kernel = kernel_of(step_);
    int size = item_size(loop_.outputs[0].dtype);
    auto body = [&](std::int64_t begin, std::int64_t end) {
      alignas(64) std::byte repeated[3][kTile * 16];
      if (scalars_) repeat(repeated);
      std::int64_t length = scalars_ ? kTile : end - begin;
      for (std::int64_t i = begin; i < end; i += length) {
        const std::byte* inputs[3] = {};
        for (int k = 0; k < step_.count; ++k) inputs[k] = argument(k, i, repeated);
        std::byte* output = bound_.memory.outputs[0] + i * size;
        kernel(inputs, &output, std::min(length, end - i));
      }
    };
    run_spans(bound_, loop_.point_count(), work_per_point(loop_), body);
  }

 private:
  const std::byte* argument(int k, std::int64_t point,
                            const std::byte (&repeated)[3][kTile * 16]) const {
    std::uint16_t number = step_.arguments[k];
    const LoopInput& input = loop_.inputs[number];
    if (input.kind == LoopInput::Kind::kScalar) return repeated[number];
    return bound_.memory.inputs[number] + point * item_size(input.dtype);
  }
  void repeat(std::byte (&repeated)[3][kTile * 16]) const {
    for (std::size_t i = 0; i < loop_.inputs.size(); ++i) {
      if (loop_.inputs[i].kind != LoopInput::Kind::kScalar) continue;
      int type = static_cast<int>(loop_.inputs[i].dtype);
      std::int64_t size = item_size(loop_.inputs[i].dtype);
      std::int64_t count = std::min(kTile, loop_.point_count());
      kernels().casts[type][type](bound_.memory.inputs[i], 0, repeated[i], size, count);
    }
  }

  BoundLoop& bound_;
  const FusedLoop& loop_;
  const Step& step_;
  bool scalars_ = false;
};

// A conversion or a copy of an array of any layout, row by row.
class Copy {
 public:
  explicit Copy(BoundLoop& bound) : bound_(bound), axes_(*bound.loop) {}

  static bool fits(const FusedLoop& loop, const JointAxes& axes) {
    if (loop.inputs.size() != 1 || loop.inputs[0].kind != LoopInput::Kind::kMemory) return false;
    bool one_row = axes.extents.size() == 1;
    bool contiguous = axes.inputs[0].back() == item_size(loop.inputs[0].dtype);
    return one_row || (axes.row() >= kShortRow && contiguous);
  }
  bool fits() const { return fits(*bound_.loop, axes_); }

  void run() {
    int from_type = static_cast<int>(bound_.loop->inputs[0].dtype);
    int to_type = static_cast<int>(bound_.loop->outputs[0].dtype);
    CastLoop cast = kernels().casts[from_type][to_type];
    const Dims &from = axes_.inputs[0], &to = axes_.outputs[0];
    std::int64_t row = axes_.row();
    auto body = [&](std::int64_t begin, std::int64_t end) {
      while (begin < end) {
        std::int64_t column = begin % row, count = std::min(row - column, end - begin);
        std::int64_t source = axes_.row_offset(from, begin / row) + column * from.back();
        std::int64_t target = axes_.row_offset(to, begin / row) + column * to.back();
        cast(bound_.memory.inputs[0] + source, from.back(), bound_.memory.outputs[0] + target,
             to.back(), count);
        begin += count;
      }
    };
    run_spans(bound_, bound_.loop->point_count(), 2, body);
  }

 private:
  BoundLoop& bound_;
  JointAxes axes_;
};

// Elements of one type in another order, which is best done square by square.
bool is_rearrangement(const FusedLoop& loop) {
  return loop.steps.empty() && loop.inputs.size() == 1 &&
         loop.inputs[0].kind == LoopInput::Kind::kMemory && loop.extents.size() > 1 &&
         loop.inputs[0].dtype == loop.outputs[0].dtype;
}

void rearrange(BoundLoop& bound) {
  const FusedLoop& loop = *bound.loop;
  copy_elements(bound.memory.outputs[0], loop.outputs[0].strides, loop.outputs[0].dtype,
                bound.memory.inputs[0], loop.inputs[0].strides, loop.inputs[0].dtype, loop.extents);
  bound.conditions = StepConditions(1);
}

bool is_copy(const FusedLoop& loop) {
  return loop.steps.empty() || loop.steps[0].kind == Step::Kind::kConvert;
}

// Whether a loop is one step, and small enough for its results to stay in the cache.
bool is_simple(const FusedLoop& loop) {
  return loop.folds.empty() && loop.outputs.size() == 1 && loop.steps.size() < 2 &&
         !renderer_is_forced() && choose_stores(loop) == Stores::kUsual;
}

}  // namespace

bool is_single(const FusedLoop& loop) {
  if (!is_simple(loop)) return false;
  if (!is_copy(loop)) return Operation::fits(loop);
  return Copy::fits(loop, JointAxes(loop)) || is_rearrangement(loop);
}

bool run_single(BoundLoop& bound) {
  const FusedLoop& loop = *bound.loop;
  if (bound.memory.delay > 0 || !is_simple(loop)) return false;
  if (is_copy(loop)) {
    Copy copy(bound);
    bool apart = bound.memory.delay < 0;
    if (copy.fits())
      copy.run();
    else if (apart && is_rearrangement(loop))
      rearrange(bound);
    else
      return false;
    return true;
  }
  if (!Operation::fits(loop)) return false;
  Operation(bound).run();
  return true;
}

}  // namespace strider::nd
