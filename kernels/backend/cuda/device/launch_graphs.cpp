// Graphs are replayed with the arguments of the day.
#include "kernels/backend/cuda/device/launch_graphs.h"

#include <algorithm>
#include <span>

#include "kernels/backend/cuda/device/errors.h"
#include "kernels/core/device.h"

namespace strider::nd::cuda {
namespace {

constexpr int kTimes = 2;  // that a list has come before it becomes a graph
constexpr std::size_t kKept = 64;

// Has use() take a kernel's launch as a graph's node.
template <class Use>
cudaError_t with_node_of(const Launch& launch, std::span<const std::byte> arguments, Use&& use) {
  void* parameters[] = {const_cast<std::byte*>(arguments.data())};
  cudaKernelNodeParams node = {};
  node.func = const_cast<void*>(launch.kernel);
  node.gridDim = launch.grid;
  node.blockDim = launch.block;
  node.sharedMemBytes = launch.shared_bytes;
  node.kernelParams = parameters;
  return use(node);
}

}  // namespace

bool LaunchGraphs::Graph::comes_again() const { return times >= kTimes; }

bool LaunchGraphs::is_beginning(const LaunchList& launches) {
  std::size_t last = launches.size() - 1;
  auto goes_on = [&](const Graph& graph) {
    return graph.comes_again() && graph.launches.size() > last &&
           graph.launches[last] == launches[last];
  };
  if (!works_) return false;
  if (last > 0 && likely_ && goes_on(*likely_)) return true;
  auto found = std::find_if(graphs_.begin(), graphs_.end(), [&](const Graph& graph) {
    return goes_on(graph) && graph.launches.begins_like(launches);
  });
  likely_ = found == graphs_.end() ? nullptr : &*found;
  return likely_ != nullptr;
}

bool LaunchGraphs::queue(const LaunchList& launches, cudaStream_t stream) {
  if (!works_) return false;
  Graph* graph = find(launches);
  if (!graph || !graph->comes_again()) return false;
  if (!graph->ready) {
    graph->launches = launches;
    works_ = make(*graph);
  } else {
    works_ = update(*graph, launches);
  }
  works_ = works_ && went_well(cudaGraphLaunch(graph->ready, stream));
  if (works_) ++device_counts().graphs;
  return works_;
}

void LaunchGraphs::note(const LaunchList& launches) {
  Graph* graph = find(launches);
  if (!graph) {
    if (graphs_.size() == kKept) {
      if (likely_ == &graphs_.back()) likely_ = nullptr;
      destroy(graphs_.back());
      graphs_.pop_back();
    }
    graph = &graphs_.emplace_front();
    graph->launches = launches;
  }
  graph->times = std::min(graph->times + 1, kTimes);
}

void LaunchGraphs::drop() noexcept {
  for (Graph& graph : graphs_) destroy(graph);
  graphs_.clear();
  likely_ = nullptr;
}

LaunchGraphs::Graph* LaunchGraphs::find(const LaunchList& launches) {
  auto found = std::find_if(graphs_.begin(), graphs_.end(),
                            [&](const Graph& graph) { return graph.launches == launches; });
  if (found == graphs_.end()) return nullptr;
  graphs_.splice(graphs_.begin(), graphs_, found);
  return &graphs_.front();
}

// One node behind the other.
bool LaunchGraphs::make(Graph& graph) {
  if (!went_well(cudaGraphCreate(&graph.graph, 0))) return false;
  cudaGraphNode_t last = nullptr;
  for (std::size_t i = 0; i < graph.launches.size(); ++i) {
    const Launch& launch = graph.launches[i];
    const cudaGraphNode_t* before = last ? &graph.nodes.back() : nullptr;
    std::size_t count = last ? 1 : 0;
    cudaError_t status =
        launch.graph
            ? cudaGraphAddChildGraphNode(&last, graph.graph, before, count, launch.graph->graph())
            : with_node_of(launch, graph.launches.arguments(i), [&](const auto& parameters) {
                return cudaGraphAddKernelNode(&last, graph.graph, before, count, &parameters);
              });
    if (!went_well(status)) return false;
    graph.nodes.push_back(last);
  }
  return went_well(cudaGraphInstantiate(&graph.ready, graph.graph, 0));
}

bool LaunchGraphs::update(Graph& graph, const LaunchList& launches) {
  for (std::size_t i = 0; i < launches.size(); ++i) {
    std::span<const std::byte> arguments = launches.arguments(i);
    std::span<const std::byte> before = graph.launches.arguments(i);
    if (std::equal(before.begin(), before.end(), arguments.begin(), arguments.end())) continue;
    graph.launches.set_arguments(i, arguments);
    cudaError_t status = with_node_of(launches[i], arguments, [&](const auto& parameters) {
      return cudaGraphExecKernelNodeSetParams(graph.ready, graph.nodes[i], &parameters);
    });
    if (!went_well(status)) return false;
  }
  return true;
}

void LaunchGraphs::destroy(Graph& graph) noexcept {
  if (graph.ready) cudaGraphExecDestroy(graph.ready);
  if (graph.graph) cudaGraphDestroy(graph.graph);
  cudaGetLastError();
}

}  // namespace strider::nd::cuda
