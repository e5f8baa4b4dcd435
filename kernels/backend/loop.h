// FusedLoop: a linear program over scalar instructions, run for every point of an iteration space.
// It is what the graph hands to a backend; it knows no arrays, no storages and no memory.
#pragma once

#include <strider/nd/dims.h>
#include <strider/nd/ops.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/core/small_list.h"

namespace strider::nd {

// One scalar instruction. Values are numbered: the loop's inputs first, then the steps' results.
struct Step {
  enum class Kind : std::uint8_t { kOperation, kSelect, kConvert };

  Kind kind = Kind::kOperation;
  Op op = Op::kAdd;  // of an operation
  std::uint8_t count = 0;
  DType types[3] = {};  // of the arguments
  DType result = DType::kBool;
  std::uint16_t arguments[3] = {};
  std::uint8_t watched = 0;  // floating-point conditions that somebody wants to hear of

  friend bool operator==(const Step&, const Step&) = default;
};

// Elements read at one place per point: memory, one element of memory for all points, or integers
// that are counted instead of read. The loop does not hold a scalar's value, so that it is the same
// loop for all of them.
struct LoopInput {
  enum class Kind : std::uint8_t { kMemory, kScalar, kRange };

  Kind kind = Kind::kMemory;
  DType dtype = DType::kBool;
  Dims strides;            // along the loop's axes; in bytes, or what a range (int64) grows by
  std::int64_t first = 0;  // a range's element at the loop's origin
  // An input that steps alike through the same memory and begins `shift` elements before this one,
  // by less than a cache line; -1: none. Worth knowing, but not certain of all the memory that a
  // loop is run on.
  std::int16_t neighbour = -1;
  std::int16_t shift = 0;
};

// A value written at every point.
struct LoopOutput {
  std::uint16_t value = 0;
  DType dtype = DType::kBool;
  Dims strides;  // along the loop's axes, in bytes
};

// A value combined along some axes. The results lie dense over the other axes in the loop's order;
// those of a scan over all axes.
struct LoopFold {
  enum class Kind : std::uint8_t {
    kFold,  // all elements into one
    kFind,  // the position (int64) of the first extreme along the innermost axes
    kScan,  // running combinations along the innermost axes
  };

  Kind kind = Kind::kFold;
  Op op = Op::kAdd;
  DType type = DType::kBool;  // of what is combined
  std::uint16_t value = 0;
  std::uint64_t axes = 0;   // bits of the loop's axes
  bool from_first = false;  // a fold's results start as the first element, else as `start`
  Scalar start;             // of the fold's type
  std::int64_t chunk = 0;   // a row's sum starts anew after so many elements; 0: never

  DType result() const { return kind == Kind::kFind ? DType::kInt64 : type; }
};

// What a backend has made of a loop, kept with it for the next run.
class Preparation {
 public:
  virtual ~Preparation() = default;
};

struct FusedLoop {
  Dims extents;  // outermost axis first
  std::vector<LoopInput> inputs;
  std::vector<Step> steps;
  std::vector<LoopOutput> outputs;
  std::vector<LoopFold> folds;  // at most one; outputs beside it lie dense in the loop's order
  // Set by a backend that runs the loop, which does not change any more from then on.
  mutable std::shared_ptr<const Preparation> preparation;

  std::int64_t point_count() const {
    std::int64_t count = 1;
    for (std::int64_t extent : extents) count *= extent;
    return count;
  }
  DType type_of(std::uint16_t value) const {
    std::size_t index = value;
    return index < inputs.size() ? inputs[index].dtype : steps[index - inputs.size()].result;
  }
};

// Where a loop's operands lie: the first element of each input (null for a range), of each output
// and, last, of the fold's results.
struct LoopMemory {
  SmallList<const std::byte*, 8> inputs;
  SmallList<std::byte*, 4> outputs;
  // How many points lie at most between a result of output 0 and the points that read the element
  // it replaces; -1: no input shares memory with an output.
  std::int64_t delay = -1;
};

// The floating-point conditions that each step raised, and last those of the fold.
using StepConditions = SmallList<std::uint8_t, 32>;

// A loop with its operands.
struct BoundLoop {
  const FusedLoop* loop = nullptr;
  LoopMemory memory;
  StepConditions conditions;  // set by the run: those of watched steps
  // Set by the run where conditions come later: a word for every step and one for the fold, right
  // once the device has been waited for. Whoever has read them sets them to 0.
  std::uint32_t* late_conditions = nullptr;
};

}  // namespace strider::nd
