// Workspace: memory on a device until the scope ends. What is queued by then may use it.
#pragma once

#include <cstddef>
#include <optional>

namespace strider::nd {
class Device;
}

namespace strider::nd::cuda {

class Workspace {
 public:
  // Never null, not even for no bytes. Throws kMemory.
  Workspace(Device& device, std::size_t bytes);
  // The same where nothing has to make room for it; else none.
  static std::optional<Workspace> if_free(Device& device, std::size_t bytes);
  ~Workspace();
  Workspace(Workspace&& other) noexcept
      : device_(other.device_), bytes_(other.bytes_), start_(other.start_) {
    other.start_ = nullptr;
  }
  Workspace& operator=(Workspace&&) = delete;

  std::byte* start() const { return start_; }
  std::size_t size() const { return bytes_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(start_);
  }

 private:
  Workspace(Device& device, std::size_t bytes, std::byte* start)
      : device_(device), bytes_(bytes), start_(start) {}

  Device& device_;
  std::size_t bytes_;
  std::byte* start_;
};

}  // namespace strider::nd::cuda
