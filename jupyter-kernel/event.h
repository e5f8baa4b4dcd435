// Event: wakes a thread that polls sockets.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace strider::jupyter {

class Event {
 public:
  Event() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~Event() { close(descriptor_); }
  Event(const Event&) = delete;

  int descriptor() const { return descriptor_; }
  void set() {
    std::uint64_t one = 1;
    [[maybe_unused]] auto written = ::write(descriptor_, &one, sizeof one);
  }
  void reset() {
    std::uint64_t count;
    [[maybe_unused]] auto got = ::read(descriptor_, &count, sizeof count);
  }

 private:
  int descriptor_;
};

}  // namespace strider::jupyter
