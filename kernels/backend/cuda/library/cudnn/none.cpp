// Where there are no headers of cuDNN to build with.
#include "kernels/backend/cuda/library/cudnn/networks.h"

namespace strider::nd::cuda {

OpenedCudnn open_cudnn(CudaDevice&, DiskCache*) {
  return {nullptr, "the plug-in was built without the headers of cuDNN 9"};
}

}  // namespace strider::nd::cuda
