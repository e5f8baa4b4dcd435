// Device: memory of a processor other than the host's, and the order of what happens there. Work
// on a device is queued: it happens in the order of the calls, and later than they return unless a
// call says that it waits. Knows nothing of arrays and of what is computed.
#pragma once

#include <strider/nd/device.h>

#include <cstddef>
#include <string>

namespace strider::nd {

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;  // "cuda:0"

  // Memory aligned to 256 bytes. Where there is none, room is made; null when that does not help.
  std::byte* allocate(std::size_t bytes);
  // The same without making room: null when there is none, even after cached memory was given back.
  virtual std::byte* take(std::size_t bytes) = 0;
  // Has elements that no unfinished work uses leave, of this thread's arrays, as long as there may
  // be too little room for so many bytes: copies first, then what pending work keeps, then those
  // that were used least recently. False when nothing left; may wait.
  bool make_room(std::size_t bytes);
  // The memory may be handed out again at once: later work is queued behind what still uses it.
  virtual void free(std::byte* address, std::size_t bytes) noexcept = 0;

  // Copies from host memory, which may change once this returns.
  virtual void upload(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  // Copies to host memory. Waits for the copy, and so for all that was queued before.
  virtual void download(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  // Copies from another place on this device.
  virtual void copy(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  // Copies from another device, in order with what both have queued. False, and nothing done, where
  // that has to go through host memory.
  virtual bool copy_from(Device& source, std::byte* to, const std::byte* from, std::size_t bytes) {
    static_cast<void>(source), static_cast<void>(to), static_cast<void>(from);
    return bytes == 0;
  }
  // Sets every byte to 0.
  virtual void clear(std::byte* address, std::size_t bytes) = 0;
  // What is queued between the two may go to the device together, later than it was asked for, but
  // not later than the end, and before anything waits. One sequence may be inside another.
  virtual void begin_sequence() {}
  virtual void end_sequence() {}
  // Waits for all that was queued. Throws what went wrong there.
  virtual void synchronize() = 0;

  virtual std::string description() const { return name(); }
  virtual DeviceMemory memory() { return {}; }
  virtual void limit_memory(std::size_t) {}
  virtual void release_cached() {}

 private:
  bool could_have(std::size_t bytes);
};

}  // namespace strider::nd
