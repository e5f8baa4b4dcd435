// The ranks that a partition asks for, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace strider::nd {

// Shorter lines are sorted instead.
inline constexpr std::int64_t kSmallPartition = 128;

// Calls select(first, k) for each kth in rising order; `first` elements need no more looking at.
template <class Select>
void for_each_kth(std::span<const std::int64_t> kth, Select&& select) {
  std::vector<std::int64_t> ordered(kth.begin(), kth.end());
  std::sort(ordered.begin(), ordered.end());
  std::int64_t done = 0;
  for (std::int64_t k : ordered) {
    if (k < done) continue;
    select(done, k);
    done = k + 1;
  }
}

}  // namespace strider::nd
