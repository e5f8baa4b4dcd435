// A processor of CUDA's kind on the host, enough to run the texts of kernels: the threads of a
// block are contexts that take turns at barriers. Put before a text that the host's compiler gets;
// slow.
#pragma once

#include <ucontext.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#define __global__ __attribute__((visibility("default")))
#define __shared__ static
#define __device__
#define __launch_bounds__(...)
#define __grid_constant__

namespace emulation {

struct Triple {
  unsigned x = 1, y = 1, z = 1;
};
enum class State { kRuns, kAtWarp, kAtBlock, kDone };
struct Thread {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  State state = State::kRuns;
  alignas(16) char slot[16];
};
struct Parameters {
  char bytes[4096];
};
using Kernel = void (*)(Parameters);

inline std::vector<Thread> threads;
inline ucontext_t scheduler;
inline unsigned current;
inline Kernel kernel;
inline Parameters parameters;

inline void wait(State state) {
  threads[current].state = state;
  swapcontext(&threads[current].context, &scheduler);
}
inline void body() {
  kernel(parameters);
  wait(State::kDone);
}

// Lets those go on of which none runs any more.
inline bool release(std::size_t begin, std::size_t end, State at) {
  bool any = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (threads[i].state == State::kRuns) return false;
    if (threads[i].state != State::kDone && threads[i].state != at) return false;
    any |= threads[i].state == at;
  }
  for (std::size_t i = begin; any && i < end; ++i) {
    if (threads[i].state == at) threads[i].state = State::kRuns;
  }
  return any;
}

}  // namespace emulation

inline emulation::Triple threadIdx, blockIdx, blockDim, gridDim;

inline void __syncthreads() { emulation::wait(emulation::State::kAtBlock); }
inline void __syncwarp(unsigned = ~0u) { emulation::wait(emulation::State::kAtWarp); }

template <class T>
T __shfl_sync(unsigned, T value, int lane, int width = 32) {
  using namespace emulation;
  unsigned me = current;
  std::memcpy(threads[me].slot, &value, sizeof value);
  wait(State::kAtWarp);
  unsigned from = me / width * width + static_cast<unsigned>(lane) % width;
  std::memcpy(&value, threads[from].slot, sizeof value);
  wait(State::kAtWarp);
  return value;
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes) {
  return __shfl_sync(mask, value, static_cast<int>((threadIdx.x % 32) ^ lanes));
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned lanes) {
  unsigned lane = threadIdx.x % 32;
  return __shfl_sync(mask, value, static_cast<int>(lane < lanes ? lane : lane - lanes));
}
inline int __any_sync(unsigned mask, int value) {
  int any = 0;
  for (int lane = 0; lane < 32; ++lane) any |= __shfl_sync(mask, value, lane) != 0;
  return any;
}
inline int __syncthreads_or(int value) {
  static int any;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  any |= value;
  __syncthreads();
  int result = any;
  __syncthreads();
  return result;
}
inline unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<unsigned long>(x) * y >> 32);
}
inline unsigned long __umul64hi(unsigned long x, unsigned long y) {
  return static_cast<unsigned long>(static_cast<unsigned __int128>(x) * y >> 64);
}
inline unsigned atomicOr(unsigned* word, unsigned bits) {
  unsigned old = *word;
  *word |= bits;
  return old;
}
inline unsigned atomicAdd(unsigned* word, unsigned amount) {
  unsigned old = *word;
  *word += amount;
  return old;
}

// Runs a kernel whose one parameter has these bytes.
extern "C" __attribute__((visibility("default"))) void emulate(void* entry, const unsigned* grid,
                                                               unsigned block, const void* bytes,
                                                               std::size_t size) {
  using namespace emulation;
  kernel = reinterpret_cast<Kernel>(entry);
  std::memcpy(parameters.bytes, bytes, size);
  gridDim = {grid[0], grid[1], grid[2]};
  blockDim = {block, 1, 1};
  threads.resize(block);
  for (unsigned b = 0; b < grid[0] * grid[1]; ++b) {
    blockIdx = {b % grid[0], b / grid[0], 0};
    for (Thread& thread : threads) {
      if (!thread.stack) thread.stack.reset(new char[1 << 16]);
      getcontext(&thread.context);
      thread.context.uc_stack.ss_sp = thread.stack.get();
      thread.context.uc_stack.ss_size = 1 << 16;
      thread.context.uc_link = nullptr;
      makecontext(&thread.context, body, 0);
      thread.state = State::kRuns;
    }
    for (bool going = true; going;) {
      going = false;
      for (current = 0; current < block; ++current) {
        if (threads[current].state != State::kRuns) continue;
        threadIdx = {current, 0, 0};
        swapcontext(&scheduler, &threads[current].context);
        going = true;
      }
      for (std::size_t warp = 0; warp < block; warp += 32) {
        going |= release(warp, warp + 32, State::kAtWarp);
      }
      going |= release(0, block, State::kAtBlock);
    }
  }
}
