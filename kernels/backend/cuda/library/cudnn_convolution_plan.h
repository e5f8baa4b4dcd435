// What cuDNN knows of one convolution: descriptors, the algorithms that may do it, and how they are
// run. Of its algorithms those are listed that give the same bits every time. Knows no images.
#pragma once

#include <cudnn.h>

#include <string>
#include <vector>

#include "kernels/backend/cuda/library/cudnn.h"
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

// All of it as numbers with spaces between them.
std::string to_text(const ConvolutionKey& key);

struct ConvolutionAlgorithm {
  int number;
  cudnnMathType_t math;
  std::size_t space;  // bytes
};

// "number/math number/math …", and back: the algorithms in the order of such a text, those that it
// does not name behind them. Whatever is wrong with the text is passed over.
std::string to_text(const std::vector<ConvolutionAlgorithm>& algorithms);
std::vector<ConvolutionAlgorithm> in_order(const std::vector<ConvolutionAlgorithm>& algorithms,
                                           const std::string& text);

// Two of x, w and y, and the place of the third.
struct ConvolutionOperands {
  const std::byte *x, *w, *y;
  std::byte* result;
};

class ConvolutionPlan {
 public:
  ConvolutionPlan(const Cudnn& cudnn, const ConvolutionKey& key);

  const ConvolutionKey& key() const { return key_; }
  // By cuDNN's own estimates the fastest comes first.
  std::vector<ConvolutionAlgorithm> list_algorithms() const;
  // Queues the work; what is there already is added to, or replaced.
  cudnnStatus_t execute(const ConvolutionAlgorithm& algorithm, const ConvolutionOperands& operands,
                        std::byte* space, bool add) const;
  std::size_t result_bytes() const;

  std::vector<ConvolutionAlgorithm> algorithms;  // in the order in which they are tried
  bool is_ordered = false;                       // by more than estimates

 private:
  void suggest(cudnnMathType_t math, std::vector<ConvolutionAlgorithm>& found) const;
  template <class Performance, class Suggest>
  void add_suggested(std::vector<ConvolutionAlgorithm>& found, cudnnMathType_t math, int most,
                     Suggest&& suggest) const;
  void add(std::vector<ConvolutionAlgorithm>& found, int number, cudnnMathType_t math) const;
  cudnnStatus_t ask_space(int number, std::size_t* space) const;

  const Cudnn& cudnn_;
  ConvolutionKey key_;
  int places_[2];
  TensorDescriptor x_, y_;
  Descriptor<cudnnFilterDescriptor_t> w_;
  Descriptor<cudnnConvolutionDescriptor_t> convolution_;
};

}  // namespace strider::nd::cuda
