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

// What is folded, if it is just what lies in memory; else null.
const std::byte* find_elements(const FusedLoop& loop, const LoopMemory& memory) {
  std::size_t value = loop.folds[0].value;
  bool plain = loop.outputs.empty() && value < loop.inputs.size() &&
               loop.folds[0].kind != LoopFold::Kind::kScan &&
               loop.inputs[value].kind == LoopInput::Kind::kMemory && !renderer_is_forced();
  if (!plain) return nullptr;
  std::int64_t size = item_size(loop.inputs[value].dtype);
  for (int axis = loop.extents.size() - 1; axis >= 0; --axis) {
    if (loop.extents[axis] != 1 && loop.inputs[value].strides[axis] != size) return nullptr;
    size *= loop.extents[axis];
  }
  return memory.inputs[value];
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
      results(memory.outputs.back()),
      direct(find_elements(fused, memory)) {}

}  // namespace strider::nd
