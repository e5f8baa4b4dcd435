// The functions of cuDNN that are used. Calls none.
#pragma once

#include <cudnn.h>

#include "kernels/backend/cuda/toolkit.h"

namespace strider::nd::cuda {

struct CudnnFunctions {
  explicit CudnnFunctions(const ToolkitLibrary& library);
  bool are_there() const { return complete; }

  bool complete = false;
  decltype(cudnnCreate)* create;
  decltype(cudnnSetStream)* set_stream;
  decltype(cudnnGetVersion)* version;
  decltype(cudnnGetCudartVersion)* runtime_version;
  decltype(cudnnGetErrorString)* error_text;

  decltype(cudnnCreateTensorDescriptor)* create_tensor;
  decltype(cudnnDestroyTensorDescriptor)* destroy_tensor;
  decltype(cudnnSetTensorNdDescriptor)* set_tensor;

  decltype(cudnnBackendCreateDescriptor)* create_descriptor;
  decltype(cudnnBackendDestroyDescriptor)* destroy_descriptor;
  decltype(cudnnBackendSetAttribute)* set_attribute;
  decltype(cudnnBackendGetAttribute)* get_attribute;
  decltype(cudnnBackendFinalize)* finalize;
  decltype(cudnnBackendExecute)* execute;

  decltype(cudnnCreateDropoutDescriptor)* create_dropout;
  decltype(cudnnDestroyDropoutDescriptor)* destroy_dropout;
  decltype(cudnnDropoutGetStatesSize)* dropout_size;
  decltype(cudnnSetDropoutDescriptor)* set_dropout;
  decltype(cudnnCreateRNNDescriptor)* create_recurrent;
  decltype(cudnnDestroyRNNDescriptor)* destroy_recurrent;
  decltype(cudnnSetRNNDescriptor_v8)* set_recurrent;
  decltype(cudnnCreateRNNDataDescriptor)* create_sequence;
  decltype(cudnnDestroyRNNDataDescriptor)* destroy_sequence;
  decltype(cudnnSetRNNDataDescriptor)* set_sequence;
  decltype(cudnnGetRNNWeightSpaceSize)* recurrent_weights_size;
  decltype(cudnnGetRNNWeightParams)* recurrent_weights;
  decltype(cudnnGetRNNTempSpaceSizes)* recurrent_sizes;
  decltype(cudnnRNNForward)* recur;
  decltype(cudnnRNNBackwardData_v8)* recur_data;
  decltype(cudnnRNNBackwardWeights_v8)* recur_weights;
};

}  // namespace strider::nd::cuda
