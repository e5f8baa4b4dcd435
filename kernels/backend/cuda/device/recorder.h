// Recorder: graphs of what is queued on a stream of its own, where nobody else queues.
// RecordedGraph: one that is ready. GraphQueue: where they go. Know nothing of the work.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

namespace strider::nd::cuda {

// Work that was recorded, and can be queued any number of times.
class RecordedGraph {
 public:
  // Takes the graph over; null where there is none, or it cannot be made ready.
  static std::shared_ptr<const RecordedGraph> make(cudaGraph_t graph);
  RecordedGraph(const RecordedGraph&) = delete;
  ~RecordedGraph();

  // To be a part of others.
  cudaGraph_t graph() const { return graph_; }
  cudaError_t queue(cudaStream_t stream) const { return cudaGraphLaunch(ready_, stream); }

 private:
  explicit RecordedGraph(cudaGraph_t graph) : graph_(graph) {}

  cudaGraph_t graph_;
  cudaGraphExec_t ready_ = nullptr;
};

// Where they are launched, in order with all else.
class GraphQueue {
 public:
  virtual ~GraphQueue() = default;
  // False where it cannot be queued.
  virtual bool launch(const std::shared_ptr<const RecordedGraph>& graph) = 0;
  // For work that is queued by other means.
  virtual cudaStream_t stream() = 0;
};

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

}  // namespace strider::nd::cuda
