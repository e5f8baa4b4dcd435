// Single elements, read wherever they lie; many of them on a device in one copy.
#include <strider/nd/eval.h>

#include <vector>

#include "kernels/core/device.h"
#include "kernels/core/node.h"

namespace strider::nd {
namespace {

// Elements stand so far from each other while they are brought together.
constexpr std::size_t kStep = 16;

// The elements of those arrays (by their places) that lie on a device, brought together there and
// copied to host memory; false where the device has no room for that.
bool read_there(Device& device, std::span<const Array> arrays, std::span<const std::size_t> places,
                std::vector<Scalar>& elements) {
  DeviceWork work;
  std::size_t size = places.size() * kStep;
  std::byte* together = device.take(size);
  if (!together) return false;
  std::vector<std::byte> host(size);
  try {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Node& node = *arrays[places[i]].node();
      device.copy(together + i * kStep, node.storage->bytes_on(device) + node.offset,
                  static_cast<std::size_t>(item_size(node.dtype)));
    }
    device.download(host.data(), together, size);
  } catch (...) {
    device.free(together, size);
    throw;
  }
  device.free(together, size);
  ++device_counts().downloads;
  ++device_counts().waits;
  device_counts().bytes_down += static_cast<std::int64_t>(size);
  for (std::size_t i = 0; i < places.size(); ++i)
    elements[places[i]] = Scalar(arrays[places[i]].dtype(), host.data() + i * kStep);
  has_waited(device, size);
  return true;
}

}  // namespace

std::vector<Scalar> read_elements(std::span<const Array> arrays) {
  std::vector<Scalar> elements(arrays.size());
  std::vector<std::size_t> there;
  for (const Array& array : arrays) {
    if (array.node()->storage->pending()) compute_promise(*array.node()->storage);
  }
  Device* device = nullptr;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const Storage& storage = *arrays[i].node()->storage;
    if (!device && !storage.in_host_memory()) device = storage.device();
    if (device && !storage.in_host_memory() && storage.device() == device) there.push_back(i);
  }
  bool done = there.size() > 1 && read_there(*device, arrays, there, elements);
  std::size_t next = 0;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    bool is_there = next < there.size() && there[next] == i;
    if (is_there) ++next;
    if (!is_there || !done) elements[i] = arrays[i].item();
  }
  return elements;
}

bool is_unshared(const Array& array) {
  for (const Node* node = array.node(); node; node = node->base) {
    if (node->references != 1) return false;
  }
  return true;
}

}  // namespace strider::nd
