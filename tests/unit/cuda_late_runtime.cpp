// One stream; events are places in its queue.
#include "tests/unit/cuda_late_runtime.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace late {

std::size_t capacity = std::size_t{1} << 30;
std::size_t in_use = 0;
cudaError_t failure = cudaSuccess;
int looks_until_done = 0;

namespace {

std::deque<std::function<void()>> queue;
std::size_t begun = 0;  // how many of all that was ever queued have happened
std::map<void*, std::size_t> sizes;

void queue_up(std::function<void()> work) { queue.push_back(std::move(work)); }

void run_until(std::size_t count) {
  for (; begun < count; ++begun) {
    queue.front()();
    queue.pop_front();
  }
}

std::size_t& place_of(cudaEvent_t event) { return *reinterpret_cast<std::size_t*>(event); }

cudaError_t take_failure() { return std::exchange(failure, cudaSuccess); }

}  // namespace
}  // namespace late

extern "C" {

cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorIllegalAddress ? "an illegal memory access was encountered" : "failed";
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  return *value = 9, cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::memset(properties, 0, sizeof *properties);
  std::strcpy(properties->name, "Late");
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = late::capacity;
  *free = late::capacity - late::in_use;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return *stream = nullptr, cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t size) {
  if (late::in_use + size > late::capacity) return cudaErrorMemoryAllocation;
  *memory = std::aligned_alloc(256, size);
  late::in_use += size;
  late::sizes[*memory] = size;
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  late::run_until(late::begun + late::queue.size());
  late::in_use -= late::sizes.extract(memory).mapped();
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t size, unsigned) {
  return *memory = std::calloc(size, 1), cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind,
                            cudaStream_t) {
  late::queue_up([=] { std::memmove(to, from, size); });
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t size, cudaStream_t) {
  late::queue_up([=] { std::memset(memory, value, size); });
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3, dim3 block, void** arguments, std::size_t,
                             cudaStream_t) {
  if (block.x > 1024) return cudaErrorInvalidConfiguration;
  std::vector<std::byte> copy(64);
  std::memcpy(copy.data(), arguments[0], copy.size());
  auto call = reinterpret_cast<late::Kernel>(const_cast<void*>(kernel));
  late::queue_up([=] { call(copy.data()); });
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(new std::size_t(0));
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  late::place_of(event) = late::begun + late::queue.size();
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  late::run_until(late::place_of(event));
  return late::take_failure();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (late::looks_until_done > 0) return --late::looks_until_done, cudaErrorNotReady;
  return cudaEventSynchronize(event);
}

}  // extern "C"
