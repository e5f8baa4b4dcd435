// Files are named by everything that a choice depends on.
#include "kernels/backend/cuda/library/cudnn/choices.h"

#include <cstdlib>
#include <string_view>

#include "kernels/backend/cuda/jit/disk_cache.h"

namespace strider::nd::cuda {

CudnnChoices::CudnnChoices(const Cudnn& cudnn, DiskCache* files) : cudnn_(cudnn), files_(files) {
  const char* text = std::getenv("STRIDER_CUDNN");
  if (text && std::string_view(text) == "estimate") are_measured_ = false;
}

std::string CudnnChoices::name_of(const std::string& choice, const ConvolutionKey& key) const {
  return choice + " of cuDNN " + std::to_string(cudnn_.functions().version()) + " on " +
         cudnn_.device().description() + ": " + to_text(key);
}

std::optional<std::string> CudnnChoices::find(const std::string& choice,
                                              const ConvolutionKey& key) const {
  if (!files_ || !are_measured_) return std::nullopt;
  return files_->find(name_of(choice, key));
}

void CudnnChoices::store(const std::string& choice, const ConvolutionKey& key,
                         const std::string& text) {
  if (files_ && are_measured_) files_->store(name_of(choice, key), text);
}

}  // namespace strider::nd::cuda
