// Every thread leaps to its own place in the stream, and then over those of all the others.
#include "kernels/backend/cuda/precompiled/uniform.h"

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {
namespace {

__extension__ typedef unsigned __int128 Uint128;

constexpr int kBlock = 256, kBits = 20;
constexpr std::int64_t kMostThreads = std::int64_t{1} << (kBits - 1);

constexpr Uint128 make_wide(std::uint64_t high, std::uint64_t low) {
  return static_cast<Uint128>(high) << 64 | low;
}

constexpr Uint128 kMultiplier = make_wide(0x2360ed051fc65da4u, 0x4385df649fccf645u);
constexpr std::uint64_t kCheapMultiplier = 0xda942042e4dd58b5u;

// Some steps of the generator at once.
struct Leap {
  Uint128 multiplier, increment;
  __host__ __device__ Uint128 from(Uint128 state) const { return state * multiplier + increment; }
};

struct Leaps {
  Leap of_power[kBits];  // 1, 2, 4, … steps
  Leap over_all;         // as many as there are threads
};

Leap doubled(const Leap& leap) {
  return {leap.multiplier * leap.multiplier, leap.from(leap.increment)};
}

Leaps make_leaps(Leap step, std::int64_t threads) {
  Leaps leaps;
  leaps.over_all = {1, 0};
  for (int bit = 0; bit < kBits; ++bit, step = doubled(step)) {
    leaps.of_power[bit] = step;
    if (threads >> bit & 1)
      leaps.over_all = {leaps.over_all.multiplier * step.multiplier,
                        step.from(leaps.over_all.increment)};
  }
  return leaps;
}

template <bool kDxsm>
__device__ std::uint64_t word_of(Uint128 state) {
  auto high = static_cast<std::uint64_t>(state >> 64), low = static_cast<std::uint64_t>(state);
  if constexpr (kDxsm) {
    high ^= high >> 32;
    high *= kCheapMultiplier;
    high ^= high >> 48;
    return high * (low | 1);
  } else {
    auto count = static_cast<unsigned>(high >> 58);
    std::uint64_t word = high ^ low;
    return word >> count | word << (-count & 63);
  }
}

template <bool kDxsm>
__global__ void draw(const __grid_constant__ Leaps leaps, Uint128 state, double* to,
                     std::int64_t count) {
  std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * kBlock + threadIdx.x;
  std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * kBlock;
  for (int bit = 0; bit < kBits; ++bit) {
    if (thread >> bit & 1) state = leaps.of_power[bit].from(state);
  }
  for (std::int64_t i = thread; i < count; i += threads) {
    to[i] = static_cast<double>(word_of<kDxsm>(state) >> 11) * 0x1p-53;
    state = leaps.over_all.from(state);
  }
}

}  // namespace

void draw_doubles(cudaStream_t stream, bool dxsm, const std::uint64_t (&state)[2],
                  const std::uint64_t (&increment)[2], double* to, std::int64_t count) {
  std::int64_t threads = count < kMostThreads ? count : kMostThreads;
  auto blocks = static_cast<unsigned>((threads + kBlock - 1) / kBlock);
  Leap step{dxsm ? Uint128{kCheapMultiplier} : kMultiplier, make_wide(increment[1], increment[0])};
  Leaps leaps = make_leaps(step, static_cast<std::int64_t>(blocks) * kBlock);
  Uint128 first = make_wide(state[1], state[0]);
  if (dxsm) {
    draw<true><<<blocks, kBlock, 0, stream>>>(leaps, first, to, count);
  } else {  // words are made after the step
    draw<false><<<blocks, kBlock, 0, stream>>>(leaps, step.from(first), to, count);
  }
  check(cudaGetLastError(), "drawing random numbers");
}

}  // namespace strider::nd::cuda
