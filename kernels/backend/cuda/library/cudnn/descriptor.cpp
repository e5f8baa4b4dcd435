// Attributes are arrays of one type; a descriptor that is read is written into one that exists.
#include "kernels/backend/cuda/library/cudnn/descriptor.h"

#include <algorithm>
#include <utility>

namespace strider::nd::cuda {

BackendDescriptor::BackendDescriptor(const CudnnFunctions& functions,
                                     cudnnBackendDescriptorType_t type)
    : functions_(&functions), status_(functions.create_descriptor(type, &descriptor_)) {}

BackendDescriptor::BackendDescriptor(BackendDescriptor&& other) noexcept
    : functions_(other.functions_),
      descriptor_(std::exchange(other.descriptor_, nullptr)),
      status_(other.status_) {}

BackendDescriptor& BackendDescriptor::operator=(BackendDescriptor&& other) noexcept {
  std::swap(functions_, other.functions_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(status_, other.status_);
  return *this;
}

BackendDescriptor::~BackendDescriptor() {
  if (descriptor_) functions_->destroy_descriptor(descriptor_);
}

void BackendDescriptor::note(cudnnStatus_t status) {
  if (is_good()) status_ = status;
}

void BackendDescriptor::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                            std::size_t count, const void* values) {
  if (!is_good()) return;
  note(
      functions_->set_attribute(descriptor_, name, type, static_cast<std::int64_t>(count), values));
}

void BackendDescriptor::set(cudnnBackendAttributeName_t name, const BackendDescriptor& value) {
  note(value.status_);
  set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value.descriptor_);
}

void BackendDescriptor::set(cudnnBackendAttributeName_t name,
                            const std::vector<BackendDescriptor>& values) {
  std::vector<cudnnBackendDescriptor_t> descriptors;
  for (const BackendDescriptor& value : values) {
    note(value.status_);
    descriptors.push_back(value.descriptor_);
  }
  set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, descriptors.size(), descriptors.data());
}

void BackendDescriptor::finish() {
  if (is_good()) note(functions_->finalize(descriptor_));
}

std::size_t BackendDescriptor::read(cudnnBackendAttributeName_t name,
                                    cudnnBackendAttributeType_t type, std::size_t most,
                                    void* values) const {
  std::int64_t count = 0, asked = static_cast<std::int64_t>(most);
  if (!is_good() || functions_->get_attribute(descriptor_, name, type, asked, &count, values) !=
                        CUDNN_STATUS_SUCCESS)
    return 0;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, asked));
}

std::vector<BackendDescriptor> BackendDescriptor::read_descriptors(
    cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type, std::size_t most) const {
  std::vector<BackendDescriptor> found;
  std::vector<cudnnBackendDescriptor_t> places;
  for (std::size_t i = 0; i < most; ++i) {
    found.emplace_back(*functions_, type);
    if (!found.back().is_good()) return {};
    places.push_back(found.back().descriptor_);
  }
  std::size_t filled = read(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, most, places.data());
  found.erase(found.begin() + static_cast<std::ptrdiff_t>(filled), found.end());
  return found;
}

}  // namespace strider::nd::cuda
