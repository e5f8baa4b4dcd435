// LaunchSequence: launches that were asked for and are not queued yet. A sequence that comes again
// with other arguments goes as one graph, which costs the host less than its launches one by one.
// Knows nothing of what kernels do. STRIDER_CUDA_GRAPHS=1 asks for it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

#include "kernels/backend/cuda/device/recorder.h"
#include "kernels/backend/cuda/jit/rendering.h"

namespace strider::nd::cuda {

// A launch of a kernel, its arguments copied.
struct QueuedLaunch {
  const void* kernel = nullptr;
  dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  std::vector<std::byte> arguments;

  // Whether a graph's launch becomes the other by other arguments alone.
  bool is_like(const QueuedLaunch& other) const;
  cudaError_t queue(cudaStream_t stream) const;
};

// Sequences by their kernels and grids; those that come again are kept as graphs.
class LaunchGraphs {
 public:
  ~LaunchGraphs() { drop(); }
  // Queues the sequence as a graph; false, and nothing is queued, where it is new or cannot be one.
  bool queue(const std::vector<QueuedLaunch>& launches, cudaStream_t stream);
  // Forgets all graphs, whose kernels may go then.
  void drop() noexcept;

 private:
  struct Graph {
    std::vector<QueuedLaunch> launches;  // with the arguments that the graph has
    std::vector<cudaGraphNode_t> nodes;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
  };

  Graph& find(const std::vector<QueuedLaunch>& launches, bool& is_new);
  bool make(Graph& graph);
  bool capture(Graph& graph);
  static bool update(Graph& graph, const std::vector<QueuedLaunch>& launches);
  static void destroy(Graph& graph) noexcept;

  std::list<Graph> graphs_;  // the last used first
  Recorder recorder_;
  bool works_ = true;
};

class LaunchSequence {
 public:
  LaunchSequence();

  bool is_wanted() const { return wanted_; }
  // From now on launches are gathered, until as many ends as beginnings have come.
  void begin();
  // Throws what went wrong in a launch.
  void end(cudaStream_t stream);
  void add(QueuedLaunch launch, cudaStream_t stream);
  // Queues what was gathered: before anything else is queued, waited for or given back.
  void flush(cudaStream_t stream);
  // The same, and forgets all kernels.
  void let_go(cudaStream_t stream);

 private:
  void flush_locked(cudaStream_t stream);

  const bool wanted_;
  std::mutex lock_;  // launches are in one order for all threads
  int gathering_ = 0;
  std::vector<QueuedLaunch> launches_;
  LaunchGraphs graphs_;
};

}  // namespace strider::nd::cuda
