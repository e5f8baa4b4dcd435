// What shape a fold, search or scan has on a device: which axes are folded, in what order elements
// are combined, and by how many threads.
#pragma once

#include <vector>

#include "kernels/backend/cuda/jit/shapes.h"

namespace strider::nd::cuda {

// Neighbouring axes, all folded or all kept.
struct AxisGroup {
  std::int64_t extent = 1;
  std::int64_t points = 1;  // between neighbours
  bool folded = false;
};

enum class Shape : char {
  kRows = 'r',
  kColumns = 'c',
  kSums = 's',
  kShortSums = 'h',
  kScans = 'n',
  kShortScans = 'o'
};

struct FoldPlan {
  std::vector<AxisGroup> groups;  // outermost first
  Shape shape = Shape::kRows;
  std::int64_t results = 1;
  std::int64_t count = 1;  // elements of a result; of a scan, of a row
  std::int64_t row = 1;    // elements of the innermost group
  std::int64_t chunk = 1;  // elements that are summed as one line
  std::int64_t chunks = 1;
  std::int64_t lines = 1;  // of a result

  // `in_pass`: a result is a row that a team of threads runs.
  explicit FoldPlan(const FusedLoop& loop, bool in_pass = false);

 private:
  bool is_short(const FusedLoop& loop) const;
};

// Whether totals know where they were found: a search, and an extreme of complex numbers, because
// of those that are not a number the first one is the result.
bool has_places(const LoopFold& fold);

}  // namespace strider::nd::cuda
