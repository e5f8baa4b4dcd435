// Scratch memory of ready-made kernels comes from the device's pool.
#include "kernels/backend/cuda/precompiled/queue.h"

#include <strider/nd/error.h>

#include <string>

#include "kernels/backend/cuda/device/errors.h"
#include "kernels/core/device.h"

namespace strider::nd::cuda {

Room::Room(const Queue& queue, std::size_t bytes)
    : device_(queue.device), bytes_(device_.allocate(bytes ? bytes : 1)), size_(bytes ? bytes : 1) {
  if (bytes_) return;
  throw Error(ErrorKind::kMemory, "Unable to allocate " + std::to_string(bytes) + " bytes on " +
                                      device_.name() + " to arrange elements");
}

Room::~Room() { device_.free(bytes_, size_); }

void check_launch(cudaError_t status) { check(status, "arranging elements"); }

}  // namespace strider::nd::cuda
