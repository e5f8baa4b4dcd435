// A convolution as a graph of cuDNN's, the engines that may compute it, and plans made of them.
// Only engines are known that give the same bits every time and no less than the rounding that was
// asked for, and that need no compiler. Knows no memory and no times.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "kernels/backend/cuda/device/replays.h"
#include "kernels/backend/cuda/library/cudnn/convolution_key.h"
#include "kernels/backend/cuda/library/cudnn/descriptor.h"

namespace strider::nd::cuda {

// Two of x, w and y, and the place of the third.
struct ConvolutionOperands {
  const std::byte *x, *w, *y;
  std::byte* result;
};

// An engine that is ready to run, any number of times.
class ExecutionPlan {
 public:
  // `parts`: what the plan was made of, which lives as long.
  ExecutionPlan(const CudnnFunctions& functions, BackendDescriptor plan,
                std::vector<BackendDescriptor> parts);

  // Bytes of work space.
  std::size_t space() const { return space_; }
  // Queues the work.
  cudnnStatus_t execute(cudnnHandle_t handle, const ConvolutionOperands& operands,
                        std::byte* space);
  // The same on the queue's stream, by a graph when all lies where it has lain a few times.
  cudnnStatus_t replay(cudnnHandle_t handle, GraphQueue& queue, Recorder& recorder,
                       const ConvolutionOperands& operands, std::byte* space);

 private:
  // x, w, y and the work space.
  using Addresses = std::array<void*, 4>;
  struct Pack {
    Addresses addresses;
    BackendDescriptor descriptor;
    Replay replay;
  };
  static constexpr std::size_t kPacks = 8;

  Pack& find(const ConvolutionOperands& operands, std::byte* space);

  const CudnnFunctions& functions_;
  std::vector<BackendDescriptor> parts_;
  BackendDescriptor plan_;
  std::size_t space_;
  std::vector<Pack> packs_;  // operands tend to lie where they lay before
  std::size_t next_ = 0;     // which is the next to be replaced
};

class ConvolutionGraph {
 public:
  ConvolutionGraph(const CudnnFunctions& functions, cudnnHandle_t handle,
                   const ConvolutionKey& key);

  // Whether cuDNN knows such graphs at all, or what it says.
  bool is_good() const { return graph_.is_good(); }
  cudnnStatus_t status() const { return graph_.status(); }
  // By cuDNN's own estimates the fastest comes first; behind them all the others. Some of them
  // cannot be built.
  std::vector<EngineChoice> list_choices() const;
  // Null where cuDNN refuses, or the engine is none of those that may be used.
  std::unique_ptr<ExecutionPlan> build(const EngineChoice& choice) const;

 private:
  BackendDescriptor describe_tensor(std::int64_t number, std::vector<std::int64_t> extents) const;
  BackendDescriptor describe_windows() const;
  BackendDescriptor describe_work() const;
  bool may_use(const BackendDescriptor& engine) const;
  void add_suggested(cudnnBackendHeurMode_t mode, std::vector<EngineChoice>& found) const;

  const CudnnFunctions& functions_;
  cudnnHandle_t handle_;
  ConvolutionKey key_;
  std::vector<BackendDescriptor> parts_;
  BackendDescriptor graph_;
};

}  // namespace strider::nd::cuda
