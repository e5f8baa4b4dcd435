// How far sums are halved before they are added in order.
#include "kernels/backend/cuda/jit/sum_tree.h"

namespace strider::nd::cuda {

std::int64_t group_count(const LoopFold& fold) { return is_complex(fold.type) ? 64 : 32; }

std::uint32_t level_count(const LoopFold& fold, std::int64_t count) {
  bool two_parts = is_complex(fold.type);
  std::uint32_t levels = 0;
  for (; count > (two_parts ? 64 : 128); ++levels) {
    count -= two_parts ? (count - count % 8) / 2 : count / 2 - count / 2 % 8;
  }
  return levels;
}

std::int64_t node_count(std::uint32_t levels) {
  return levels > 0 ? std::int64_t{1} << (levels - 1) : 1;
}

}  // namespace strider::nd::cuda
