// Rendering: a fused loop as CUDA text and as launches of it. The text depends on the loop's
// structure and on its operands' layout class, never on extents, strides or scalars: those are
// arguments. Talks to no device.
// Results have the CPU's bits, but for elementary functions, NaN's payloads, and the order of
// inexact combinations where that is not the CPU's: long scans, products along rows, and sums over
// outer axes that leave few columns, which are cut into parts. That order follows from extents
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/backend/cuda/jit/arguments.h"
#include "kernels/backend/loop.h"

namespace strider::nd::cuda {

// How points are shared between threads, where measurements decide. No result depends on it.
struct LaunchShape {
  std::uint32_t threads = 128;  // of a map's block, at most 256
  int waves = 64;               // full loads of the device, after which threads take further points
  int waves_watched = 16;       // the same where conditions are told, once a block
  int waves_heavy = 6;          // of maps with much work, whose blocks take longer to begin
  int waves_folding = 4;
  int work_alone = 160;  // a map of more work computes one point at a time, else two
  int axes = 0;          // > 0: of a map, at least, whose operands all count as strided
  bool wide = false;     // indices have 64 bits even where 32 are enough
  int resident = 0;      // blocks whose registers a processor must have room for; 0: as it comes
};

// What launches are cut to.
struct DeviceFacts {
  int processors = 132;
  int threads_per_processor = 2048;
  std::size_t shared_bytes = 48 << 10;  // that a block may have
  LaunchShape shape;
};

// One launch of an entry point of the text.
struct KernelCall {
  std::string entry;
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint32_t shared_bytes = 0;
  std::vector<std::byte> arguments;  // the entry's only parameter, a struct passed by value
};

// The bytes that an operand of a loop of a pass touches, from its address: the first, and after the
// last.
struct OperandReach {
  std::size_t loop = 0, index = 0;
  bool writes = false;
  std::int64_t low = 0, high = 0;
};

// Launches that run one after the other, in order.
struct Rendering {
  std::string key;  // equal keys have equal texts
  std::vector<KernelCall> calls;
  // What changes in the arguments of all calls when the loop runs with other operands that are
  // `as_even`. None where launches are not made for that.
  std::vector<ChangingField> changing;
  // Of a pass, whose launch is made for arrays that are the same where they were: all arrays.
  std::vector<OperandReach> reaches;
};

// Whether addresses are multiples of the same powers of two, as far as a rendering looks at that.
inline bool as_even(const std::byte* a, const std::byte* b) {
  constexpr std::uintptr_t kLooked = 2 * 16 - 1;  // a pair of the largest elements
  return ((reinterpret_cast<std::uintptr_t>(a) ^ reinterpret_cast<std::uintptr_t>(b)) & kLooked) ==
         0;
}

// Memory that a rendering needs between its calls; handed out by whoever runs it.
class Scratch {
 public:
  virtual ~Scratch() = default;
  virtual std::byte* take(std::size_t bytes) = 0;
};

// The launches of a loop whose operands lie at these device addresses (scalars: host addresses).
// `conditions` is the address, as the device sees it, of a 32-bit word for every step and a last
// one for the fold, into which bits are or-ed; null if nobody wants to hear. Results must not lie
// where other points still read (`delay` > 0), but for loops that run in place.
Rendering render(const FusedLoop& loop, const LoopMemory& memory, std::uint32_t* conditions,
                 const DeviceFacts& facts, Scratch& scratch);
// Whether the results of a loop can replace what other points read.
bool runs_in_place(const FusedLoop& loop, const LoopMemory& memory);
// The text of a rendering with this key and shape, complete for NVRTC.
std::string kernel_text(const FusedLoop& loop, const LoopMemory& memory, const std::string& key,
                        const LaunchShape& shape = {});

// A loop of several with its operands and its words for conditions, as render takes them.
struct PassLoop {
  const FusedLoop* loop = nullptr;
  const LoopMemory* memory = nullptr;
  std::uint32_t* conditions = nullptr;
};

// All loops of a pass (Backend::run) in one launch whose blocks take row after row, so that what
// one loop leaves of a row is near when the next reads it; nothing where rows are too few, too
// short or too long for that. Results have the bits of loop after loop; of outputs at the same
// addresses, memory gets the last.
std::optional<Rendering> render_pass(std::span<const PassLoop> pass, std::int64_t rows,
                                     const DeviceFacts& facts);
std::string pass_text(std::span<const PassLoop> pass, std::int64_t rows, const DeviceFacts& facts);

// Maps of one text, none of which touches what another writes, in one launch: each has blocks of
// its own. Nothing where texts differ, or where threads do not take point after point.
std::optional<Rendering> render_side_by_side(std::span<const PassLoop> maps,
                                             const DeviceFacts& facts);
// The text of that for this key.
std::string side_by_side_text(std::span<const PassLoop> maps, const std::string& key);

}  // namespace strider::nd::cuda
