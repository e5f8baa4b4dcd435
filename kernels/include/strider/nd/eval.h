// Evaluation: whether operations are recorded for later or run at once, and how to have them run.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/floating_errors.h>
#include <strider/nd/place.h>

#include <cstdint>
#include <span>
#include <vector>

namespace strider::nd {

// What this thread does with operations on arrays.
struct Recording {
  bool lazy = true;                  // false: every operation runs at once (--eager, np.eager())
  bool on_device = false;            // what is recorded runs on a device, at once or later
  std::int64_t threshold = 1 << 15;  // results with fewer elements are computed at once
  std::uint8_t watched = 0xff;      // the floating-point conditions that a handler wants to hear of
  bool conditions_can_wait = true;  // false while a condition must show where it arises
  bool warnings_can_wait = true;    // false while a program collects warnings or makes them errors
  bool for_scalars = false;         // operations are operators of NumPy scalars: so they are named
  Place (*place)() = nullptr;       // where the program is

  // Whether what an operation meets is told before the next one begins.
  bool strict() const { return !conditions_can_wait || !warnings_can_wait; }
  bool on() const { return (lazy || on_device) && !strict(); }
  // Results with at least this many elements are recorded; on a device always, if only to run there
  // at once. Single elements take no device then.
  std::int64_t limit() const {
    if (!on() && !on_device) return std::int64_t{1} << 62;
    std::int64_t usual = on_device && threshold > kDeviceThreshold ? kDeviceThreshold : threshold;
    return on() || usual > 1 ? usual : 2;
  }

  // A chain of operations on so many elements takes the CPU longer than a launch takes.
  static constexpr std::int64_t kDeviceThreshold = 1 << 12;
};
Recording& recording();

// Computes the array's elements now, if they are not there yet.
void evaluate(const Array& array);
// The same of several in turn, what they launch on the device in use going there together.
void evaluate(std::span<const Array> arrays);
// Computes the elements of all arrays that are still to be computed, but for those that follow from
// few numbers and take no time where they are used.
void evaluate_all();
// Whether the array's elements are still to be computed.
bool is_pending(const Array& array);

// Whether they are not in host memory: still to be computed, or on a device alone.
bool is_away(const Array& array);

// Has a single element computed without waiting for it. One that takes nothing but other single
// elements may stay promised: whatever is computed of it computes it as well. Whether reading it
// would wait for a device.
bool start(const Array& element);
// The elements of arrays that have one each, computed if need be. Those that lie on a device come
// in one copy.
std::vector<Scalar> read_elements(std::span<const Array> arrays);
// Whether no other array shows the same elements.
bool is_unshared(const Array& array);
// What no integer among the elements goes beyond, up or down, as far as that is known without them.
double largest_magnitude(const Array& array);

// What happened since the start of the process, for np.runtime_stats().
struct EvaluationCounts {
  std::int64_t recorded = 0;       // operations
  std::int64_t loops = 0;          // fused loops that ran
  std::int64_t products = 0;       // of matrices that libraries computed as steps of a plan
  std::int64_t passes = 0;         // over memory: a loop, several row by row, or a product
  std::int64_t plans = 0;          // that were made
  std::int64_t plan_hits = 0;      // that were found again by their structure
  std::int64_t pending = 0;        // arrays whose elements are still promised
  std::int64_t bytes_read = 0;     // by passes, from memory
  std::int64_t bytes_written = 0;  // by passes, to memory
};
const EvaluationCounts& evaluation_counts();

// What became of fused loops' structures since the start of the process, in all threads.
struct CompilationCounts {
  std::int64_t compiled = 0;  // into machine code
  std::int64_t refused = 0;   // for want of code for some step
  std::int64_t hits = 0;      // code that was found again
  std::int64_t bytes = 0;     // of executable memory now
};
CompilationCounts compilation_counts();

}  // namespace strider::nd
