// Convolutions by cuDNN. What it has found out about a shape is kept as a plan. Of its algorithms
// those are used that give the same bits every time, in the order of its own estimates, which do
// not change from run to run either; where there is no memory for the work space of one, the next.
#pragma once

#include <cudnn.h>

#include <list>
#include <memory>
#include <vector>

#include "kernels/backend/cuda/library/cudnn.h"
#include "kernels/backend/cuda/precompiled/planes.h"
#include "kernels/backend/networks.h"

namespace strider::nd::cuda {

enum class ConvolutionWork : std::uint8_t { kForward, kData, kWeights };

// What a plan depends on. Edges are equal on both sides.
struct ConvolutionKey {
  ConvolutionWork work = ConvolutionWork::kForward;
  DType dtype = DType::kFloat32;
  bool tf32 = false;
  std::int64_t batch = 1, channels = 1, filters = 1, groups = 1;
  std::int64_t extent[2] = {}, size[2] = {}, stride[2] = {}, edge[2] = {}, dilation[2] = {};
  bool operator==(const ConvolutionKey&) const = default;
};

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
  explicit CudnnConvolution(Cudnn& cudnn);
  ~CudnnConvolution();

  // As the contract's, without b.
  bool forward(DType dtype, const Convolution& convolution, const std::byte* x, const std::byte* w,
               std::byte* y);
  bool data_gradient(DType dtype, const Convolution& convolution, const std::byte* dy,
                     const std::byte* w, std::byte* dx);
  bool weight_gradient(DType dtype, const Convolution& convolution, const std::byte* dy,
                       const std::byte* x, std::byte* dw);

 private:
  struct Algorithm {
    int number;
    cudnnMathType_t math;
    std::size_t space;  // bytes
  };
  struct Plan;
  // Two of x, w and y, and the place of the third.
  struct Operands {
    const std::byte *x, *w, *y;
    std::byte* result;
  };
  class Images;

  static constexpr std::size_t kKept = 256;

  template <class Run>
  bool for_images(const Convolution& convolution, Run&& run);
  bool run(const ConvolutionKey& key, const Operands& operands, bool add);
  Plan& find(const ConvolutionKey& key);
  void list_algorithms(Plan& plan);
  template <class Performance, class Suggest>
  void add_suggested(Plan& plan, int most, Suggest&& suggest);
  void add(Plan& plan, int number, cudnnMathType_t math);
  cudnnStatus_t ask_space(const Plan& plan, int number, std::size_t* space) const;
  cudnnStatus_t execute(const Plan& plan, const Algorithm& algorithm, const Operands& operands,
                        std::byte* space, bool add) const;

  Cudnn& cudnn_;
  std::list<std::unique_ptr<Plan>> plans_;  // the one used last comes first
};

}  // namespace strider::nd::cuda
