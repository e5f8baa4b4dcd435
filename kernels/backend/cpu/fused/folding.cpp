// The order of combinations is that of the same fold over elements in memory, so that the bits are
// the same.
#include "kernels/backend/cpu/fused/folding.h"

namespace strider::nd {
namespace {

std::vector<AxisGroup> group_axes(const FusedLoop& loop) {
  std::vector<AxisGroup> groups;
  for (int axis = 0; axis < loop.extents.size(); ++axis) {
    if (loop.extents[axis] == 1) continue;
    bool folded = loop.folds[0].axes >> axis & 1;
    if (groups.empty() || groups.back().folded != folded) groups.push_back({1, folded, 0});
    groups.back().extent *= loop.extents[axis];
  }
  bool along_rows = loop.folds[0].kind != LoopFold::Kind::kFold;
  if (groups.empty() || (along_rows && !groups.back().folded)) groups.push_back({1, true, 0});
  std::int64_t step = 1;
  for (std::size_t i = groups.size(); i-- > 0;) {
    if (groups[i].folded) continue;
    groups[i].step = step;
    step *= groups[i].extent;
  }
  return groups;
}

FindKernel find_kernel_of(const LoopFold& fold) {
  int type = static_cast<int>(fold.type);
  return fold.op == Op::kMaximum ? kernels().find_maximum[type] : kernels().find_minimum[type];
}

bool is_extreme(Op op) {
  return op == Op::kMaximum || op == Op::kMinimum || op == Op::kFmax || op == Op::kFmin;
}

}  // namespace

Folding::Folding(const FusedLoop& fused, const LoopMemory& memory)
    : loop(fused),
      fold(fused.folds[0]),
      groups(group_axes(fused)),
      kernel(kernels().folds[static_cast<int>(fold.op)][static_cast<int>(fold.type)]),
      row_kernel(kernels().row_folds[static_cast<int>(fold.op)][static_cast<int>(fold.type)]),
      combine(find_kernel(fold.op, fold.type)),
      size(item_size(fold.type)),
      ordered(fold.op == Op::kAdd && is_inexact(fold.type)),
      repeats(is_extreme(fold.op)),
      parts(is_complex(fold.type) ? 2 : 1),
      find(find_kernel_of(fold)),
      scan(kernels().scans[static_cast<int>(fold.op)][static_cast<int>(fold.type)]),
      result_size(item_size(fold.result())),
      results(memory.outputs.back()) {}

}  // namespace strider::nd
