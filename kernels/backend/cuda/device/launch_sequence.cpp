// Graphs are replayed with the arguments of the day.
#include "kernels/backend/cuda/device/launch_sequence.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {
namespace {

// A graph's launch takes the host about as long as so many launches.
constexpr std::size_t kWorthAGraph = 5;
// Longer sequences go in parts, so that the device does not wait for the host.
constexpr std::size_t kLongest = 64;
constexpr std::size_t kKept = 64;

bool are_graphs_wanted() {
  const char* text = std::getenv("STRIDER_CUDA_GRAPHS");
  return text && *text && std::strcmp(text, "0") != 0;
}

bool same(const dim3& a, const dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

bool QueuedLaunch::is_like(const QueuedLaunch& other) const {
  return kernel == other.kernel && same(grid, other.grid) && same(block, other.block) &&
         shared_bytes == other.shared_bytes && arguments.size() == other.arguments.size();
}

cudaError_t QueuedLaunch::queue(cudaStream_t stream) const {
  void* parameters[] = {const_cast<std::byte*>(arguments.data())};
  return cudaLaunchKernel(kernel, grid, block, parameters, shared_bytes, stream);
}

bool LaunchGraphs::queue(const std::vector<QueuedLaunch>& launches, cudaStream_t stream) {
  if (!works_) return false;
  bool is_new = false;
  Graph& graph = find(launches, is_new);
  if (is_new) return false;
  if (!graph.ready) {
    graph.launches = launches;
    works_ = make(graph);
  } else {
    works_ = update(graph, launches);
  }
  works_ = works_ && went_well(cudaGraphLaunch(graph.ready, stream));
  return works_;
}

void LaunchGraphs::drop() noexcept {
  for (Graph& graph : graphs_) destroy(graph);
  graphs_.clear();
}

LaunchGraphs::Graph& LaunchGraphs::find(const std::vector<QueuedLaunch>& launches, bool& is_new) {
  auto is_it = [&](const Graph& graph) {
    return std::equal(graph.launches.begin(), graph.launches.end(), launches.begin(),
                      launches.end(), [](const auto& a, const auto& b) { return a.is_like(b); });
  };
  auto found = std::find_if(graphs_.begin(), graphs_.end(), is_it);
  is_new = found == graphs_.end();
  if (!is_new) {
    graphs_.splice(graphs_.begin(), graphs_, found);
    return graphs_.front();
  }
  if (graphs_.size() == kKept) {
    destroy(graphs_.back());
    graphs_.pop_back();
  }
  return graphs_.emplace_front(Graph{launches, {}, nullptr, nullptr});
}

bool LaunchGraphs::make(Graph& graph) {
  graph.graph = recorder_.record([&] { return capture(graph); });
  return graph.graph && went_well(cudaGraphInstantiate(&graph.ready, graph.graph, 0));
}

// After each launch the stream's next work would depend on it alone: that is its node.
bool LaunchGraphs::capture(Graph& graph) {
  for (const QueuedLaunch& launch : graph.launches) {
    if (!went_well(launch.queue(recorder_.stream()))) return false;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaGraphNode_t* nodes = nullptr;
    std::size_t count = 0;
    if (!went_well(cudaStreamGetCaptureInfo(recorder_.stream(), &status, nullptr, nullptr, &nodes,
                                            nullptr, &count)))
      return false;
    if (status != cudaStreamCaptureStatusActive || count != 1) return false;
    graph.nodes.push_back(nodes[0]);
  }
  return true;
}

bool LaunchGraphs::update(Graph& graph, const std::vector<QueuedLaunch>& launches) {
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (graph.launches[i].arguments == launches[i].arguments) continue;
    cudaKernelNodeParams parameters;
    if (!went_well(cudaGraphKernelNodeGetParams(graph.nodes[i], &parameters))) return false;
    graph.launches[i].arguments = launches[i].arguments;
    void* arguments[] = {graph.launches[i].arguments.data()};
    parameters.kernelParams = arguments;
    parameters.extra = nullptr;
    if (!went_well(cudaGraphExecKernelNodeSetParams(graph.ready, graph.nodes[i], &parameters)))
      return false;
  }
  return true;
}

void LaunchGraphs::destroy(Graph& graph) noexcept {
  if (graph.ready) cudaGraphExecDestroy(graph.ready);
  if (graph.graph) cudaGraphDestroy(graph.graph);
  cudaGetLastError();
}

LaunchSequence::LaunchSequence() : wanted_(are_graphs_wanted()) {}

void LaunchSequence::begin() {
  if (!wanted_) return;
  std::lock_guard<std::mutex> guard(lock_);
  ++gathering_;
}

void LaunchSequence::end(cudaStream_t stream) {
  if (!wanted_) return;
  std::lock_guard<std::mutex> guard(lock_);
  --gathering_;
  flush_locked(stream);
}

void LaunchSequence::add(QueuedLaunch launch, cudaStream_t stream) {
  std::lock_guard<std::mutex> guard(lock_);
  launches_.push_back(std::move(launch));
  if (gathering_ == 0 || launches_.size() == kLongest) flush_locked(stream);
}

void LaunchSequence::flush(cudaStream_t stream) {
  if (!wanted_) return;
  std::lock_guard<std::mutex> guard(lock_);
  flush_locked(stream);
}

void LaunchSequence::let_go(cudaStream_t stream) {
  if (!wanted_) return;
  std::lock_guard<std::mutex> guard(lock_);
  flush_locked(stream);
  graphs_.drop();
}

void LaunchSequence::flush_locked(cudaStream_t stream) {
  if (launches_.empty()) return;
  std::vector<QueuedLaunch> launches = std::exchange(launches_, {});
  if (launches.size() >= kWorthAGraph && graphs_.queue(launches, stream)) return;
  for (const QueuedLaunch& launch : launches) check(launch.queue(stream), "launching a kernel");
}

}  // namespace strider::nd::cuda
