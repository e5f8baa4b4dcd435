// All of them are in version 9.0 and later ones.
#include "kernels/backend/cuda/library/cudnn_functions.h"

namespace strider::nd::cuda {

CudnnFunctions::CudnnFunctions(const ToolkitLibrary& library) {
  complete = true;
  auto find = [&](const char* name, auto*& function) {
    library.find(name, function);
    complete = complete && function;
  };
  find("cudnnCreate", create);
  find("cudnnSetStream", set_stream);
  find("cudnnGetVersion", version);
  find("cudnnGetCudartVersion", runtime_version);
  find("cudnnGetErrorString", error_text);
  find("cudnnCreateTensorDescriptor", create_tensor);
  find("cudnnDestroyTensorDescriptor", destroy_tensor);
  find("cudnnSetTensorNdDescriptor", set_tensor);
  find("cudnnCreateFilterDescriptor", create_filter);
  find("cudnnDestroyFilterDescriptor", destroy_filter);
  find("cudnnSetFilter4dDescriptor", set_filter);
  find("cudnnCreateConvolutionDescriptor", create_convolution);
  find("cudnnDestroyConvolutionDescriptor", destroy_convolution);
  find("cudnnSetConvolution2dDescriptor", set_convolution);
  find("cudnnSetConvolutionGroupCount", set_groups);
  find("cudnnSetConvolutionMathType", set_math);
  find("cudnnGetConvolutionForwardAlgorithm_v7", suggest_forward);
  find("cudnnGetConvolutionForwardWorkspaceSize", forward_size);
  find("cudnnConvolutionForward", forward);
  find("cudnnGetConvolutionBackwardDataAlgorithm_v7", suggest_data);
  find("cudnnGetConvolutionBackwardDataWorkspaceSize", data_size);
  find("cudnnConvolutionBackwardData", data);
  find("cudnnGetConvolutionBackwardFilterAlgorithm_v7", suggest_weights);
  find("cudnnGetConvolutionBackwardFilterWorkspaceSize", weights_size);
  find("cudnnConvolutionBackwardFilter", weights);
  find("cudnnCreateDropoutDescriptor", create_dropout);
  find("cudnnDestroyDropoutDescriptor", destroy_dropout);
  find("cudnnDropoutGetStatesSize", dropout_size);
  find("cudnnSetDropoutDescriptor", set_dropout);
  find("cudnnCreateRNNDescriptor", create_recurrent);
  find("cudnnDestroyRNNDescriptor", destroy_recurrent);
  find("cudnnSetRNNDescriptor_v8", set_recurrent);
  find("cudnnCreateRNNDataDescriptor", create_sequence);
  find("cudnnDestroyRNNDataDescriptor", destroy_sequence);
  find("cudnnSetRNNDataDescriptor", set_sequence);
  find("cudnnGetRNNWeightSpaceSize", recurrent_weights_size);
  find("cudnnGetRNNWeightParams", recurrent_weights);
  find("cudnnGetRNNTempSpaceSizes", recurrent_sizes);
  find("cudnnRNNForward", recur);
  find("cudnnRNNBackwardData_v8", recur_data);
  find("cudnnRNNBackwardWeights_v8", recur_weights);
}

}  // namespace strider::nd::cuda
