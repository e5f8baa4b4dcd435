// Unfused: a loop as loops of one instruction each, over dense temporaries, with the same results
// to the bit. What a device runs while the whole is being compiled. Runs nothing itself.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/backend/loop.h"
#include "kernels/core/device.h"

namespace strider::nd {

// Conditions that every single instruction watches that can meet them: those that programs hear of
// unless they ask for others.
inline constexpr std::uint8_t kUsuallyWatched = 1 | 2 | 8;  // divide, overflow, invalid

// Whether an instruction may meet floating-point conditions.
bool may_raise(const Step& step);

// What elements that are only moved are moved as: unsigned integers, or complex numbers.
DType carrier_of(DType dtype);

// One instruction: a step on dense operands and scalars, of which one at least is dense; a fold of
// dense elements; or elements that are copied, counted or repeated.
struct SingleLoop {
  struct Place {
    enum class Kind { kInput, kOutput, kTemporary };
    Kind kind = Kind::kInput;
    std::size_t index = 0;
  };

  FusedLoop loop;
  std::vector<Place> inputs;
  Place output;
  bool arranges = false;  // a copy between a dense temporary and elements that lie anyhow
  int word = -1;          // which of the whole loop's conditions its first are; -1: none
};

struct UnfusedLoop {
  std::vector<SingleLoop> loops;         // in order
  std::vector<std::size_t> temporaries;  // bytes of each; aligned as memory of a device is
  std::size_t bytes() const;             // of all of them
};

// Nothing where a loop cannot be taken apart: it has no points, its results lie where other points
// still read, elements are not aligned, or it watches for more than is usual.
std::optional<UnfusedLoop> unfuse(const FusedLoop& loop, const LoopMemory& memory);

// Where the operands of one of its loops lie.
LoopMemory memory_of(const SingleLoop& single, const LoopMemory& whole,
                     std::span<std::byte* const> temporaries);

// Memory of a device for temporaries, until it goes out of scope.
class DeviceTemporaries {
 public:
  DeviceTemporaries(Device& device, std::vector<std::size_t> sizes)
      : device_(device), sizes_(std::move(sizes)) {}
  ~DeviceTemporaries();
  DeviceTemporaries(const DeviceTemporaries&) = delete;

  // All of it, or nothing: false. Nothing else leaves the device for it.
  bool take();
  std::span<std::byte* const> addresses() const { return addresses_; }

 private:
  void free() noexcept;

  Device& device_;
  std::vector<std::size_t> sizes_;
  std::vector<std::byte*> addresses_;
};

}  // namespace strider::nd
