// Convolutions by cuDNN: images as it wants them, with equal edges, and as many at a time as it can
// count. Knows no engines.
#pragma once

#include "kernels/backend/cuda/library/cudnn/tiles.h"
#include "kernels/backend/cuda/precompiled/planes.h"
#include "kernels/backend/networks.h"

namespace strider::nd::cuda {

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
  // `files` keeps what was measured; null: nothing does.
  CudnnConvolution(Cudnn& cudnn, DiskCache* files)
      : cudnn_(cudnn),
        choices_(cudnn, files),
        plans_(cudnn, choices_),
        tiles_(cudnn, choices_, plans_) {}

  // Queues the work; false where cuDNN has nothing for it.
  bool run(ConvolutionWork work, DType dtype, const Convolution& convolution,
           const ConvolutionOperands& operands);

 private:
  class Images;

  Cudnn& cudnn_;
  CudnnChoices choices_;
  ConvolutionPlans plans_;
  TiledConvolution tiles_;
};

}  // namespace strider::nd::cuda
