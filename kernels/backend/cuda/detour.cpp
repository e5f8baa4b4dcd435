// What waits lies as it will in the end, so that the loop itself stays as it is.
#include "kernels/backend/cuda/detour.h"

namespace strider::nd::cuda {
namespace {

// The bytes from an output's first element to its lowest one and past its highest one.
struct Reach {
  std::int64_t low = 0, high = 0;

  Reach(const FusedLoop& loop, const LoopOutput& output) : high(item_size(output.dtype)) {
    for (int axis = 0; axis < loop.extents.size(); ++axis) {
      std::int64_t bytes = output.strides[axis] * (loop.extents[axis] - 1);
      (bytes < 0 ? low : high) += bytes;
    }
  }
};

std::size_t bytes_of(const BoundLoop& bound) {
  Reach reach(*bound.loop, bound.loop->outputs[0]);
  return static_cast<std::size_t>(reach.high - reach.low);
}

}  // namespace

Detour::Detour(const BoundLoop& bound, Device& device)
    : computed(bound), room_(device, bytes_of(bound)) {
  const LoopOutput& output = bound.loop->outputs[0];
  std::byte* waiting = room_.start() - Reach(*bound.loop, output).low;
  LoopInput input;
  input.dtype = output.dtype;
  input.strides = output.strides;
  copy_.extents = bound.loop->extents;
  copy_.inputs.push_back(input);
  copy_.outputs.push_back({0, output.dtype, output.strides});
  copied.loop = &copy_;
  copied.memory.inputs.push_back(waiting);
  copied.memory.outputs.push_back(bound.memory.outputs[0]);
  computed.memory.outputs[0] = waiting;
  computed.memory.delay = -1;
}

}  // namespace strider::nd::cuda
