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

  // Has work() queue something on the stream, or queues the graph of it, which is recorded when it
  // is asked for a few times. go_to(stream) has the library queue there from then on. Both give the
  // library's status, where 0 is success.
  template <class GoTo, class Work>
  auto run(Recorder& recorder, cudaStream_t stream, GoTo&& go_to, Work&& work) {
    using Status = decltype(work());
    constexpr Status kSuccess{};
    if (queue(stream)) return kSuccess;
    if (requests_ < kRequests && ++requests_ == kRequests && recorder.stream()) {
      if (go_to(recorder.stream()) == kSuccess)
        keep(recorder.record([&] { return work() == kSuccess; }));
      Status status = go_to(stream);
      if (status != kSuccess || queue(stream)) return status;
    }
    return work();
  }

 private:
  static constexpr int kRequests = 3;

  // False where there is no graph.
  bool queue(cudaStream_t stream);
  // Takes the graph over, if there is one.
  void keep(cudaGraph_t graph);

  cudaGraphExec_t ready_ = nullptr;
  int requests_ = 0;
};

}  // namespace strider::nd::cuda
