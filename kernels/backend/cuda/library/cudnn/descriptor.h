// A descriptor of cuDNN's operation graphs: made, given attributes, finished, and asked. Of what
// goes wrong the first is remembered, also of what it is made of, so that one look at the end of a
// description is enough. Knows no operations.
#pragma once

#include <cudnn_graph.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/backend/cuda/library/cudnn/functions.h"

namespace strider::nd::cuda {

class BackendDescriptor {
 public:
  BackendDescriptor(const CudnnFunctions& functions, cudnnBackendDescriptorType_t type);
  BackendDescriptor(BackendDescriptor&& other) noexcept;
  BackendDescriptor& operator=(BackendDescriptor&& other) noexcept;
  ~BackendDescriptor();

  bool is_good() const { return status_ == CUDNN_STATUS_SUCCESS; }
  cudnnStatus_t status() const { return status_; }
  cudnnBackendDescriptor_t get() const { return descriptor_; }

  template <class T>
  void set(cudnnBackendAttributeName_t name, const std::vector<T>& values) {
    set(name, type_of(T()), values.size(), values.data());
  }
  template <class T>
  void set(cudnnBackendAttributeName_t name, T value) {
    set(name, type_of(value), 1, &value);
  }
  void set(cudnnBackendAttributeName_t name, const BackendDescriptor& value);
  void set(cudnnBackendAttributeName_t name, const std::vector<BackendDescriptor>& values);
  // After it nothing can be set.
  void finish();

  // At most so many values; none where they cannot be had.
  template <class T>
  std::vector<T> read(cudnnBackendAttributeName_t name, std::size_t most) const {
    std::vector<T> values(most);
    values.resize(read(name, type_of(T()), most, values.data()));
    return values;
  }
  // The one value, or what is taken for it.
  template <class T>
  T read_one(cudnnBackendAttributeName_t name, T otherwise) const {
    T value = otherwise;
    return read(name, type_of(value), 1, &value) == 1 ? value : otherwise;
  }
  // The same of descriptors of a type.
  std::vector<BackendDescriptor> read_descriptors(cudnnBackendAttributeName_t name,
                                                  cudnnBackendDescriptorType_t type,
                                                  std::size_t most) const;

 private:
  static cudnnBackendAttributeType_t type_of(std::int64_t) { return CUDNN_TYPE_INT64; }
  static cudnnBackendAttributeType_t type_of(float) { return CUDNN_TYPE_FLOAT; }
  static cudnnBackendAttributeType_t type_of(double) { return CUDNN_TYPE_DOUBLE; }
  static cudnnBackendAttributeType_t type_of(void*) { return CUDNN_TYPE_VOID_PTR; }
  static cudnnBackendAttributeType_t type_of(cudnnHandle_t) { return CUDNN_TYPE_HANDLE; }
  static cudnnBackendAttributeType_t type_of(cudnnDataType_t) { return CUDNN_TYPE_DATA_TYPE; }
  static cudnnBackendAttributeType_t type_of(cudnnConvolutionMode_t) {
    return CUDNN_TYPE_CONVOLUTION_MODE;
  }
  static cudnnBackendAttributeType_t type_of(cudnnBackendHeurMode_t) {
    return CUDNN_TYPE_HEUR_MODE;
  }
  static cudnnBackendAttributeType_t type_of(cudnnBackendKnobType_t) {
    return CUDNN_TYPE_KNOB_TYPE;
  }
  static cudnnBackendAttributeType_t type_of(cudnnBackendNumericalNote_t) {
    return CUDNN_TYPE_NUMERICAL_NOTE;
  }
  static cudnnBackendAttributeType_t type_of(cudnnBackendBehaviorNote_t) {
    return CUDNN_TYPE_BEHAVIOR_NOTE;
  }

  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t count,
           const void* values);
  std::size_t read(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                   std::size_t most, void* values) const;
  void note(cudnnStatus_t status);

  const CudnnFunctions* functions_;
  cudnnBackendDescriptor_t descriptor_ = nullptr;
  cudnnStatus_t status_;
};

}  // namespace strider::nd::cuda
