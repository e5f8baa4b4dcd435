// What a device does with whole operands that is no arithmetic: elements picked, put, chosen,
// ordered and counted in its memory. All addresses are the device's unless said otherwise. A
// function says false where the device has nothing for such operands; then the host does the work.
// Work is queued. Knows no arrays; positions have been checked.
#pragma once

#include <strider/nd/dims.h>
#include <strider/nd/dtype.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace strider::nd {

// Which bytes of an array are meant: for every position of the outer axes, every offset, every
// position of the inner axes, in this order.
struct Places {
  Dims outer_shape, outer_strides;
  std::span<const std::int64_t> offsets;
  Dims inner_shape, inner_strides;
  int item = 0;  // bytes per element
  // For devices: offsets are multiples of `step` (0: all are 0) from `lowest` to `highest`, and no
  // two are equal if `distinct`.
  std::int64_t step = 0, lowest = 0, highest = 0;
  bool distinct = false;
};

// Packed lines of equal length, one behind another.
struct Lines {
  std::int64_t count = 0, length = 0;
};

class Arranger {
 public:
  virtual ~Arranger() = default;

  // Copies the elements at `places` of `base` one after another to `packed`.
  virtual bool gather(const std::byte* /*base*/, const Places&, std::byte* /*packed*/) {
    return false;
  }
  // Copies packed elements to `places` of `base`, of equal offsets the last one; `repeat_one`
  // writes the one packed element to all.
  virtual bool scatter(std::byte* /*base*/, const Places&, const std::byte* /*packed*/,
                       bool /*repeat_one*/) {
    return false;
  }
  // Copies those of `size` elements of `item` bytes whose mask is 1; there are `count` of them.
  virtual bool choose(const std::uint8_t* /*mask*/, std::int64_t /*size*/,
                      const std::byte* /*values*/, int /*item*/, std::int64_t /*count*/,
                      std::byte* /*chosen*/) {
    return false;
  }
  // Writes the positions of the ones of a mask; there are `count` of them.
  virtual bool list(const std::uint8_t* /*mask*/, std::int64_t /*size*/, std::int64_t /*count*/,
                    std::int64_t* /*positions*/) {
    return false;
  }
  // Sorts each line in place, NaN last and -0.0 before 0.0. No complex numbers.
  virtual bool sort(DType, std::byte* /*values*/, Lines) { return false; }
  // The stable order of each line, -0.0 being equal to 0.0. No complex numbers.
  virtual bool order(DType, const std::byte* /*values*/, Lines, std::int64_t* /*order*/) {
    return false;
  }
  // For each value its first place in `sorted`, or (`right`) the one behind its last.
  virtual bool search(DType, const std::byte* /*sorted*/, std::int64_t /*size*/,
                      const std::byte* /*values*/, std::int64_t /*count*/, bool /*right*/,
                      std::int64_t* /*places*/) {
    return false;
  }
  // How often each of 0 … bins - 1 occurs among `count` values, all of which are in this range.
  virtual bool count(const std::int64_t* /*values*/, std::int64_t /*count*/,
                     std::int64_t* /*counts*/, std::int64_t /*bins*/) {
    return false;
  }
  // The sum of each run, added from its first value to its last; starts[runs] ends the last run.
  virtual bool add_runs(const double* /*values*/, const std::int64_t* /*starts*/,
                        std::int64_t /*runs*/, double* /*sums*/) {
    return false;
  }
};

}  // namespace strider::nd
