// CudaDevice: one GPU. Its context is made at the first use, and everything happens in one stream.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/backend/cuda/device/condition_words.h"
#include "kernels/backend/cuda/device/launch_sequence.h"
#include "kernels/backend/cuda/device/pool.h"
#include "kernels/backend/cuda/device/recorder.h"
#include "kernels/backend/cuda/device/staging.h"
#include "kernels/backend/cuda/jit/rendering.h"
#include "kernels/core/device.h"

namespace strider::nd::cuda {

// More than libraries and kernels take for themselves, beside the arrays' pool.
inline constexpr std::size_t kOwnMemory = std::size_t{128} << 20;

class CudaDevice : public Device, public GraphQueue, private SegmentSource {
 public:
  explicit CudaDevice(int number);

  std::string name() const override { return "cuda:" + std::to_string(number_); }
  std::byte* take(std::size_t bytes) override;
  void free(std::byte* address, std::size_t bytes) noexcept override;
  void upload(std::byte* to, const std::byte* from, std::size_t bytes) override;
  void download(std::byte* to, const std::byte* from, std::size_t bytes) override;
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override;
  // From another GPU, directly where they reach each other. Both queues go on without the host.
  bool copy_from(Device& source, std::byte* to, const std::byte* from,
                 std::size_t bytes) override;
  void clear(std::byte* address, std::size_t bytes) override;
  // Ends early, with what the interrupt throws, when an interrupt is asked for.
  void synchronize() override;
  std::string description() const override;
  DeviceMemory memory() override;
  // At first STRIDER_CUDA_MEMORY_LIMIT.
  void limit_memory(std::size_t bytes) override;
  void release_cached() override { pool_.release_unused(); }

  // Gives so many bytes back to the device, if it can: for what libraries take there themselves.
  void leave_room(std::size_t bytes);

  // Queues a kernel. `arguments` is its only parameter, passed by value.
  void launch(const void* kernel, const KernelCall& call);
  bool launch(const std::shared_ptr<const RecordedGraph>& graph) override;
  // Words for the conditions of a loop's steps, all 0; null if there are not so many.
  std::uint32_t* take_words(std::size_t count);

  void begin_sequence() override { launches_.begin(); }
  void end_sequence() override;
  // Kernels are about to go: nothing that was launched or will be replayed needs them any more.
  void let_go_of_kernels() noexcept;

  // Makes the device the calling thread's, for calls of the runtime or of libraries; launches that
  // are held go first.
  void activate();
  // Where everything that is queued goes.
  cudaStream_t stream() override;
  const DeviceFacts& facts();
  // 90 for compute capability 9.0.
  int capability();

 private:
  std::byte* acquire(std::size_t bytes) override;
  void release(std::byte* segment, std::size_t bytes) noexcept override;

  void start();
  void enter();
  int attribute(cudaDeviceAttr which) const;
  void wait_for_queue();
  void reach(CudaDevice& other);
  void await(CudaDevice& other);

  int number_;
  std::once_flag started_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t reached_ = nullptr;  // to wait for
  cudaEvent_t passed_ = nullptr;   // for another device to wait for
  DeviceFacts facts_;
  int capability_ = 0;
  std::atomic<std::size_t> limit_{0};  // 0: none
  Pool pool_;
  LaunchSequence launches_;
  std::mutex transfers_;  // guards what follows
  std::unique_ptr<Staging> staging_;
  std::unique_ptr<ConditionWords> words_;
  std::vector<int> reachable_;  // devices whose memory was opened to this one, if it can be
};

}  // namespace strider::nd::cuda
