// Groups a fold's axes and chooses its shape.
#include "kernels/backend/cuda/jit/fold_plan.h"

namespace strider::nd::cuda {
namespace {

// Rows up to here are scanned in the CPU's order.
constexpr std::int64_t kShortScan = 1 << 11;

// Rows of so few elements and bytes are summed by a thread each, where there are enough of them:
// their lines stay in the first cache meanwhile.
constexpr std::int64_t kShortSum = 32, kShortSumBytes = 128, kManySums = 1 << 14;

// The bytes that a loop reads for one element along the innermost axis.
std::int64_t bytes_along_row(const FusedLoop& loop) {
  std::int64_t bytes = 0;
  for (const LoopInput& input : loop.inputs) {
    bool moves = input.kind == LoopInput::Kind::kMemory && input.strides.back() != 0;
    if (moves) bytes += item_size(input.dtype);
  }
  return bytes;
}

}  // namespace

FoldPlan::FoldPlan(const FusedLoop& loop, bool in_pass) {
  const LoopFold& fold = loop.folds[0];
  for (int axis = 0; axis < loop.extents.size(); ++axis) {
    if (loop.extents[axis] == 1) continue;
    bool folded = fold.axes >> axis & 1;
    if (groups.empty() || groups.back().folded != folded) groups.push_back({1, 1, folded});
    groups.back().extent *= loop.extents[axis];
  }
  bool along_rows = fold.kind != LoopFold::Kind::kFold;
  if (groups.empty() || (along_rows && !groups.back().folded)) groups.push_back({1, 1, true});
  std::int64_t points = 1;
  for (std::size_t i = groups.size(); i-- > 0;) {
    groups[i].points = points;
    points *= groups[i].extent;
    (groups[i].folded ? count : results) *= groups[i].extent;
  }
  row = groups.back().extent;
  chunk = fold.chunk > 0 ? std::min(fold.chunk, row) : row;
  chunks = chunk > 0 ? (row + chunk - 1) / chunk : 1;
  lines = row > 0 ? count / row * chunks : 1;
  // The tree of a sum of a few elements goes from one to the next, as a thread does.
  bool few = lines == 1 && count < (is_complex(fold.type) ? 4 : 8);
  bool ordered = fold.op == Op::kAdd && is_inexact(fold.type) && !few;
  bool rounds = fold.type == DType::kFloat16;  // after each element
  if (fold.kind == LoopFold::Kind::kScan)
    shape = rounds || (is_inexact(fold.type) && count <= kShortScan) ? Shape::kShortScans
                                                                     : Shape::kScans;
  else if (count == 0)
    shape = Shape::kRows;  // the start, wherever results are
  else if (!groups.back().folded)
    shape = Shape::kColumns;
  else if (fold.kind == LoopFold::Kind::kFold && ordered)
    shape = !in_pass && is_short(loop) ? Shape::kShortSums : Shape::kSums;
}

bool FoldPlan::is_short(const FusedLoop& loop) const {
  return lines == 1 && count <= kShortSum && count * bytes_along_row(loop) <= kShortSumBytes &&
         results >= kManySums && !is_complex(loop.folds[0].type);
}

bool has_places(const LoopFold& fold) {
  bool extreme = fold.op == Op::kMaximum || fold.op == Op::kMinimum;
  return fold.kind == LoopFold::Kind::kFind ||
         (fold.kind == LoopFold::Kind::kFold && extreme && is_complex(fold.type));
}

}  // namespace strider::nd::cuda
