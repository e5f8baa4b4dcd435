// Streams are captured for the calling thread alone: others go on as they like.
#include "kernels/backend/cuda/device/recorder.h"

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {

std::shared_ptr<const RecordedGraph> RecordedGraph::make(cudaGraph_t graph) {
  if (!graph) return nullptr;
  std::shared_ptr<RecordedGraph> made(new RecordedGraph(graph));
  return went_well(cudaGraphInstantiate(&made->ready_, graph, 0)) ? made : nullptr;
}

RecordedGraph::~RecordedGraph() {
  if (ready_) went_well(cudaGraphExecDestroy(ready_));
  went_well(cudaGraphDestroy(graph_));
}

Recorder::~Recorder() {
  if (stream_) went_well(cudaStreamDestroy(stream_));
}

cudaStream_t Recorder::stream() {
  if (!stream_ && !went_well(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)))
    stream_ = nullptr;
  return stream_;
}

bool Recorder::begin() {
  return stream() && went_well(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
}

cudaGraph_t Recorder::end(bool good) {
  cudaGraph_t graph = nullptr;
  good &= went_well(cudaStreamEndCapture(stream_, &graph));
  if (good || !graph) return graph;
  went_well(cudaGraphDestroy(graph));
  return nullptr;
}

}  // namespace strider::nd::cuda
