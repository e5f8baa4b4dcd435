// A stand-in for the CUDA runtime that does everything as late as it may: what is queued happens
// when somebody waits for it. Who changes memory too early, or looks too early, is found out.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace late {

// A "kernel": what it is called with is a copy of the launch's arguments.
using Kernel = void (*)(const std::byte* arguments);

// Device memory that there is, and that is in use.
extern std::size_t capacity;
extern std::size_t in_use;
// What the next call that waits will fail with.
extern cudaError_t failure;
// What the device is said to need before anything is done; each look at an event takes one.
extern int looks_until_done;

// Launches one by one, and of graphs.
extern int launches, graph_launches;

}  // namespace late
