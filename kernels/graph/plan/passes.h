// Passes: neighbouring loops of a plan that run together, some rows at a time, so that what one
// writes is still in the cache when the next reads it. Runs nothing.
#pragma once

#include "kernels/graph/plan/plan.h"

namespace strider::nd {

struct Pass {
  std::vector<PlannedLoop> loops;
  // The points of the outermost axes that the loops share; 1 when they share none.
  std::int64_t rows = 1;

  // Adds a loop if its rows agree with those of the loops that are there; else leaves it.
  bool join(PlannedLoop& loop);
  // The same for a loop that writes to a layout of its own within a storage.
  bool join_into(PlannedLoop& loop, const Storage& target, std::int64_t offset);
  // Whether it is a product, which a library computes.
  bool is_product() const { return loops[0].is_product; }
  // Whether row by row, the first `count` loops read of the storage only what the layout has there.
  bool reads_own_rows(std::size_t count, const Storage& storage, const FusedLoop& layout_loop,
                      const Dims& strides, std::int64_t offset, DType dtype) const;

 private:
  bool join_product(PlannedLoop& loop);

  int axes_ = 0;  // that are shared
};

using Plan = std::vector<Pass>;

// Joins neighbours.
Plan group_loops(std::vector<PlannedLoop> loops);
// The passes that compute a promise and what it needs.
Plan make_plan(Expression& target);

}  // namespace strider::nd
