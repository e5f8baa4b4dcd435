// Where ready-made kernels run, and memory for them meanwhile.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace strider::nd {
class Device;
}

namespace strider::nd::cuda {

// A device and its stream; the device is the calling thread's.
struct Queue {
  Device& device;
  cudaStream_t stream;
};

// Memory of a device for what is queued while this object lives.
class Room {
 public:
  // Throws kMemory.
  Room(const Queue& queue, std::size_t bytes);
  ~Room();
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  std::byte* bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(bytes_);
  }

 private:
  Device& device_;
  std::byte* bytes_;
  std::size_t size_;
};

// Throws unless a launch went well.
void check_launch(cudaError_t status);

}  // namespace strider::nd::cuda
