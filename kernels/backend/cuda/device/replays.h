// Work that comes again in one way, known by a key, such as its sizes and addresses; each with the
// graph that replays it. Knows nothing of the work.
#pragma once

#include <algorithm>
#include <list>
#include <utility>

#include "kernels/backend/cuda/device/recorder.h"

namespace strider::nd::cuda {

template <class Key>
class Replays {
 public:
  // As many are kept; the one that was used longest ago makes room.
  explicit Replays(std::size_t most) : most_(most) {}

  // What is kept for the work, which may be nothing as yet; valid until the next call.
  Replay& find(const Key& key) {
    auto found = std::find_if(kept_.begin(), kept_.end(),
                              [&](const auto& kept) { return kept.first == key; });
    if (found != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, found);
      return kept_.front().second;
    }
    if (kept_.size() == most_) kept_.pop_back();
    return kept_.emplace_front(key, Replay()).second;
  }

 private:
  std::size_t most_;
  std::list<std::pair<Key, Replay>> kept_;  // the last used first
};

}  // namespace strider::nd::cuda
