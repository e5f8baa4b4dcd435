// The functions of cuBLAS and cuDNN that Strider calls, doing nothing and saying that all is well.
// They are found by their names alone. cuDNN is said to know one algorithm for everything, without
// notes and without working memory.
#include <cstddef>
#include <cstdint>

#define STRIDER_IDLE(name) \
  int name() { return 0; }
#define STRIDER_OPENED(name) \
  int name(void** handle) {  \
    *handle = &some_object;  \
    return 0;                \
  }

namespace {

char some_object;

// Of cuDNN's types of attributes.
constexpr int kInteger = 3, kNumericalNote = 11, kBehaviourNote = 19;

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

STRIDER_OPENED(cublasCreate_v2)
STRIDER_IDLE(cublasSetStream_v2)
STRIDER_IDLE(cublasSetWorkspace_v2)
STRIDER_IDLE(cublasSetPointerMode_v2)
STRIDER_IDLE(cublasGemmEx_64)
STRIDER_IDLE(cublasGemmStridedBatchedEx_64)
STRIDER_IDLE(cublasDotEx_64)
STRIDER_IDLE(cublasSgetrfBatched)
STRIDER_IDLE(cublasDgetrfBatched)
STRIDER_IDLE(cublasCgetrfBatched)
STRIDER_IDLE(cublasZgetrfBatched)
STRIDER_IDLE(cublasSgetrsBatched)
STRIDER_IDLE(cublasDgetrsBatched)
STRIDER_IDLE(cublasCgetrsBatched)
STRIDER_IDLE(cublasZgetrsBatched)
const char* cublasGetStatusString() { return "an error of a library that does nothing"; }

std::size_t cudnnGetVersion() { return 91400; }
std::size_t cudnnGetCudartVersion() { return 13000; }
const char* cudnnGetErrorString() { return "an error of a library that does nothing"; }
STRIDER_OPENED(cudnnCreate)
STRIDER_OPENED(cudnnCreateTensorDescriptor)
STRIDER_OPENED(cudnnCreateDropoutDescriptor)
STRIDER_OPENED(cudnnCreateRNNDescriptor)
STRIDER_OPENED(cudnnCreateRNNDataDescriptor)
int cudnnBackendCreateDescriptor(int, void** descriptor) {
  *descriptor = &some_object;
  return 0;
}
int cudnnBackendGetAttribute(void*, int, int type, std::int64_t most, std::int64_t* count,
                             void* values) {
  bool note = type == kNumericalNote || type == kBehaviourNote;
  if (count) *count = note || most < 1 ? 0 : 1;
  if (values && type == kInteger && most >= 1) *static_cast<std::int64_t*>(values) = 0;
  return 0;
}
STRIDER_IDLE(cudnnSetStream)
STRIDER_IDLE(cudnnDestroyTensorDescriptor)
STRIDER_IDLE(cudnnSetTensorNdDescriptor)
STRIDER_IDLE(cudnnBackendDestroyDescriptor)
STRIDER_IDLE(cudnnBackendSetAttribute)
STRIDER_IDLE(cudnnBackendFinalize)
STRIDER_IDLE(cudnnBackendExecute)
STRIDER_IDLE(cudnnDestroyDropoutDescriptor)
STRIDER_IDLE(cudnnDropoutGetStatesSize)
STRIDER_IDLE(cudnnSetDropoutDescriptor)
STRIDER_IDLE(cudnnDestroyRNNDescriptor)
STRIDER_IDLE(cudnnSetRNNDescriptor_v8)
STRIDER_IDLE(cudnnDestroyRNNDataDescriptor)
STRIDER_IDLE(cudnnSetRNNDataDescriptor)
STRIDER_IDLE(cudnnGetRNNWeightSpaceSize)
STRIDER_IDLE(cudnnGetRNNWeightParams)
STRIDER_IDLE(cudnnGetRNNTempSpaceSizes)
STRIDER_IDLE(cudnnRNNForward)
STRIDER_IDLE(cudnnRNNBackwardData_v8)
STRIDER_IDLE(cudnnRNNBackwardWeights_v8)

}  // extern "C"
