// LaunchGraphs: lists of launches that come again, each as one graph, in which the device waits
// less between them and which costs the host less than its launches one by one.
#pragma once

#include <cuda_runtime_api.h>

#include <list>
#include <vector>

#include "kernels/backend/cuda/device/launch_list.h"

namespace strider::nd::cuda {

class LaunchGraphs {
 public:
  ~LaunchGraphs() { drop(); }

  // Whether the launches are the beginning, or all, of a list that has come a few times.
  bool is_beginning(const LaunchList& launches);
  // Queues the list as a graph; false, and nothing is queued, where it has not come often enough or
  // cannot be one.
  bool queue(const LaunchList& launches, cudaStream_t stream);
  // The list has come, and was queued otherwise.
  void note(const LaunchList& launches);
  // Forgets all graphs, whose kernels may go then.
  void drop() noexcept;

 private:
  struct Graph {
    int times = 0;        // that it came
    LaunchList launches;  // with the arguments that the graph has
    std::vector<cudaGraphNode_t> nodes;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;

    bool comes_again() const;
  };

  Graph* find(const LaunchList& launches);
  static bool make(Graph& graph);
  static bool update(Graph& graph, const LaunchList& launches);
  static void destroy(Graph& graph) noexcept;

  std::list<Graph> graphs_;  // the last used first
  Graph* likely_ = nullptr;  // what the last ones were the beginning of
  bool works_ = true;
};

}  // namespace strider::nd::cuda
