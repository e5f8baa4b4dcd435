// All of them are in version 9.0 and later ones.
#include "kernels/backend/cuda/library/cudnn/functions.h"

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
  find("cudnnBackendCreateDescriptor", create_descriptor);
  find("cudnnBackendDestroyDescriptor", destroy_descriptor);
  find("cudnnBackendSetAttribute", set_attribute);
  find("cudnnBackendGetAttribute", get_attribute);
  find("cudnnBackendFinalize", finalize);
  find("cudnnBackendExecute", execute);
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
