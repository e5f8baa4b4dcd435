// A CUDA runtime that does nothing: memory is the host's, copies happen at once, kernels are not
// run. What is left of a program's time is what the host does to have a GPU work.
#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#define STRIDER_IDLE(name, ...) \
  cudaError_t name(__VA_ARGS__) { return cudaSuccess; }

namespace {

// As an H100 has them.
constexpr int kProcessors = 132, kThreads = 2048, kMajor = 9;
constexpr std::size_t kMemory = std::size_t{80} << 30, kShared = 232448;

template <class T>
cudaError_t make(T* handle) {
  *handle = reinterpret_cast<T>(std::malloc(1));
  return cudaSuccess;
}

}  // namespace

#undef cudaGetDeviceProperties

extern "C" {

cudaError_t cudaMalloc(void** memory, std::size_t size) {
  *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
  return *memory == MAP_FAILED ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t size, unsigned) {
  *memory = std::calloc(1, size);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind,
                            cudaStream_t) {
  std::memcpy(to, from, size);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind) {
  std::memcpy(to, from, size);
  return cudaSuccess;
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t size,
                                cudaStream_t) {
  std::memcpy(to, from, size);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t size, cudaStream_t) {
  std::memset(to, value, size);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = kMemory;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return make(event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return make(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  std::free(event);
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 0.01f;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return make(stream); }
cudaError_t cudaGetDevice(int* number) {
  *number = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      *value = kProcessors;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = kThreads;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = kMajor;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 0;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(kShared);
      break;
    default:
      *value = 1;
  }
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* facts, int) {
  *facts = {};
  std::strcpy(facts->name, "idle");
  facts->major = kMajor;
  facts->multiProcessorCount = kProcessors;
  facts->maxThreadsPerMultiProcessor = kThreads;
  facts->totalGlobalMem = kMemory;
  facts->sharedMemPerBlockOptin = kShared;
  facts->warpSize = 32;
  facts->maxThreadsPerBlock = 1024;
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* facts, const void*) {
  *facts = {};
  facts->maxThreadsPerBlock = 1024;
  facts->binaryVersion = facts->ptxVersion = 10 * kMajor;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* count, const void*, int,
                                                                   std::size_t, unsigned) {
  *count = 2;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void*, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  return make(library);
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  std::free(library);
  return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t, const char*) {
  return make(kernel);
}
const char* cudaGetErrorString(cudaError_t) { return "an error of a runtime that does nothing"; }

STRIDER_IDLE(cudaFree, void*)
STRIDER_IDLE(cudaGetLastError)
STRIDER_IDLE(cudaPeekAtLastError)
STRIDER_IDLE(cudaSetDevice, int)
STRIDER_IDLE(cudaDeviceEnablePeerAccess, int, unsigned)
STRIDER_IDLE(cudaMemcpy2DAsync, void*, std::size_t, const void*, std::size_t, std::size_t,
             std::size_t, cudaMemcpyKind, cudaStream_t)
STRIDER_IDLE(cudaEventRecord, cudaEvent_t, cudaStream_t)
STRIDER_IDLE(cudaEventQuery, cudaEvent_t)
STRIDER_IDLE(cudaEventSynchronize, cudaEvent_t)
STRIDER_IDLE(cudaStreamSynchronize, cudaStream_t)
STRIDER_IDLE(cudaStreamWaitEvent, cudaStream_t, cudaEvent_t, unsigned)
STRIDER_IDLE(cudaFuncSetAttribute, const void*, cudaFuncAttribute, int)
STRIDER_IDLE(cudaLaunchKernelExC, const cudaLaunchConfig_t*, const void*, void**)
STRIDER_IDLE(cudaLaunchKernel, const void*, dim3, dim3, void**, std::size_t, cudaStream_t)

// Launches are not gathered into graphs.
#define STRIDER_REFUSED(name, ...) \
  cudaError_t name(__VA_ARGS__) { return cudaErrorNotSupported; }
STRIDER_REFUSED(cudaStreamBeginCapture, cudaStream_t, cudaStreamCaptureMode)
STRIDER_REFUSED(cudaStreamEndCapture, cudaStream_t, cudaGraph_t*)
STRIDER_IDLE(cudaGraphLaunch, cudaGraphExec_t, cudaStream_t)
STRIDER_IDLE(cudaGraphExecKernelNodeSetParams, cudaGraphExec_t, cudaGraphNode_t,
             const cudaKernelNodeParams*)
STRIDER_IDLE(cudaGraphExecDestroy, cudaGraphExec_t)
STRIDER_IDLE(cudaGraphDestroy, cudaGraph_t)
STRIDER_IDLE(cudaStreamDestroy, cudaStream_t)

// Graphs, of which nothing is looked at but whether they are there.
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  *graph = reinterpret_cast<cudaGraph_t>(1);
  return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t, const cudaGraphNode_t*,
                                   std::size_t, const cudaKernelNodeParams*) {
  *node = reinterpret_cast<cudaGraphNode_t>(1);
  return cudaSuccess;
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t, const cudaGraphNode_t*,
                                       std::size_t, cudaGraph_t) {
  *node = reinterpret_cast<cudaGraphNode_t>(1);
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* ready, cudaGraph_t, unsigned long long) {
  *ready = reinterpret_cast<cudaGraphExec_t>(1);
  return cudaSuccess;
}

// What kernels that were compiled beforehand are registered and launched by.
void** __cudaRegisterFatBinary(void*) {
  static void* handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*,
                            void*, int*) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
unsigned __cudaPushCallConfiguration(dim3, dim3, std::size_t, void*) { return 0; }
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  *grid = *block = dim3(1);
  *shared = 0;
  *static_cast<void**>(stream) = nullptr;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}
STRIDER_IDLE(__cudaLaunchKernel, cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t)

}  // extern "C"
