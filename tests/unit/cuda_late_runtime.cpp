// Streams are queues; events are places in them.
#include "tests/unit/cuda_late_runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace late {

std::size_t capacity = std::size_t{1} << 30;
std::size_t in_use = 0;
cudaError_t failure = cudaSuccess;
int looks_until_done = 0;
int launches = 0, graph_launches = 0;

namespace {

// A launch that was captured, or a graph that is part of another; its address is the node's.
struct Captured {
  Kernel call;
  std::vector<std::byte> arguments;
  std::vector<Captured> parts;

  void run() const {
    if (call) call(arguments.data());
    for (const Captured& part : parts) part.run();
  }
};
using Graph = std::vector<std::unique_ptr<Captured>>;
using ReadyGraph = std::vector<std::pair<cudaGraphNode_t, Captured>>;

// A stream: what was queued and has not happened.
struct Stream {
  std::unique_ptr<Graph> captured;
  std::deque<std::function<void()>> work;
  std::size_t begun = 0;  // how many of all that was ever queued have happened

  std::size_t end() const { return begun + work.size(); }
  // Work may wait for another stream's, which may not wait for this one's.
  void run_until(std::size_t count) {
    while (begun < count) {
      std::function<void()> next = std::move(work.front());
      work.pop_front();
      ++begun;
      next();
    }
  }
};

// A place in a stream.
struct Event {
  Stream* stream = nullptr;
  std::size_t place = 0;

  void reach() const {
    if (stream) stream->run_until(place);
  }
};

std::vector<std::unique_ptr<Stream>> streams;
std::map<void*, std::size_t> sizes;

Stream& stream_of(cudaStream_t stream) { return *reinterpret_cast<Stream*>(stream); }
Event& event_of(cudaEvent_t event) { return *reinterpret_cast<Event*>(event); }

void queue_up(cudaStream_t stream, std::function<void()> work) {
  stream_of(stream).work.push_back(std::move(work));
}

cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, Captured captured) {
  auto& nodes = *reinterpret_cast<Graph*>(graph);
  nodes.push_back(std::make_unique<Captured>(std::move(captured)));
  *node = reinterpret_cast<cudaGraphNode_t>(nodes.back().get());
  return cudaSuccess;
}

cudaError_t take_failure() { return std::exchange(failure, cudaSuccess); }

}  // namespace
}  // namespace late

extern "C" {

cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorIllegalAddress ? "an illegal memory access was encountered" : "failed";
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  return *value = 9, cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::memset(properties, 0, sizeof *properties);
  std::strcpy(properties->name, "Late");
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = late::capacity;
  *free = late::capacity - late::in_use;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  late::streams.push_back(std::make_unique<late::Stream>());
  *stream = reinterpret_cast<cudaStream_t>(late::streams.back().get());
  return cudaSuccess;
}

// A device's memory is the process's to the end; what is still in use then is no leak.
void keep_reachable(void* memory) {
  static auto* kept = new std::vector<void*>;
  kept->push_back(memory);
}

cudaError_t cudaMalloc(void** memory, std::size_t size) {
  if (late::in_use + size > late::capacity) return cudaErrorMemoryAllocation;
  *memory = std::aligned_alloc(256, size);
  keep_reachable(*memory);
  late::in_use += size;
  late::sizes[*memory] = size;
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  for (auto& stream : late::streams) stream->run_until(stream->end());
  late::in_use -= late::sizes.extract(memory).mapped();
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t size, unsigned) {
  *memory = std::calloc(size, 1);
  keep_reachable(*memory);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind,
                            cudaStream_t stream) {
  late::queue_up(stream, [=] { std::memmove(to, from, size); });
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t size, cudaStream_t stream) {
  late::queue_up(stream, [=] { std::memset(memory, value, size); });
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaLaunchKernel(const void* kernel, dim3, dim3 block, void** arguments, std::size_t,
                             cudaStream_t stream) {
  if (block.x > 1024) return cudaErrorInvalidConfiguration;
  std::vector<std::byte> copy(64);
  std::memcpy(copy.data(), arguments[0], copy.size());
  auto call = reinterpret_cast<late::Kernel>(const_cast<void*>(kernel));
  if (auto& captured = late::stream_of(stream).captured) {
    captured->push_back(std::make_unique<late::Captured>(late::Captured{call, copy, {}}));
    return cudaSuccess;
  }
  ++late::launches;
  late::queue_up(stream, [=] { call(copy.data()); });
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(new late::Event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  late::event_of(event) = {&late::stream_of(stream), late::stream_of(stream).end()};
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  late::event_of(event).reach();
  return late::take_failure();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (late::looks_until_done > 0) return --late::looks_until_done, cudaErrorNotReady;
  return cudaEventSynchronize(event);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  late::queue_up(stream, [until = late::event_of(event)] { until.reach(); });
  return cudaSuccess;
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t size,
                                cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  late::stream_of(stream).captured = std::make_unique<late::Graph>();
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = reinterpret_cast<cudaGraph_t>(late::stream_of(stream).captured.release());
  return cudaSuccess;
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  *graph = reinterpret_cast<cudaGraph_t>(new late::Graph);
  return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                   std::size_t, const cudaKernelNodeParams* parameters) {
  std::vector<std::byte> copy(64);
  std::memcpy(copy.data(), parameters->kernelParams[0], copy.size());
  auto call = reinterpret_cast<late::Kernel>(parameters->func);
  return late::add_node(node, graph, {call, copy, {}});
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t*, std::size_t, cudaGraph_t part) {
  late::Captured made{nullptr, {}, {}};
  for (auto& each : *reinterpret_cast<late::Graph*>(part)) made.parts.push_back(*each);
  return late::add_node(node, graph, std::move(made));
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* ready, cudaGraph_t graph, unsigned long long) {
  auto made = std::make_unique<late::ReadyGraph>();
  for (auto& node : *reinterpret_cast<late::Graph*>(graph))
    made->emplace_back(reinterpret_cast<cudaGraphNode_t>(node.get()), *node);
  *ready = reinterpret_cast<cudaGraphExec_t>(made.release());
  return cudaSuccess;
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t ready, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  auto& nodes = *reinterpret_cast<late::ReadyGraph*>(ready);
  auto found = std::find_if(nodes.begin(), nodes.end(), [&](auto& n) { return n.first == node; });
  late::Captured& changed = found->second;
  std::memcpy(changed.arguments.data(), parameters->kernelParams[0], changed.arguments.size());
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t ready, cudaStream_t stream) {
  ++late::graph_launches;
  for (auto& [node, launch] : *reinterpret_cast<late::ReadyGraph*>(ready))
    late::queue_up(stream, [launch = launch] { launch.run(); });
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t ready) {
  delete reinterpret_cast<late::ReadyGraph*>(ready);
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete reinterpret_cast<late::Graph*>(graph);
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { return *can = 1, cudaSuccess; }
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaErrorPeerAccessAlreadyEnabled; }

}  // extern "C"
