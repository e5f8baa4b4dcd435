// Memory comes from the pool, elements pass through pinned memory, all else is queued in the
// stream.
#include "kernels/backend/cuda/device/cuda_device.h"

#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "kernels/backend/cuda/device/errors.h"
#include "kernels/backend/cuda/sizes.h"
#include "kernels/core/blocked_signals.h"

namespace strider::nd::cuda {
namespace {

// For so long a wait looks at nothing else, and then so often.
constexpr auto kSpinning = std::chrono::milliseconds(1);
constexpr auto kPause = std::chrono::microseconds(20);

// Shared memory that kernels get without asking, what they take of their own accord set aside.
constexpr std::uint32_t kSharedUnasked = 32 << 10;

// The device of the calling thread's calls; -1: none was chosen.
thread_local int active_device = -1;

}  // namespace

CudaDevice::CudaDevice(int number) : number_(number), pool_(*this) {
  limit_memory(parse_bytes(std::getenv("STRIDER_CUDA_MEMORY_LIMIT"), 0));
}

void CudaDevice::activate() {
  enter();
  launches_.flush(stream_);
}

void CudaDevice::enter() {
  std::call_once(started_, [this] { start(); });
  if (active_device == number_) return;
  check(cudaSetDevice(number_), "choosing a device");
  active_device = number_;
}

void CudaDevice::start() {
  BlockedSignals blocked;  // the driver starts threads
  check(cudaSetDevice(number_), "starting the device");
  active_device = number_;
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "starting the device");
  check(cudaEventCreateWithFlags(&reached_, cudaEventDisableTiming), "starting the device");
  check(cudaEventCreateWithFlags(&passed_, cudaEventDisableTiming), "starting the device");
  facts_.processors = attribute(cudaDevAttrMultiProcessorCount);
  facts_.threads_per_processor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  facts_.shared_bytes =
      static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  capability_ = attribute(cudaDevAttrComputeCapabilityMajor) * 10 +
                attribute(cudaDevAttrComputeCapabilityMinor);
  staging_ = std::make_unique<Staging>(stream_);
  words_ = std::make_unique<ConditionWords>(stream_);
}

int CudaDevice::attribute(cudaDeviceAttr which) const {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, number_), "asking for the device's facts");
  return value;
}

cudaStream_t CudaDevice::stream() {
  activate();
  return stream_;
}

const DeviceFacts& CudaDevice::facts() {
  enter();
  return facts_;
}

int CudaDevice::capability() {
  enter();
  return capability_;
}

std::string CudaDevice::description() const {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, number_), "asking for the device's name");
  return properties.name;
}

DeviceMemory CudaDevice::memory() {
  enter();
  DeviceMemory memory;
  check(cudaMemGetInfo(&memory.free, &memory.total), "asking for the device's memory");
  PoolCounts counts = pool_.counts();
  memory.used = counts.in_use;
  memory.cached = counts.held - counts.in_use;
  memory.peak = counts.peak;
  memory.limit = limit_;
  return memory;
}

void CudaDevice::limit_memory(std::size_t bytes) {
  limit_ = bytes;
  pool_.limit(bytes ? bytes : SIZE_MAX);
}

void CudaDevice::leave_room(std::size_t bytes) {
  do {
    release_cached();
  } while (memory().free < bytes && make_room(bytes));
}

std::byte* CudaDevice::take(std::size_t bytes) {
  enter();
  return pool_.allocate(bytes);
}

void CudaDevice::free(std::byte* address, std::size_t) noexcept { pool_.free(address); }

std::byte* CudaDevice::acquire(std::size_t bytes) {
  void* segment = nullptr;
  cudaError_t status = cudaMalloc(&segment, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check(status, "allocating memory");
  return static_cast<std::byte*>(segment);
}

void CudaDevice::release(std::byte* segment, std::size_t) noexcept {
  try {
    activate();
  } catch (const Error&) {  // of a device that failed; that was told where it was met
  }
  cudaFree(segment);
  cudaGetLastError();
}

void CudaDevice::upload(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  activate();
  std::lock_guard<std::mutex> guard(transfers_);
  staging_->upload(to, from, bytes);
}

void CudaDevice::download(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  activate();
  std::lock_guard<std::mutex> guard(transfers_);
  if (Staging::are_few(bytes)) {  // one wait for the kernels and for the copy
    const std::byte* there = staging_->fetch(from, bytes);
    wait_for_queue();
    std::memcpy(to, there, bytes);
    return;
  }
  wait_for_queue();
  staging_->download(to, from, bytes);
}

void CudaDevice::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  activate();
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_),
        "copying on the device");
}

bool CudaDevice::copy_from(Device& source, std::byte* to, const std::byte* from,
                           std::size_t bytes) {
  auto* other = dynamic_cast<CudaDevice*>(&source);
  if (!other || other == this) return false;
  if (bytes == 0) return true;
  std::scoped_lock guard(transfers_, other->transfers_);
  activate();
  reach(*other);
  await(*other);  // until the elements are there
  check(cudaMemcpyPeerAsync(to, number_, from, other->number_, bytes, stream_),
        "copying between devices");
  other->await(*this);  // before the memory that they leave is used again
  activate();
  return true;
}

// Opens the other device's memory to this one, once. Where that is impossible, copies take the
// driver's way through the host.
void CudaDevice::reach(CudaDevice& other) {
  if (std::find(reachable_.begin(), reachable_.end(), other.number_) != reachable_.end()) return;
  int can = 0;
  if (cudaDeviceCanAccessPeer(&can, number_, other.number_) == cudaSuccess && can)
    cudaDeviceEnablePeerAccess(other.number_, 0);
  cudaGetLastError();  // of access that somebody opened before
  reachable_.push_back(other.number_);
}

// What is queued from now on happens after what the other device has queued.
void CudaDevice::await(CudaDevice& other) {
  other.activate();
  check(cudaEventRecord(other.passed_, other.stream_), "recording an event");
  activate();
  check(cudaStreamWaitEvent(stream_, other.passed_, 0), "waiting for another device");
}

void CudaDevice::clear(std::byte* address, std::size_t bytes) {
  if (bytes == 0) return;
  activate();
  check(cudaMemsetAsync(address, 0, bytes, stream_), "clearing memory");
}

void CudaDevice::synchronize() {
  activate();
  std::lock_guard<std::mutex> guard(transfers_);
  wait_for_queue();
}

void CudaDevice::wait_for_queue() {
  check(cudaEventRecord(reached_, stream_), "recording an event");
  auto start = std::chrono::steady_clock::now();
  for (;;) {
    cudaError_t status = cudaEventQuery(reached_);
    if (status != cudaErrorNotReady) return check(status, "waiting for the device");
    if (std::chrono::steady_clock::now() - start < kSpinning) continue;
    check_interrupt();
    std::this_thread::sleep_for(kPause);
  }
}

void CudaDevice::launch(const void* kernel, const KernelCall& call) {
  enter();
  dim3 grid(call.grid[0], call.grid[1], call.grid[2]);
  dim3 block(call.block[0], call.block[1], call.block[2]);
  if (call.shared_bytes > kSharedUnasked) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(call.shared_bytes)),
          "asking for shared memory");
  }
  Launch launch{kernel, nullptr, grid, block, call.shared_bytes, call.arguments.size()};
  check(launches_.add(launch, call.arguments, stream_), "launching a kernel");
  ++device_counts().launches;
}

bool CudaDevice::launch(const std::shared_ptr<const RecordedGraph>& graph) {
  enter();
  return went_well(launches_.add({nullptr, graph, {}, {}, 0, 0}, {}, stream_));
}

void CudaDevice::end_sequence() {
  enter();
  launches_.end(stream_);
}

void CudaDevice::let_go_of_kernels() noexcept {
  try {
    enter();
    launches_.let_go(stream_);
  } catch (const Error&) {  // of a launch; whoever waits for the device meets it
  }
}

std::uint32_t* CudaDevice::take_words(std::size_t count) {
  enter();
  std::lock_guard<std::mutex> guard(transfers_);
  if (words_->leaves_section(count)) launches_.flush(stream_);
  return words_->take(count);
}

}  // namespace strider::nd::cuda
