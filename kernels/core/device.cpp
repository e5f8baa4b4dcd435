// Room on a device: first what costs nothing to give up, then what pending work keeps, then what
// was used least recently, which moves to host memory.
#include "kernels/core/device.h"

#include <algorithm>

#include "kernels/core/node.h"

namespace strider::nd {
namespace {

// Smaller parts of a request make room only after larger ones: each costs a wait.
constexpr std::size_t kWorthMoving = 16;

bool is_free_to_leave(const Resident& resident) {
  return !resident.in_use() && resident.owner.is_spare_on_device();
}

// Lets elements leave, of those that may, until so many bytes are free.
template <class May>
std::size_t let_leave(Device& device, std::size_t wanted, May&& may) {
  std::size_t left = 0;
  for (Resident* resident : residents_of(device)) {
    if (left >= wanted) break;
    std::size_t bytes = resident->block.capacity;
    if (may(*resident) && resident->owner.leave_device()) left += bytes;
  }
  return left;
}

}  // namespace

std::byte* Device::allocate(std::size_t bytes) {
  std::byte* taken = take(bytes);
  while (!taken && make_room(bytes)) taken = take(bytes);
  return taken;
}

bool Device::make_room(std::size_t bytes) {
  if (let_leave(*this, bytes, is_free_to_leave)) return true;
  if (settle_for_room(*this)) return true;
  if (!could_have(bytes)) return false;
  auto is_worth_it = [&](const Resident& resident) {
    return !resident.in_use() && resident.block.capacity >= bytes / kWorthMoving;
  };
  auto is_unused = [](const Resident& resident) { return !resident.in_use(); };
  return let_leave(*this, bytes, is_worth_it) || let_leave(*this, bytes, is_unused);
}

// Whether there would be so many bytes if everything left that may.
bool Device::could_have(std::size_t bytes) {
  DeviceMemory now = memory();
  std::size_t free = now.free + now.cached;
  if (now.limit) free = std::min(free, now.limit - std::min(now.limit, now.used));
  for (const Resident* resident : residents_of(*this)) {
    if (!resident->in_use()) free += resident->block.capacity;
  }
  return free >= bytes;
}

}  // namespace strider::nd
