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
  decltype(cudnnCreateFilterDescriptor)* create_filter;
  decltype(cudnnDestroyFilterDescriptor)* destroy_filter;
  decltype(cudnnSetFilter4dDescriptor)* set_filter;

  decltype(cudnnCreateConvolutionDescriptor)* create_convolution;
  decltype(cudnnDestroyConvolutionDescriptor)* destroy_convolution;
  decltype(cudnnSetConvolution2dDescriptor)* set_convolution;
  decltype(cudnnSetConvolutionGroupCount)* set_groups;
  decltype(cudnnSetConvolutionMathType)* set_math;
  decltype(cudnnGetConvolutionForwardAlgorithm_v7)* suggest_forward;
  decltype(cudnnGetConvolutionForwardWorkspaceSize)* forward_size;
  decltype(cudnnConvolutionForward)* forward;
  decltype(cudnnGetConvolutionBackwardDataAlgorithm_v7)* suggest_data;
  decltype(cudnnGetConvolutionBackwardDataWorkspaceSize)* data_size;
  decltype(cudnnConvolutionBackwardData)* data;
  decltype(cudnnGetConvolutionBackwardFilterAlgorithm_v7)* suggest_weights;
  decltype(cudnnGetConvolutionBackwardFilterWorkspaceSize)* weights_size;
  decltype(cudnnConvolutionBackwardFilter)* weights;

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
