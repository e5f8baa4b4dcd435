// Kernels that are machine code of the host. One thread runs them, block by block; the threads of a
// block are fibers, which take turns at barriers: forward in one round and backward in the next, so
// that what lacks a barrier shows. Shared memory is spoilt before each block.
#pragma once

#include <memory>
#include <string>

#include "kernels/backend/cuda/jit/kernel_cache.h"
#include "kernels/backend/cuda/jit/rendering.h"

namespace strider::nd::cuda::emulator {

// What compile() made. Its entries are for run().
std::shared_ptr<Kernel> load(const std::string& shared_object);

// Runs a launch to its end. Throws Error where threads wait at different barriers. By one thread at
// a time.
void run(const void* entry, const KernelCall& call);

}  // namespace strider::nd::cuda::emulator
