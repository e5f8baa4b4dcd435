// The one that was used longest ago makes room.
#include "kernels/backend/cuda/library/product_replays.h"

#include <algorithm>

namespace strider::nd::cuda {

Replay& ProductReplays::find(const ColumnProduct& product, const ProductAddresses& addresses) {
  auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.addresses == addresses && kept.product == product;
  });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    return kept_.front().replay;
  }
  if (kept_.size() == kMost) kept_.pop_back();
  return kept_.emplace_front(Kept{product, addresses, {}}).replay;
}

}  // namespace strider::nd::cuda
