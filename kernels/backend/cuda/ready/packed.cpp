// The file becomes data of the plug-in, read only where it is used.
#include "kernels/backend/cuda/ready/packed.h"

asm(R"(
  .section .rodata
  .balign 64
strider_packed_kernels:
  .incbin ")" STRIDER_PACKED_KERNELS R"("
strider_packed_kernels_end:
  .previous
)");

extern "C" {
extern const char kStart[] asm("strider_packed_kernels");
extern const char kEnd[] asm("strider_packed_kernels_end");
}

namespace strider::nd::cuda {

std::string_view packed_kernels() { return {kStart, static_cast<std::size_t>(kEnd - kStart)}; }

}  // namespace strider::nd::cuda
