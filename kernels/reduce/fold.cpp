// The executor of folds: picks rows, buffers and threads so that the order of additions is fixed by
// shape and layout alone.
#include "kernels/reduce/fold.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "kernels/core/copy.h"
#include "kernels/core/loop_nest.h"

namespace strider::nd {
namespace {

// Elements that a buffered sum takes at once, as NumPy's iterator does.
constexpr std::int64_t kBuffer = 8192;
constexpr std::int64_t kGrain = 1 << 16;

using Nest = LoopNest<3>;  // array, accumulator, mask
using Pointers = std::byte* const (&)[3];

struct Folding {
  Op op;
  DType from;  // the array's type
  DType type;  // the fold's type
  FoldKernel fold;
  Kernel combine;
  bool ordered;  // an inexact sum: the order of additions shows
  bool masked;
};

// Folds `count` elements through the elementwise kernel, for operations without a fold.
void fold_by_elements(const Folding& folding, const std::byte* input, std::int64_t step,
                      std::int64_t count, std::byte* accumulator) {
  std::byte* outputs[1] = {accumulator};
  for (std::int64_t i = 0; i < count; ++i) {
    const std::byte* inputs[2] = {accumulator, input + i * step};
    folding.combine(inputs, outputs, 1);
  }
}

class FoldRunner {
 public:
  FoldRunner(const Folding& folding, const Nest& nest)
      : folding_(folding), nest_(nest), size_(item_size(folding.type)) {}

  void run_row(Pointers at, std::int64_t count) {
    if (folding_.masked) return run_masked(at, count);
    run_span(at[0], at[1], count);
  }

  // Folds elements of several reduced axes gathered into one buffer, with their mask.
  void run_gathered(Pointers at, int axes, std::int64_t last_extent) {
    std::byte* target = buffer(0);
    CastLoop load = cast_loop(folding_.from, folding_.type);
    std::int64_t gathered = gather(0, load, size_, at[0], axes - 1, last_extent, target);
    if (!folding_.masked) return fold(target, size_, gathered, at[1]);
    std::byte* mask = buffer(1);
    gather(2, cast_loop(DType::kBool, DType::kBool), 1, at[2], axes - 1, last_extent, mask);
    each_run(mask, 1, gathered, [&](std::int64_t begin, std::int64_t end) {
      fold(target + begin * size_, size_, end - begin, at[1]);
    });
  }

 private:
  bool counts_truths(std::int64_t step) const {
    return folding_.op == Op::kAdd && folding_.from == DType::kBool && step == 1 &&
           folding_.type == DType::kInt64;
  }

  void fold(const std::byte* input, std::int64_t step, std::int64_t count, std::byte* accumulator) {
    if (folding_.fold)
      folding_.fold(input, step, count, accumulator);
    else
      fold_by_elements(folding_, input, step, count, accumulator);
  }

  // Lays an operand's elements side by side; answers how many.
  std::int64_t gather(int operand, CastLoop load, int size, const std::byte* from, int axis,
                      std::int64_t extent, std::byte* target) {
    std::int64_t step = nest_.strides[operand][axis];
    if (axis == 0) {
      load(from, step, target, size, extent);
      return extent;
    }
    std::int64_t done = 0;
    for (std::int64_t i = 0; i < extent; ++i) {
      done += gather(operand, load, size, from + i * step, axis - 1, nest_.extents[axis - 1],
                     target + done * size);
    }
    return done;
  }

  // Calls act(begin, end) for runs of elements whose mask is set.
  static void each_run(const std::byte* mask, std::int64_t step, std::int64_t count, auto&& act) {
    std::int64_t begin = 0;
    while (begin < count) {
      while (begin < count && mask[begin * step] == std::byte{0}) ++begin;
      std::int64_t end = begin;
      while (end < count && mask[end * step] != std::byte{0}) ++end;
      if (end > begin) act(begin, end);
      begin = end;
    }
  }

  void run_masked(Pointers at, std::int64_t count) {
    each_run(at[2], nest_.strides[2][0], count, [&](std::int64_t begin, std::int64_t end) {
      run_span(at[0] + begin * nest_.strides[0][0], at[1] + begin * nest_.strides[1][0],
               end - begin);
    });
  }

  void run_span(const std::byte* input, std::byte* accumulator, std::int64_t count) {
    std::int64_t step = nest_.strides[0][0];
    if (nest_.strides[1][0] != 0 || count == 1) return combine_span(input, accumulator, count);
    if (folding_.from == folding_.type) return fold(input, step, count, accumulator);
    if (counts_truths(step)) {
      *reinterpret_cast<std::int64_t*>(accumulator) += kernels().count_true(input, count);
      return;
    }
    CastLoop cast = cast_loop(folding_.from, folding_.type);
    std::int64_t chunk = folding_.ordered ? kBuffer : kBuffer / 8;
    for (std::int64_t i = 0; i < count; i += chunk) {
      std::int64_t part = std::min(chunk, count - i);
      cast(input + i * step, step, buffer(0), size_, part);
      fold(buffer(0), size_, part, accumulator);
    }
  }

  // Neighbouring accumulators, each combined with one element.
  void combine_span(const std::byte* input, std::byte* accumulator, std::int64_t count) {
    std::int64_t step = nest_.strides[0][0], out_step = nest_.strides[1][0];
    bool direct_input = folding_.from == folding_.type && (step == size_ || count == 1);
    bool direct_output = out_step == size_ || count == 1;
    if (direct_input && direct_output) return combine(accumulator, input, accumulator, count);
    CastLoop load = cast_loop(folding_.from, folding_.type);
    CastLoop copy = cast_loop(folding_.type, folding_.type);
    constexpr std::int64_t kChunk = 512;
    for (std::int64_t i = 0; i < count; i += kChunk) {
      std::int64_t part = std::min(kChunk, count - i);
      load(input + i * step, step, buffer(0), size_, part);
      std::byte* target = accumulator + i * out_step;
      if (direct_output) {
        combine(target, buffer(0), target, part);
        continue;
      }
      copy(target, out_step, buffer(1), size_, part);
      combine(buffer(1), buffer(0), buffer(1), part);
      copy(buffer(1), size_, target, out_step, part);
    }
  }

  void combine(const std::byte* a, const std::byte* b, std::byte* out, std::int64_t count) {
    const std::byte* inputs[2] = {a, b};
    std::byte* outputs[1] = {out};
    folding_.combine(inputs, outputs, count);
  }

  std::byte* buffer(int index) {
    std::unique_ptr<std::byte[]>& bytes = buffers_[index];
    if (!bytes) bytes.reset(new std::byte[static_cast<std::size_t>(kBuffer * size_)]);
    return bytes.get();
  }

  const Folding& folding_;
  const Nest& nest_;
  int size_;
  std::unique_ptr<std::byte[]> buffers_[2];
};

// A sum over several axes that cannot be merged takes as many whole inner axes at once as the
// buffer holds, and of the next axis as many steps as still fit.
struct GatherPlan {
  int axes = 0;  // gathered at once; 0: rows are folded as they are
  std::int64_t steps = 0;
};

GatherPlan plan_gather(const Folding& folding, const Nest& nest) {
  int reduced = 0;
  while (reduced < nest.rank && nest.strides[1][reduced] == 0) ++reduced;
  GatherPlan plan;
  if (!folding.ordered || reduced < 2 || nest.extents[0] > kBuffer) return plan;
  std::int64_t core = nest.extents[0];
  int axis = 1;
  while (axis < reduced && core * nest.extents[axis] <= kBuffer) core *= nest.extents[axis++];
  plan.axes = axis;
  plan.steps = nest.extents[axis - 1];
  if (axis < reduced && kBuffer / core > 1) {
    plan.axes = axis + 1;
    plan.steps = kBuffer / core;
  }
  return plan;
}

void run_part(const Folding& folding, const Nest& nest, const GatherPlan& plan, Pointers first,
              int axis, std::int64_t begin, std::int64_t end) {
  FoldRunner runner(folding, nest);
  std::int64_t since = 0;
  auto poll = [&](std::int64_t count) {
    since += count;
    if (since < (1 << 20)) return;
    since = 0;
    check_interrupt();
  };
  if (plan.axes == 0) {
    nest.visit(first, axis, begin, end, [&](Pointers at, std::int64_t count) {
      runner.run_row(at, count);
      poll(count);
    });
    return;
  }
  Nest outer = nest;
  int last = plan.axes - 1;
  for (int a = 0; a <= last; ++a) outer.extents[a] = 1;
  bool cut_outside = axis > last;
  std::int64_t from = cut_outside ? begin : 0, to = cut_outside ? end : 1;
  outer.visit(first, cut_outside ? axis : 0, from, to, [&](Pointers at, std::int64_t) {
    for (std::int64_t i = 0; i < nest.extents[last]; i += plan.steps) {
      std::byte* start[3] = {at[0] + i * nest.strides[0][last], at[1],
                             folding.masked ? at[2] + i * nest.strides[2][last] : nullptr};
      runner.run_gathered(start, plan.axes, std::min(plan.steps, nest.extents[last] - i));
      poll(kBuffer);
    }
  });
}

// An axis that is not reduced and long enough to share; -1 if there is none.
int axis_to_share(const Nest& nest) {
  int best = -1;
  for (int axis = nest.rank - 1; axis >= 0; --axis) {
    if (nest.strides[1][axis] == 0) continue;
    if (nest.extents[axis] >= 2 * thread_count()) return axis;
    if (best < 0 || nest.extents[axis] > nest.extents[best]) best = axis;
  }
  return best;
}

// One long contiguous axis: the upper part of the tree of pairs is cut between threads.
class ParallelSum {
 public:
  ParallelSum(const Folding& folding, const std::byte* input, std::int64_t count)
      : folding_(folding),
        input_(input),
        size_(item_size(folding.type)),
        parts_(is_complex(folding.type) ? 2 : 1) {
    split(0, count * parts_);
  }
  void run(std::byte* accumulator) {
    results_.resize(leaves_.size());
    parallel_for(static_cast<std::int64_t>(leaves_.size()), 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i)
                     fold_leaf(static_cast<std::size_t>(i));
                   check_interrupt();
                 });
    next_ = 0;
    Value total = combine(leaves_.back().end);
    add(accumulator, total.bytes, accumulator);
  }

 private:
  static constexpr std::int64_t kLeaf = 1 << 15;
  struct Leaf {
    std::int64_t begin, end;
  };
  struct Value {
    alignas(16) std::byte bytes[16];
  };

  static std::int64_t first_half(std::int64_t count) {
    std::int64_t half = count / 2;
    return half - half % 8;
  }
  void split(std::int64_t begin, std::int64_t count) {
    if (count <= kLeaf) {
      leaves_.push_back({begin, begin + count});
      return;
    }
    std::int64_t half = first_half(count);
    split(begin, half);
    split(begin + half, count - half);
  }
  void fold_leaf(std::size_t i) {
    Scalar start = Scalar(std::complex<double>(-0.0, -0.0)).as(folding_.type);
    std::memcpy(results_[i].bytes, start.data(), 16);
    std::int64_t begin = leaves_[i].begin / parts_, end = leaves_[i].end / parts_;
    folding_.fold(input_ + begin * size_, size_, end - begin, results_[i].bytes);
  }
  void add(const std::byte* a, const std::byte* b, std::byte* out) {
    const std::byte* inputs[2] = {a, b};
    std::byte* outputs[1] = {out};
    folding_.combine(inputs, outputs, 1);
  }
  Value combine(std::int64_t count) {
    if (count <= kLeaf) return results_[next_++];
    std::int64_t half = first_half(count);
    Value low = combine(half);
    Value high = combine(count - half);
    add(low.bytes, high.bytes, low.bytes);
    return low;
  }

  const Folding& folding_;
  const std::byte* input_;
  int size_;
  std::int64_t parts_;
  std::vector<Leaf> leaves_;
  std::vector<Value> results_;
  std::size_t next_ = 0;
};

// Folds that give the same whatever the order: each thread its own, then all together.
void fold_pieces(const Folding& folding, const Nest& nest, Pointers first, std::int64_t count) {
  constexpr std::int64_t kPiece = 1 << 17;
  std::int64_t pieces = (count + kPiece - 1) / kPiece;
  struct Value {
    alignas(16) std::byte bytes[16];
  };
  std::vector<Value> results(static_cast<std::size_t>(pieces));
  int size = item_size(folding.type);
  CastLoop load = cast_loop(folding.from, folding.type);
  parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    FoldRunner runner(folding, nest);
    for (std::int64_t i = begin; i < end; ++i) {
      std::byte* value = results[static_cast<std::size_t>(i)].bytes;
      std::byte* input = first[0] + i * kPiece * nest.strides[0][0];
      load(input, 0, value, 0, 1);
      std::byte* at[3] = {input + nest.strides[0][0], value, first[2]};
      std::int64_t length = std::min(kPiece, count - i * kPiece) - 1;
      if (length > 0) runner.run_row(at, length);
      check_interrupt();
    }
  });
  for (Value& value : results) folding.fold(value.bytes, size, 1, first[1]);
}

// Whether an extreme or a truth does not mind where it starts and in which order it goes.
bool is_order_free(const Folding& folding) {
  if (!folding.fold || folding.masked || folding.ordered) return false;
  return folding.op != Op::kMultiply || !is_inexact(folding.type);
}

void run_fold(const Folding& folding, const Nest& nest, std::byte* const (&first)[3]) {
  GatherPlan plan = plan_gather(folding, nest);
  std::int64_t count = nest.count();
  const std::int64_t work = worth_a_thread(kGrain);
  if (count >= 2 * work && thread_count() > 1) {
    int axis = axis_to_share(nest);
    if (axis >= 0 && nest.extents[axis] > 1) {
      std::int64_t grain = std::max<std::int64_t>(1, work / (count / nest.extents[axis]));
      if (nest.strides[1][axis] == item_size(folding.type))
        grain = std::max<std::int64_t>(grain, 512);
      parallel_for(nest.extents[axis], grain, [&](std::int64_t begin, std::int64_t end) {
        run_part(folding, nest, plan, first, axis, begin, end);
      });
      return;
    }
    bool single = nest.rank == 1 && axis < 0;
    bool dense = folding.from == folding.type && nest.strides[0][0] == item_size(folding.type);
    if (single && dense && folding.ordered && !folding.masked && folding.type != DType::kFloat16) {
      return ParallelSum(folding, first[0], count).run(first[1]);
    }
    if (single && is_order_free(folding)) return fold_pieces(folding, nest, first, count);
  }
  int outer = nest.rank - 1;
  run_part(folding, nest, plan, first, outer, 0, nest.extents[outer]);
}

}  // namespace

void fold_into(Op op, const Array& array, std::uint64_t reduced, const Array& accumulator,
               const Array* where, bool by_lanes) {
  if (array.size() == 0) return;
  const Dims& shape = array.shape();
  DType type = accumulator.dtype();
  Folding folding{op,
                  array.dtype(),
                  type,
                  kernels().folds[static_cast<int>(op)][static_cast<int>(type)],
                  find_kernel(op, type),
                  op == Op::kAdd && is_inexact(type),
                  where != nullptr};
  Dims strides = array.strides();
  Dims out_strides = accumulator.strides();
  Dims mask_strides(shape.size());
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (reduced >> axis & 1) out_strides[axis] = 0;
  }
  std::byte* first[3] = {const_cast<std::byte*>(array.data()), accumulator.mutable_data(), nullptr};
  Array mask;
  if (where) {
    mask = where->broadcast_to(shape);
    mask_strides = mask.strides();
    first[2] = const_cast<std::byte*>(mask.data());
  }
  Nest nest;
  constexpr unsigned kInputVotes = 0b101;  // the array and its mask
  nest.plan_unanimously(shape, {strides.data(), out_strides.data(), mask_strides.data()},
                        kInputVotes);
  if (by_lanes) nest.bring_inside(1);
  run_fold(folding, nest, first);
}

}  // namespace strider::nd
