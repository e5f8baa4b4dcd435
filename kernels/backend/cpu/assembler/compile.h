// Compiling the steps of a loop into machine code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/backend/cpu/assembler/memory.h"
#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/loop.h"

namespace strider::nd {

// Code that computes the wanted values of `count` points, at least as many as it has lanes; when
// they are no multiple of the lanes, some points are computed twice. Vectors begin at the point
// `head`, less than the lanes; unless it is 0, the points before it come last, there are at least
// twice as many points as lanes, and some are computed twice. Returns whether a step's result asks
// for a second look at its conditions.
using LoopCode = std::uint32_t (*)(const std::byte* const* inputs, std::byte* const* outputs,
                                   std::int64_t count, std::int64_t head);

// What code reads of an input that is a range: the element at the first point of the call, what it
// grows by from point to point, and the growth up to each lane of a vector.
struct Counter {
  static constexpr int kLanes = 8;
  std::int64_t first = 0;
  std::int64_t step = 0;
  std::int64_t lanes[kLanes] = {};
};

struct CompiledLoop {
  CodeMemory memory;
  int lanes = 0;

  LoopCode code() const {
    return reinterpret_cast<LoopCode>(reinterpret_cast<std::uintptr_t>(memory.entry()));
  }
};

// Inputs that are read by way of another: its vectors lie at multiples of a vector, and theirs so
// many elements behind.
struct SharedInput {
  int input = 0;
  int base = 0;
  int shift = 0;
};

// Those of a loop that code with these lanes can share.
std::vector<SharedInput> find_shared_inputs(const FusedLoop& loop, const std::vector<bool>& still,
                                            Target target, int lanes);

// How results go to memory. Past the caches: the count is a multiple of the lanes and outputs are
// aligned to vectors, where they fill them. In place: the one output replaces elements that inputs
// of the same call read, after they were copied to where a second output would be; there are at
// least twice as many points as lanes.
enum class Stores { kUsual, kPastCaches, kInPlace };

// Nothing where some step has no code for this target; `refusal`, if any, says why. `still` inputs
// are one element for all points.
std::optional<CompiledLoop> compile_loop(const FusedLoop& loop,
                                         const std::vector<std::uint16_t>& wanted,
                                         const std::vector<bool>& still, Target target,
                                         Stores stores, std::string* refusal = nullptr);

// The same for inputs that share loads; nothing where that is impossible. Stores in place come a
// vector late unless inputs share loads.
std::optional<CompiledLoop> compile_sharing_loop(const FusedLoop& loop,
                                                 const std::vector<std::uint16_t>& wanted,
                                                 const std::vector<bool>& still, Target target,
                                                 const std::vector<SharedInput>& shared,
                                                 Stores stores = Stores::kUsual);

}  // namespace strider::nd
