// How long queued work takes on a device.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <optional>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {

class TimedQueue {
 public:
  explicit TimedQueue(CudaDevice& device) : device_(device), stream_(device.stream()) {
    check(cudaEventCreate(&begin_), "measuring");
    check(cudaEventCreate(&end_), "measuring");
  }
  TimedQueue(const TimedQueue&) = delete;
  ~TimedQueue() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  // The milliseconds of a call of run(), which queues work and says whether it could; the least of
  // a few, the first not counted. What is slower than twice `best` is called no more than needed.
  template <class Run>
  std::optional<float> time(Run&& run, float best) {
    device_.activate();
    std::optional<float> first = time_once(run), least;
    if (!first || (*first > kTooLong && *first > kHopeless * best)) return first;
    for (int call = 0; call < kCalls && !(least && *least > 2 * best); ++call) {
      std::optional<float> time = time_once(run);
      if (!time) return std::nullopt;
      least = std::min(least.value_or(*time), *time);
    }
    return least;
  }

 private:
  template <class Run>
  std::optional<float> time_once(Run&& run) {
    check(cudaEventRecord(begin_, stream_), "measuring");
    if (!run()) return std::nullopt;
    check(cudaEventRecord(end_, stream_), "measuring");
    check(cudaEventSynchronize(end_), "measuring");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "measuring");
    return milliseconds;
  }

  static constexpr int kCalls = 5;
  // The first call is counted if it takes so many milliseconds, and so many times the best: more
  // than it takes to load what it needs.
  static constexpr float kTooLong = 100, kHopeless = 8;

  CudaDevice& device_;
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace strider::nd::cuda
