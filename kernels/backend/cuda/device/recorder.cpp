// Streams are captured for the calling thread alone: others go on as they like.
#include "kernels/backend/cuda/device/recorder.h"

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {

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

Replay::~Replay() {
  if (ready_) went_well(cudaGraphExecDestroy(ready_));
}

bool Replay::queue(cudaStream_t stream) {
  if (!ready_) return false;
  if (went_well(cudaGraphLaunch(ready_, stream))) return true;
  went_well(cudaGraphExecDestroy(std::exchange(ready_, nullptr)));
  return false;
}

void Replay::keep(cudaGraph_t graph) {
  if (!graph) return;
  if (!went_well(cudaGraphInstantiate(&ready_, graph, 0))) ready_ = nullptr;
  went_well(cudaGraphDestroy(graph));
}

}  // namespace strider::nd::cuda
