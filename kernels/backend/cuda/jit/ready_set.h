// The loops of one instruction, of one or two ways to lie each, for which a plug-in is built with
// kernels: what loops are taken apart into while they are being compiled (unfused.h). Compiles
// nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/backend/cuda/jit/rendering.h"
#include "kernels/backend/unfused.h"

namespace strider::nd::cuda {

// Loops whose kernels share a text, and so a piece of machine code: one instruction of one type.
struct ReadyModule {
  std::string text;
  // Keys of renderings; the entry points of the i-th are its own with ready_prefix(i) in front.
  std::vector<std::string> keys;
};

std::string ready_prefix(std::size_t number);
std::vector<ReadyModule> make_ready_modules();

// The launch shape for which a loop of those that a loop was taken apart into is rendered.
LaunchShape ready_shape(const SingleLoop& single, LaunchShape shape);

}  // namespace strider::nd::cuda
