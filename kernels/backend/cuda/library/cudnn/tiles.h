// Convolutions of large images with large windows, in tiles: cuDNN's Fourier transforms, which are
// fastest there, want images that are small. Whether tiles are faster is measured once for a shape.
#pragma once

#include <optional>
#include <vector>

#include "kernels/backend/cuda/library/cudnn/convolution_plans.h"
#include "kernels/backend/cuda/precompiled/planes.h"

namespace strider::nd::cuda {

// How a result is cut into tiles, and the convolution of all tiles as so many more images.
struct ConvolutionTiles {
  ConvolutionKey key;
  std::int64_t count[2] = {}, step[2] = {};
};

// Tiles that, with what their windows see, are at most so many elements long; none where cuDNN
// would take the whole as well, windows are small or do not move by single elements, or there would
// be too many elements.
std::optional<ConvolutionTiles> cut_into_tiles(const ConvolutionKey& key, std::int64_t reach);

class TiledConvolution {
 public:
  TiledConvolution(Cudnn& cudnn, CudnnChoices& choices, ConvolutionPlans& plans)
      : cudnn_(cudnn), choices_(choices), plans_(plans) {}

  // Queues the work, in tiles or at once; false where cuDNN has nothing for it.
  bool run(const ConvolutionKey& key, const ConvolutionOperands& operands);
  bool run_in_tiles(const ConvolutionKey& key, const ConvolutionTiles& tiles,
                    const ConvolutionOperands& operands);

 private:
  struct Choice {
    ConvolutionKey key;
    std::int64_t reach;  // 0: the whole at once
  };
  static constexpr std::size_t kKept = 64;

  std::int64_t find(const ConvolutionKey& key, const ConvolutionOperands& operands);
  std::int64_t measure(const ConvolutionKey& key, ConvolutionOperands operands);

  Cudnn& cudnn_;
  CudnnChoices& choices_;
  ConvolutionPlans& plans_;
  std::vector<Choice> kept_;
};

}  // namespace strider::nd::cuda
