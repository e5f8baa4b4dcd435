// The executor of elementwise kernels: rows in chunks that fit the first cache.
#include "kernels/elementwise/run.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/core/copy.h"
#include "kernels/core/loop_nest.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kBufferBytes = 8192;
constexpr int kInputs = 3;
constexpr int kOutputs = 2;
constexpr int kMask = 5;  // operands of a nest: outputs, inputs, mask
constexpr int kOperands = 6;
// Elements between two looks at the interrupt flag.
constexpr std::int64_t kInterruptSpan = 1 << 20;

using Nest = LoopNest<kOperands>;
using Pointers = std::byte* const (&)[kOperands];

// Writes `count` copies of the element of this size.
void repeat_element(const std::byte* element, int size, std::byte* target, std::int64_t count) {
  constexpr std::int64_t kCached = 1 << 12;
  const std::int64_t most = std::max<std::int64_t>(1, kCached / size) * size;
  if (target != element) std::memcpy(target, element, static_cast<std::size_t>(size));
  std::int64_t done = size, all = count * size;
  while (done < all) {
    std::int64_t part = std::min({done, all - done, most});
    move_bytes(target + done, target, part);
    done += part;
  }
}

std::int64_t chunk_length(const Loop& loop, int inputs, int outputs) {
  int size = 1;
  for (int i = 0; i < inputs; ++i) size = std::max(size, item_size(loop.inputs[i]));
  for (int i = 0; i < outputs; ++i) size = std::max(size, item_size(loop.outputs[i]));
  return kBufferBytes / std::max(size, 8);
}

// Calls `work` with the size of an element as a constant.
template <class Work>
void with_size(int size, Work work) {
  switch (size) {
    case 1:
      return work(std::integral_constant<std::int64_t, 1>());
    case 2:
      return work(std::integral_constant<std::int64_t, 2>());
    case 4:
      return work(std::integral_constant<std::int64_t, 4>());
    case 8:
      return work(std::integral_constant<std::int64_t, 8>());
    default:
      return work(std::integral_constant<std::int64_t, 16>());
  }
}

// Rows too short to be worth a call are worked on several at a time.
constexpr std::int64_t kShortRow = 64;

// Works on one row at a time; owns the buffers of its thread.
class RowRunner {
 public:
  RowRunner(const ElementwiseRun& run, const Nest& nest)
      : run_(run), chunk_(chunk_length(run.loop, run.inputs, run.outputs)) {
    for (int i = 0; i < run.inputs; ++i) {
      in_steps_[i] = nest.strides[kOutputs + i][0];
      in_sizes_[i] = item_size(run.loop.inputs[i]);
      in_same_[i] = run.in[i].dtype == run.loop.inputs[i];
    }
    for (int i = 0; i < run.outputs; ++i) {
      out_steps_[i] = nest.strides[i][0];
      out_sizes_[i] = item_size(run.loop.outputs[i]);
      out_direct_[i] = run.out[i].dtype == run.loop.outputs[i] && out_steps_[i] == out_sizes_[i];
    }
    mask_step_ = nest.strides[kMask][0];
    runs_apart_ = run.loop.strided && lies_apart();
  }

  // Several short rows as one: `rows` steps of axis 1, each `width` elements of axis 0.
  void run_rows(Pointers at, const Nest& nest, std::int64_t rows) {
    std::int64_t width = nest.extents[0], together = std::max<std::int64_t>(1, chunk_ / width);
    for (std::int64_t row = 0; row < rows; row += together) {
      std::int64_t part = std::min(together, rows - row);
      const std::byte* in[kInputs] = {};
      std::byte* out[kOutputs] = {};
      for (int i = 0; i < run_.inputs; ++i) {
        in[i] = gather_rows(i, at[kOutputs + i], nest, row, part);
      }
      for (int i = 0; i < run_.outputs; ++i) {
        std::int64_t step = nest.strides[i][1];
        bool dense = out_direct_[i] && step == width * out_sizes_[i];
        out[i] = dense ? at[i] + row * step : buffers_[kInputs + i];
      }
      run_.loop.kernel(in, out, part * width);
      for (int i = 0; i < run_.outputs; ++i) scatter_rows(i, at[i], nest, row, part, out[i]);
    }
  }

  void run_row(Pointers at, std::int64_t count) {
    if (run_.masked) return run_masked(at, count);
    if (all_direct(count)) return run_direct(at, count);
    if (runs_apart_) return run_apart(at, count);
    for (std::int64_t begin = 0; begin < count; begin += chunk_) {
      run_chunk(at, begin, std::min(chunk_, count - begin));
    }
  }

 private:
  bool all_direct(std::int64_t count) const {
    for (int i = 0; i < run_.inputs; ++i) {
      if (!in_same_[i] || (in_steps_[i] != in_sizes_[i] && count != 1)) return false;
    }
    for (int i = 0; i < run_.outputs; ++i) {
      bool one = count == 1 && run_.out[i].dtype == run_.loop.outputs[i];
      if (!out_direct_[i] && !one) return false;
    }
    return true;
  }

  // Whether the operands are of the loop's type and the elements of one lie apart; those of the
  // output must not share bytes.
  bool lies_apart() const {
    if (std::abs(out_steps_[0]) < static_cast<std::int64_t>(out_sizes_[0])) return false;
    bool apart = out_steps_[0] != out_sizes_[0];
    for (int i = 0; i < run_.inputs; ++i) {
      if (!in_same_[i]) return false;
      apart |= in_steps_[i] != in_sizes_[i] && in_steps_[i] != 0;
    }
    return apart && run_.out[0].dtype == run_.loop.outputs[0];
  }

  void run_apart(Pointers at, std::int64_t count) {
    for (std::int64_t begin = 0; begin < count; begin += kInterruptSpan) {
      const std::byte* in[kInputs] = {};
      for (int i = 0; i < run_.inputs; ++i) in[i] = at[kOutputs + i] + begin * in_steps_[i];
      run_.loop.strided(in, in_steps_, at[0] + begin * out_steps_[0], out_steps_[0],
                        std::min(kInterruptSpan, count - begin));
      if (begin != 0) check_interrupt();
    }
  }

  void run_direct(Pointers at, std::int64_t count) {
    for (std::int64_t begin = 0; begin < count; begin += kInterruptSpan) {
      const std::byte* in[kInputs] = {};
      std::byte* out[kOutputs] = {};
      for (int i = 0; i < run_.inputs; ++i) in[i] = at[kOutputs + i] + begin * in_sizes_[i];
      for (int i = 0; i < run_.outputs; ++i) out[i] = at[i] + begin * out_sizes_[i];
      run_.loop.kernel(in, out, std::min(kInterruptSpan, count - begin));
      if (begin != 0) check_interrupt();
    }
  }

  // The input's elements [begin, begin + count) of the row, contiguous and of the loop's type.
  const std::byte* gather(int i, const std::byte* row, std::int64_t begin, std::int64_t count) {
    std::int64_t step = in_steps_[i];
    if (in_same_[i] && step == in_sizes_[i]) return row + begin * step;
    std::byte* buffer = buffers_[i];
    if (step == 0) {
      if (repeated_[i] == row && repeated_count_[i] >= count) return buffer;
      alignas(16) std::byte element[16];
      cast_loop(run_.in[i].dtype, run_.loop.inputs[i])(row, 0, element, 0, 1);
      fill(element, i, buffer, count);
      repeated_[i] = row;
      repeated_count_[i] = count;
      return buffer;
    }
    cast_loop(run_.in[i].dtype, run_.loop.inputs[i])(row + begin * step, step, buffer, in_sizes_[i],
                                                     count);
    return buffer;
  }

  // Copies of one element of the loop's type.
  void fill(const std::byte* element, int i, std::byte* target, std::int64_t count) const {
    DType dtype = run_.loop.inputs[i];
    cast_loop(dtype, dtype)(element, 0, target, in_sizes_[i], count);
  }

  const std::byte* gather_rows(int i, const std::byte* base, const Nest& nest, std::int64_t row,
                               std::int64_t rows) {
    std::int64_t width = nest.extents[0], across = nest.strides[kOutputs + i][1];
    std::int64_t step = in_steps_[i], size = in_sizes_[i];
    if (in_same_[i] && step == size && across == width * size) return base + row * across;
    std::byte* buffer = buffers_[i];
    CastLoop cast = cast_loop(run_.in[i].dtype, run_.loop.inputs[i]);
    if (across == 0) {  // one row for all
      if (repeated_[i] == base && repeated_count_[i] >= rows) return buffer;
      cast(base, step, buffer, size, width);
      repeat_element(buffer, static_cast<int>(width * size), buffer, rows);
      repeated_[i] = base;
      repeated_count_[i] = rows;
      return buffer;
    }
    for (std::int64_t k = 0; k < rows; ++k) {
      const std::byte* from = base + (row + k) * across;
      std::byte* to = buffer + k * width * size;
      if (step != 0 || !in_same_[i])
        cast(from, step, to, size, width);
      else
        fill(from, i, to, width);
    }
    return buffer;
  }

  void scatter_rows(int i, std::byte* base, const Nest& nest, std::int64_t row, std::int64_t rows,
                    const std::byte* from) {
    std::int64_t width = nest.extents[0], across = nest.strides[i][1], size = out_sizes_[i];
    if (from == base + row * across) return;
    CastLoop cast = cast_loop(run_.loop.outputs[i], run_.out[i].dtype);
    for (std::int64_t k = 0; k < rows; ++k) {
      cast(from + k * width * size, size, base + (row + k) * across, out_steps_[i], width);
    }
  }

  void run_chunk(Pointers at, std::int64_t begin, std::int64_t count) {
    const std::byte* in[kInputs] = {};
    std::byte* out[kOutputs] = {};
    for (int i = 0; i < run_.inputs; ++i) in[i] = gather(i, at[kOutputs + i], begin, count);
    for (int i = 0; i < run_.outputs; ++i) {
      out[i] = out_direct_[i] ? at[i] + begin * out_sizes_[i] : buffers_[kInputs + i];
    }
    run_.loop.kernel(in, out, count);
    for (int i = 0; i < run_.outputs; ++i) {
      if (out_direct_[i]) continue;
      cast_loop(run_.loop.outputs[i], run_.out[i].dtype)(
          out[i], out_sizes_[i], at[i] + begin * out_steps_[i], out_steps_[i], count);
    }
  }

  // Only elements whose mask is set are read, computed and written.
  void run_masked(Pointers at, std::int64_t count) {
    const std::byte* mask = at[kMask];
    std::int64_t begin = 0;
    while (begin < count) {
      std::int64_t picked = 0, end = std::min(count, begin + chunk_);
      for (std::int64_t i = begin; i < end; ++i) {
        picks_[picked] = i;
        picked += *(mask + i * mask_step_) != std::byte{0};
      }
      if (picked == end - begin)
        run_chunk(at, begin, picked);
      else if (picked)
        run_picks(at, picked);
      begin = end;
    }
  }

  void run_picks(Pointers at, std::int64_t count) {
    const std::byte* in[kInputs] = {};
    std::byte* out[kOutputs] = {};
    for (int i = 0; i < run_.inputs; ++i) {
      gather_picks(i, at[kOutputs + i], count);
      in[i] = buffers_[i];
    }
    for (int i = 0; i < run_.outputs; ++i) out[i] = buffers_[kInputs + i];
    run_.loop.kernel(in, out, count);
    for (int i = 0; i < run_.outputs; ++i) scatter_picks(i, out[i], at[i], count);
  }

  // The input's picked elements, next to each other and of the loop's type.
  void gather_picks(int i, const std::byte* row, std::int64_t count) {
    DType from = run_.in[i].dtype, to = run_.loop.inputs[i];
    std::byte* raw = in_same_[i] ? buffers_[i] : converted_;
    with_size(item_size(from), [&](auto size) {
      for (std::int64_t k = 0; k < count; ++k)
        std::memcpy(raw + k * size, row + picks_[k] * in_steps_[i], std::size_t{size});
    });
    if (!in_same_[i]) cast_loop(from, to)(raw, item_size(from), buffers_[i], in_sizes_[i], count);
  }

  // The opposite for results, in memory that is theirs.
  void scatter_picks(int i, const std::byte* results, std::byte* row, std::int64_t count) {
    DType from = run_.loop.outputs[i], to = run_.out[i].dtype;
    if (from != to) {
      cast_loop(from, to)(results, out_sizes_[i], converted_, item_size(to), count);
      results = converted_;
    }
    with_size(item_size(to), [&](auto size) {
      for (std::int64_t k = 0; k < count; ++k)
        std::memcpy(row + picks_[k] * out_steps_[i], results + k * size, std::size_t{size});
    });
  }

  const ElementwiseRun& run_;
  std::int64_t chunk_;
  std::int64_t in_steps_[kInputs] = {};
  std::int64_t out_steps_[kOutputs] = {};
  std::int64_t mask_step_ = 0;
  int in_sizes_[kInputs] = {};
  int out_sizes_[kOutputs] = {};
  bool in_same_[kInputs] = {};
  bool out_direct_[kOutputs] = {};
  bool runs_apart_ = false;
  const std::byte* repeated_[kInputs] = {};
  std::int64_t repeated_count_[kInputs] = {};
  std::int64_t picks_[kBufferBytes / 8];
  alignas(64) std::byte buffers_[kInputs + kOutputs][kBufferBytes];
  alignas(64) std::byte converted_[2 * kBufferBytes];  // picked elements of an operand's own type
};

void plan(const ElementwiseRun& run, const Dims& shape, Nest& nest,
          std::byte* (&first)[kOperands]) {
  static constexpr std::int64_t kStill[kMaxRank] = {};
  const std::int64_t* steps[kOperands];
  std::fill_n(steps, kOperands, kStill);
  std::fill_n(first, kOperands, nullptr);
  for (int i = 0; i < run.outputs; ++i) {
    steps[i] = run.out[i].strides.data();
    first[i] = run.out[i].data;
  }
  for (int i = 0; i < run.inputs; ++i) {
    steps[kOutputs + i] = run.in[i].strides.data();
    first[kOutputs + i] = run.in[i].data;
  }
  if (run.masked) {
    steps[kMask] = run.mask.strides.data();
    first[kMask] = run.mask.data;
  }
  nest.plan(shape, steps);
}

}  // namespace

namespace {

void run_part(const ElementwiseRun& run, const Nest& nest, Pointers first, int axis,
              std::int64_t begin, std::int64_t end) {
  RowRunner runner(run, nest);
  std::int64_t since = 0;
  auto poll = [&](std::int64_t count) {
    since += count;
    if (since < kInterruptSpan) return;
    since = 0;
    check_interrupt();
  };
  if (run.masked || nest.rank < 2 || nest.extents[0] > kShortRow || axis == 0) {
    nest.visit(first, axis, begin, end, [&](Pointers at, std::int64_t length) {
      runner.run_row(at, length);
      poll(length);
    });
    return;
  }
  Nest outer = nest;
  outer.extents[0] = outer.extents[1] = 1;
  bool cut_rows = axis == 1;
  std::int64_t rows = cut_rows ? end - begin : nest.extents[1];
  std::byte* start[kOperands];
  for (int i = 0; i < kOperands; ++i) {
    start[i] = first[i] + (cut_rows ? begin * nest.strides[i][1] : 0);
  }
  outer.visit(start, cut_rows ? 0 : axis, cut_rows ? 0 : begin, cut_rows ? 1 : end,
              [&](Pointers at, std::int64_t) {
                runner.run_rows(at, nest, rows);
                poll(rows * nest.extents[0]);
              });
}

}  // namespace

void run_elementwise(const ElementwiseRun& run, const Dims& shape) {
  std::int64_t count = element_count(shape);
  if (count == 0) return;
  Nest nest;
  std::byte* first[kOperands];
  plan(run, shape, nest, first);
  int outer = nest.rank - 1;
  if (count < 2 * run.grain) return run_part(run, nest, first, outer, 0, nest.extents[outer]);
  int axis = nest.axis_to_cut(4 * thread_count());
  std::int64_t per_step = count / nest.extents[axis];
  parallel_for(
      nest.extents[axis], std::max<std::int64_t>(1, run.grain / per_step),
      [&](std::int64_t begin, std::int64_t end) { run_part(run, nest, first, axis, begin, end); });
}

void run_contiguous(Kernel kernel, const std::byte* const* inputs, const bool* repeated,
                    const DType* types, int input_count, std::byte* const* outputs,
                    const DType* output_types, int output_count, std::int64_t count,
                    std::int64_t grain) {
  alignas(64) std::byte buffers[kInputs][kBufferBytes];
  int out_sizes[kOutputs] = {};
  int in_sizes[kInputs] = {};
  bool any_repeated = false;
  std::int64_t chunk = kBufferBytes / 16;
  for (int i = 0; i < output_count; ++i) out_sizes[i] = item_size(output_types[i]);
  for (int i = 0; i < input_count; ++i) {
    in_sizes[i] = item_size(types[i]);
    if (!repeated[i]) continue;
    any_repeated = true;
    repeat_element(inputs[i], in_sizes[i], buffers[i], std::min(count, chunk));
  }
  std::int64_t span = any_repeated ? chunk : kInterruptSpan;
  auto part = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin; at < end; at += span) {
      const std::byte* in[kInputs] = {};
      std::byte* out[kOutputs] = {};
      for (int i = 0; i < input_count; ++i) {
        in[i] = repeated[i] ? buffers[i] : inputs[i] + at * in_sizes[i];
      }
      for (int i = 0; i < output_count; ++i) out[i] = outputs[i] + at * out_sizes[i];
      kernel(in, out, std::min(span, end - at));
      if (at % kInterruptSpan == 0 && at != begin) check_interrupt();
    }
  };
  if (count < 2 * grain) return part(0, count);
  parallel_for(count, grain, part);
}

std::int64_t thread_grain(Op op) {
  switch (facts(op).group) {
    case OpGroup::kExponential:
    case OpGroup::kPower:
    case OpGroup::kTrigonometric:
      return worth_a_thread(1 << 12);
    case OpGroup::kDivision:
      return worth_a_thread(1 << 13);
    default:
      return worth_a_thread(1 << 16);
  }
}

}  // namespace strider::nd
