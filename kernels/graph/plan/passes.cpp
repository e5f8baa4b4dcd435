// Rows agree where loops have their outermost axes in common and step through everything that one
// of them writes alike along these.
#include "kernels/graph/plan/passes.h"

#include <algorithm>
#include <cstdlib>

namespace strider::nd {
namespace {

// How a loop walks over a storage.
struct Walk {
  const Dims& extents;
  Dims strides;
  std::int64_t offset = 0;
  int item = 1;

  // The bytes that one row touches, from the row's first.
  std::pair<std::int64_t, std::int64_t> row_bytes(int axes) const {
    std::int64_t low = offset, high = offset + item;
    for (int axis = axes; axis < extents.size(); ++axis) {
      std::int64_t reach = strides[axis] * (extents[axis] - 1);
      (reach < 0 ? low : high) += reach;
    }
    return {low, high};
  }
};

// Whether a row of either touches no byte of the other's other rows.
bool rows_agree(const Walk& a, const Walk& b, int axes) {
  auto [low, high] = a.row_bytes(axes);
  auto [other_low, other_high] = b.row_bytes(axes);
  std::int64_t span = std::max(high, other_high) - std::min(low, other_low);
  for (int axis = axes - 1; axis >= 0; --axis) {
    std::int64_t extent = a.extents[axis];
    if (extent == 1) continue;
    if (a.strides[axis] != b.strides[axis] || std::abs(a.strides[axis]) < span) return false;
    span += std::abs(a.strides[axis]) * (extent - 1);
  }
  return true;
}

// The steps of a fold's results along the loop's axes.
Dims fold_strides(const FusedLoop& loop) {
  const LoopFold& fold = loop.folds[0];
  Dims strides(loop.extents.size());
  std::int64_t size = item_size(fold.result());
  for (int axis = loop.extents.size() - 1; axis >= 0; --axis) {
    bool folded = fold.kind != LoopFold::Kind::kScan && (fold.axes >> axis & 1);
    if (folded) continue;
    strides[axis] = size;
    size *= loop.extents[axis];
  }
  return strides;
}

// Whether the reader's rows need only the same rows of what the writer writes.
bool reads_rows(const PlannedLoop& writer, const PlannedLoop& reader, int axes) {
  auto agrees = [&](const PlannedOutput& written, const Dims& strides, DType dtype) {
    Walk write{writer.loop.extents, strides, written.offset, item_size(dtype)};
    for (std::size_t i = 0; i < reader.inputs.size(); ++i) {
      if (reader.inputs[i].storage != written.promise->storage) continue;
      const LoopInput& input = reader.loop.inputs[i];
      Walk read{reader.loop.extents, input.strides, reader.inputs[i].offset,
                item_size(input.dtype)};
      if (!rows_agree(write, read, axes)) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < writer.outputs.size(); ++i) {
    const LoopOutput& output = writer.loop.outputs[i];
    if (!agrees(writer.outputs[i], output.strides, output.dtype)) return false;
  }
  if (!writer.folded) return true;
  return agrees({writer.folded}, fold_strides(writer.loop), writer.loop.folds[0].result());
}

// The outermost axes that two loops have in common.
int common_axes(const FusedLoop& a, const FusedLoop& b) {
  int axes = 0, most = std::min(a.extents.size(), b.extents.size());
  while (axes < most && a.extents[axes] == b.extents[axes]) ++axes;
  return axes;
}

// The outermost axes that no fold combines along.
int kept_axes(const FusedLoop& loop) {
  int axes = loop.extents.size();
  for (const LoopFold& fold : loop.folds) {
    for (int axis = axes - 1; axis >= 0; --axis) {
      if (fold.axes >> axis & 1) axes = axis;
    }
  }
  return axes;
}

std::int64_t count_rows(const FusedLoop& loop, int axes) {
  std::int64_t rows = 1;
  for (int axis = 0; axis < axes; ++axis) rows *= loop.extents[axis];
  return rows;
}

}  // namespace

bool Pass::join(PlannedLoop& loop) {
  if (loop.is_product || (!loops.empty() && loops[0].is_product)) return join_product(loop);
  int axes = kept_axes(loop.loop);
  if (!loops.empty()) axes = std::min({axes, axes_, common_axes(loops[0].loop, loop.loop)});
  auto agree = [&] {
    return std::all_of(loops.begin(), loops.end(),
                       [&](const PlannedLoop& earlier) { return reads_rows(earlier, loop, axes); });
  };
  while (axes > 0 && !agree()) --axes;
  std::int64_t shared = count_rows(loop.loop, axes);
  if (!loops.empty() && shared < 2) return false;
  axes_ = axes;
  rows = shared;
  loops.push_back(std::move(loop));
  return true;
}

// Products have passes of their own.
bool Pass::join_product(PlannedLoop& loop) {
  if (!loops.empty()) return false;
  loops.push_back(std::move(loop));
  return true;
}

bool Pass::reads_own_rows(std::size_t count, const Storage& storage, const FusedLoop& layout_loop,
                          const Dims& strides, std::int64_t offset, DType dtype) const {
  Walk layout{layout_loop.extents, strides, offset, item_size(dtype)};
  for (std::size_t i = 0; i < count; ++i) {
    const PlannedLoop& reader = loops[i];
    for (std::size_t k = 0; k < reader.inputs.size(); ++k) {
      if (reader.inputs[k].storage != &storage) continue;
      const LoopInput& input = reader.loop.inputs[k];
      Walk read{reader.loop.extents, input.strides, reader.inputs[k].offset,
                item_size(input.dtype)};
      if (!rows_agree(layout, read, axes_)) return false;
    }
  }
  return true;
}

bool Pass::join_into(PlannedLoop& loop, const Storage& target, std::int64_t offset) {
  Pass trial = *this;
  if (!trial.join(loop)) return false;
  const PlannedLoop& last = trial.loops.back();
  const LoopOutput& output = last.loop.outputs[0];
  if (!trial.reads_own_rows(trial.loops.size(), target, last.loop, output.strides, offset,
                            output.dtype)) {
    loop = std::move(trial.loops.back());
    return false;
  }
  *this = std::move(trial);
  return true;
}

Plan group_loops(std::vector<PlannedLoop> loops) {
  Plan plan;
  for (PlannedLoop& loop : loops) {
    if (!plan.empty() && plan.back().join(loop)) continue;
    plan.emplace_back().join(loop);
  }
  return plan;
}

Plan make_plan(Expression& target) { return group_loops(plan_loops(target)); }

}  // namespace strider::nd
