// Residents: which elements lie on devices, who made them and when they were last used, so that
// those that nobody uses can make room. Knows of storages only that they own elements.
#pragma once

#include <strider/nd/place.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/memory.h"

namespace strider::nd {

class Device;
class Storage;

// Where a storage's elements lie on a device.
struct DeviceBlock {
  Device* device = nullptr;
  Block block;
};

// The same, as long as they lie there.
class Resident : public DeviceBlock {
 public:
  // Made by an operation at a place in the program, or copied there by one.
  Resident(const DeviceBlock& where, Storage& owner, Place place, bool copied);
  ~Resident();
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;

  // Somebody asks for the address.
  void use();
  // Whether the address may still be known to work that is not finished.
  bool in_use() const;

  Storage& owner;
  Place place;
  bool copied;

 private:
  friend std::vector<Resident*> residents_of(const Device& device);

  std::uint64_t used_ = 0;  // on the thread's clock
  const void* thread_;      // arrays belong to one
  Resident* next_ = nullptr;
  Resident* previous_ = nullptr;
};

// This thread's elements on a device, those that were used least recently first.
std::vector<Resident*> residents_of(const Device& device);
// So many of them that take the most memory, the largest first.
std::vector<const Resident*> largest_residents(const Device& device, std::size_t count);

// While one lives, elements that are used on a device stay there: for whoever asks for addresses.
// One inside another changes nothing; after the outermost they stay until the next one begins.
class DeviceWork {
 public:
  DeviceWork();
  ~DeviceWork();
  DeviceWork(const DeviceWork&) : DeviceWork() {}
  DeviceWork& operator=(const DeviceWork&) { return *this; }
};

// "; 1.50 GiB of 2.00 GiB are in use, the largest arrays: 512. MiB made at program.npx:3, …".
std::string account_of(Device& device);

}  // namespace strider::nd
