// Runs convolutions by the fastest of cuDNN's plans for a shape. Which one that is, is measured
// when the shape is met first, and kept on disk; where there is no memory for a plan's work space,
// the next is taken. Knows no images.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "kernels/backend/cuda/library/cudnn/choices.h"
#include "kernels/backend/cuda/library/cudnn/cudnn.h"
#include "kernels/backend/cuda/library/cudnn/graph.h"

namespace strider::nd::cuda {

class ConvolutionPlans {
 public:
  ConvolutionPlans(Cudnn& cudnn, CudnnChoices& choices);
  ~ConvolutionPlans();

  // Queues the work; false where cuDNN has nothing for it.
  bool run(const ConvolutionKey& key, const ConvolutionOperands& operands);

 private:
  struct Candidate {
    EngineChoice choice;
    std::unique_ptr<ExecutionPlan> plan;
    float milliseconds = 0;  // 0: not measured
  };
  using Candidates = std::vector<Candidate>;
  struct Shape;

  static constexpr std::size_t kKept = 256;

  // The shape, with candidates in the order in which they are tried.
  Shape& find(const ConvolutionKey& key, const ConvolutionOperands& operands);
  Candidates build(const ConvolutionGraph& graph, const std::vector<EngineChoice>& choices) const;
  Candidates choose(const Shape& shape, const ConvolutionOperands& operands);
  // False where there was too little memory for some.
  bool measure(const Shape& shape, ConvolutionOperands operands, Candidates& candidates) const;
  bool run(Candidates& candidates, const ConvolutionOperands& operands);

  Cudnn& cudnn_;
  CudnnChoices& choices_;
  Recorder recorder_;
  std::list<Shape> shapes_;  // the one used last comes first
};

}  // namespace strider::nd::cuda
