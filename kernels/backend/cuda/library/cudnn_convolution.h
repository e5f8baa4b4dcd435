// Convolutions by cuDNN. What it has found out about a shape is kept as a plan. Of its algorithms
// those are used that give the same bits every time, in the order of its own estimates, which do
// not change from run to run either; where there is no memory for the work space of one, the next.
#pragma once

#include <cudnn.h>

#include <list>
#include <memory>

#include "kernels/backend/cuda/library/cudnn_convolution_plan.h"
#include "kernels/backend/cuda/precompiled/planes.h"
#include "kernels/backend/networks.h"

namespace strider::nd::cuda {

class DiskCache;

// The same windows on an axis with equal edges: the axis itself, or one whose elements are those of
// the axis and what is before and after them.
WindowAxis with_equal_edges(const WindowAxis& axis);

// Where planes of so many images lie in those of the convolution on equal edges. An axis that keeps
// its edges begins where it began.
PlaneEdges edges_of(const Convolution& original, const Convolution& equal, std::int64_t batch);

// The convolution, on axes with equal edges, of so many images.
ConvolutionKey key_of(ConvolutionWork work, DType dtype, bool tf32, const Convolution& convolution,
                      std::int64_t batch);

// How many images may be convolved at once, so that elements can be counted in 31 bits; 0: not one.
std::int64_t most_images(const Convolution& convolution);

class CudnnConvolution {
 public:
  // `choices` keeps what was measured; null: nothing does.
  CudnnConvolution(Cudnn& cudnn, DiskCache* choices);
  ~CudnnConvolution();

  // As the contract's, without b.
  bool forward(DType dtype, const Convolution& convolution, const std::byte* x, const std::byte* w,
               std::byte* y);
  bool data_gradient(DType dtype, const Convolution& convolution, const std::byte* dy,
                     const std::byte* w, std::byte* dx);
  bool weight_gradient(DType dtype, const Convolution& convolution, const std::byte* dy,
                       const std::byte* x, std::byte* dw);

 private:
  class Images;

  static constexpr std::size_t kKept = 256;

  template <class Run>
  bool for_images(const Convolution& convolution, Run&& run);
  bool run(const ConvolutionKey& key, const ConvolutionOperands& operands, bool add);
  ConvolutionPlan& find(const ConvolutionKey& key);
  // Puts the plan's algorithms in order, by what was measured before or is now.
  void order(ConvolutionPlan& plan, const ConvolutionOperands& operands);
  // False where there was too little memory for some.
  bool measure(ConvolutionPlan& plan, ConvolutionOperands operands);
  std::string name_of(const ConvolutionPlan& plan) const;

  Cudnn& cudnn_;
  DiskCache* choices_;
  bool measures_;
  std::list<std::unique_ptr<ConvolutionPlan>> plans_;  // the one used last comes first
};

}  // namespace strider::nd::cuda
