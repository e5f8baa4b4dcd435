// TileProgram: a loop's steps as calls of ready-made kernels over short runs of elements that stay
// in the first cache. Knows nothing of layouts: every operand is contiguous.
#pragma once

#include <vector>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/loop.h"

namespace strider::nd {

// Elements that one call works on at most.
inline constexpr std::int64_t kTile = 512;

class TileProgram {
 public:
  // `wanted` are the values that are written, in this order.
  TileProgram(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted);

  // The bytes that one run needs for values on the way.
  std::size_t scratch_bytes() const { return scratch_bytes_; }
  // Computes `count` (at most kTile) elements; adds the conditions of watched steps, where
  // `conditions` is not null.
  void run(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count,
           std::byte* scratch, StepConditions* conditions) const;

 private:
  // A step's operand: an input, an output or a place in the scratch.
  struct Place {
    enum class Kind : std::uint8_t { kInput, kOutput, kScratch };
    Kind kind = Kind::kInput;
    std::uint32_t index = 0;  // or the offset in the scratch
  };
  struct Call {
    Kernel kernel = nullptr;
    CastLoop cast = nullptr;
    std::uint8_t count = 0;
    std::uint8_t sizes[2] = {};  // of a conversion's elements
    Place arguments[3];
    Place result;
    std::uint16_t step = 0;
  };

  void place_values(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted);
  void call(const Call& call, const std::byte* const* inputs, std::byte* const* outputs,
            std::int64_t count, std::byte* scratch) const;
  void copy_inputs(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted);
  void attribute(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count,
                 std::byte* scratch, StepConditions& conditions) const;

  std::vector<Call> calls_;
  std::vector<Place> places_;  // of the values
  std::vector<std::uint8_t> watches_;
  std::uint8_t watched_ = 0;
  std::size_t scratch_bytes_ = 0;
};

// The kernel that computes a step.
Kernel kernel_of(const Step& step);

}  // namespace strider::nd
