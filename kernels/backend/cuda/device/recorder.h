// Recorder: graphs of what is queued on a stream of its own, where nobody else queues. Replay: work
// that a library queues in one way again and again. Know nothing of the work.
#pragma once

#include <cuda_runtime_api.h>

#include <utility>

namespace strider::nd::cuda {

class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  ~Recorder();

  // Null where it cannot be made.
  cudaStream_t stream();
  // The graph of what record() queues on the stream, for the caller to destroy; null where that
  // says false, or cannot be a graph.
  template <class Record>
  cudaGraph_t record(Record&& record) {
    if (!begin()) return nullptr;
    return end(record());
  }

 private:
  bool begin();
  cudaGraph_t end(bool good);

  cudaStream_t stream_ = nullptr;
};

// A graph takes the host about as long as one launch, and less than what a library does before it
// launches.
class Replay {
 public:
  Replay() = default;
  Replay(Replay&& other) noexcept
      : ready_(std::exchange(other.ready_, nullptr)), requests_(other.requests_) {}
  Replay& operator=(Replay&& other) noexcept {
    std::swap(ready_, other.ready_);
    requests_ = other.requests_;
    return *this;
  }
  ~Replay();

  // Queues the work; false where there is no graph of it.
  bool queue(cudaStream_t stream);
  // Whether the work, about to be queued without a graph, has come often enough to be recorded now.
  bool is_due() { return requests_ < kRequests && ++requests_ == kRequests; }
  // Takes the graph over, if there is one.
  void keep(cudaGraph_t graph);

 private:
  static constexpr int kRequests = 3;

  cudaGraphExec_t ready_ = nullptr;
  int requests_ = 0;
};

}  // namespace strider::nd::cuda
