// What was measured of convolutions, kept on disk for one cuDNN on one kind of GPU.
#pragma once

#include <optional>
#include <string>

#include "kernels/backend/cuda/library/cudnn/convolution_key.h"
#include "kernels/backend/cuda/library/cudnn/cudnn.h"

namespace strider::nd::cuda {

class DiskCache;

class CudnnChoices {
 public:
  // `files`: null where nothing is kept.
  CudnnChoices(const Cudnn& cudnn, DiskCache* files);

  // Whether anything is to be measured; nothing is with STRIDER_CUDNN=estimate.
  bool are_measured() const { return are_measured_; }
  // What was stored of a convolution under the name of a choice.
  std::optional<std::string> find(const std::string& choice, const ConvolutionKey& key) const;
  void store(const std::string& choice, const ConvolutionKey& key, const std::string& text);

 private:
  std::string name_of(const std::string& choice, const ConvolutionKey& key) const;

  const Cudnn& cudnn_;
  DiskCache* files_;
  bool are_measured_ = true;
};

}  // namespace strider::nd::cuda
