// Devices: where recorded operations are computed, and where elements lie.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/place.h>

#include <string>
#include <vector>

namespace strider::nd {

// A processor with its memory, or the choice between them.
struct DeviceChoice {
  enum class Kind : std::uint8_t { kAuto, kHost, kCuda };
  Kind kind = Kind::kAuto;
  int number = 0;  // of a CUDA device

  friend bool operator==(const DeviceChoice&, const DeviceChoice&) = default;
};

// What a name says: "auto", "cpu", "cuda", "cuda:1", "gpu". Throws kValue: "unknown device 'tpu'…".
DeviceChoice parse_device(const std::string& name);
// "auto", "cpu", "cuda:0".
std::string to_text(const DeviceChoice& choice);

// What this thread's operations are computed on from now on. Throws kRuntime, with the reason,
// where there is no such device; work that was recorded before goes where this says, too.
void use_device(const DeviceChoice& choice);
DeviceChoice used_device();
// How many CUDA devices there are.
int count_cuda_devices();

// Where the elements lie, or would if they were computed now: "cpu", "cuda:0".
std::string device_of(const Array& array);
// Has the elements computed and lie on a device ("auto": wherever they are). Throws kMemory.
void move_to(const Array& array, const DeviceChoice& choice);
// What passed between the host and devices since the start of the process.
struct DeviceCounts {
  std::int64_t uploads = 0;
  std::int64_t downloads = 0;
  std::int64_t bytes_up = 0;
  std::int64_t bytes_down = 0;
  std::int64_t copies_across = 0;  // from device to device
  std::int64_t bytes_across = 0;
  std::int64_t waits = 0;     // of the host for a device
  std::int64_t launches = 0;  // of kernels
  std::int64_t graphs = 0;    // of several launches that have come before
  std::int64_t spills = 0;    // of arrays to host memory, to make room on a device
  std::int64_t bytes_spilled = 0;
};
DeviceCounts& device_counts();

// A device's memory in bytes.
struct DeviceMemory {
  std::size_t total = 0;
  std::size_t free = 0;   // for this process or others
  std::size_t used = 0;   // by arrays
  std::size_t cached = 0; // kept for arrays to come
  std::size_t peak = 0;   // the most that arrays have taken
  std::size_t limit = 0;  // on what arrays may take; 0: none
};
DeviceMemory device_memory(const DeviceChoice& choice);
// Elements that lie on a device, and who made them there or had them copied.
struct DeviceArray {
  std::size_t bytes = 0;
  Place place;
  bool copied = false;
};
// So many of this thread's arrays on a device that take the most memory, the largest first.
std::vector<DeviceArray> largest_arrays(const DeviceChoice& choice, std::size_t count);
// Limits what arrays on a device may take; 0: no limit.
void limit_device_memory(const DeviceChoice& choice, std::size_t bytes);
// Gives memory that is kept for arrays to come back to the device.
void release_device_memory(const DeviceChoice& choice);
// "NVIDIA H100 80GB HBM3".
std::string device_description(const DeviceChoice& choice);

// Ends threads that open devices or compile kernels beside the program. To be called before the
// process ends, while the libraries that they use still stand; work may go on, without them.
void finish_background_work();

// Waits until all that was handed to devices is done. Throws what went wrong there.
void synchronize_devices();

}  // namespace strider::nd
