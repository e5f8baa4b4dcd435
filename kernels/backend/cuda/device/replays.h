// Replay: work that a library queues in one way again and again. Replays: such works, each known by
// a key, such as its sizes and addresses. Know nothing of the work.
#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <utility>

#include "kernels/backend/cuda/device/recorder.h"

namespace strider::nd::cuda {

// A graph takes the host about as long as one launch, and less than what a library does before it
// launches.
class Replay {
 public:
  // Has work() queue something on the queue's stream, or launches the graph of it, which is
  // recorded when it is asked for a few times. go_to(stream) has the library queue there from then
  // on. Both give the library's status, where 0 is success.
  template <class GoTo, class Work>
  auto run(GraphQueue& queue, Recorder& recorder, GoTo&& go_to, Work&& work) {
    using Status = decltype(work());
    constexpr Status kSuccess{};
    if (launch(queue)) return kSuccess;
    cudaStream_t stream = queue.stream();
    if (requests_ < kRequests && ++requests_ == kRequests && recorder.stream()) {
      if (go_to(recorder.stream()) == kSuccess)
        graph_ = RecordedGraph::make(recorder.record([&] { return work() == kSuccess; }));
      Status status = go_to(stream);
      if (status != kSuccess || launch(queue)) return status;
    }
    return work();
  }

 private:
  static constexpr int kRequests = 3;

  // False where there is no graph.
  bool launch(GraphQueue& queue) {
    if (graph_ && !queue.launch(graph_)) graph_.reset();
    return graph_ != nullptr;
  }

  std::shared_ptr<const RecordedGraph> graph_;
  int requests_ = 0;
};

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
