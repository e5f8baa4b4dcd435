// Staging: pinned host memory through which elements pass on their way to a device and back, so
// that copies run beside the program. Knows nothing of arrays.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

namespace strider::nd::cuda {

class Staging {
 public:
  explicit Staging(cudaStream_t stream) : stream_(stream) {}
  Staging(const Staging&) = delete;

  // Queues a copy from host memory, which may change once this returns.
  void upload(std::byte* to, const std::byte* from, std::size_t bytes);
  // Queues a copy of a few bytes to host memory; where they are once the stream has come to it,
  // until the next call.
  const std::byte* fetch(const std::byte* from, std::size_t bytes);
  static bool are_few(std::size_t bytes) { return bytes <= kSmall; }
  // Copies to host memory. Waits for the copy.
  void download(std::byte* to, const std::byte* from, std::size_t bytes);

 private:
  struct Slot {
    std::byte* bytes = nullptr;
    std::size_t used = 0;
    cudaEvent_t done = nullptr;  // when what was queued for this slot has happened
    bool queued = false;         // whether `done` was recorded and not waited for
  };

  Slot& next_slot();
  void seal(Slot& slot);
  void await(Slot& slot);
  std::byte* take_part(std::size_t bytes);

  static constexpr std::size_t kSlots = 4;
  static constexpr std::size_t kSmall = 128u << 10;  // copies that share a slot

  cudaStream_t stream_;
  std::array<Slot, kSlots> slots_;
  std::size_t current_ = 0;
};

}  // namespace strider::nd::cuda
