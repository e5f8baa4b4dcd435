// Unplaced loops: what stands for memory where kernels are rendered but not run. Knows no loops of
// its own.
#pragma once

#include <cstdint>

#include "kernels/backend/cuda/jit/rendering.h"

namespace strider::nd::cuda {

// There is none.
class NoScratch : public Scratch {
 public:
  std::byte* take(std::size_t) override { return nullptr; }
};

// Addresses that nothing lies at, as even as those of temporaries; scalars are zeros.
inline LoopMemory unplaced(const FusedLoop& loop) {
  static const std::byte scalar[16] = {};
  LoopMemory memory;
  std::uintptr_t at = 1 << 20;
  for (const LoopInput& input : loop.inputs) {
    bool read = input.kind == LoopInput::Kind::kScalar;
    memory.inputs.push_back(read ? scalar : reinterpret_cast<const std::byte*>(at += 1 << 20));
  }
  for (std::size_t i = 0; i < loop.outputs.size() + loop.folds.size(); ++i) {
    memory.outputs.push_back(reinterpret_cast<std::byte*>(at += 1 << 20));
  }
  return memory;
}

}  // namespace strider::nd::cuda
