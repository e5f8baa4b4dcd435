// Cost: what a plan moves and computes, and what would have to be copied before. Knows no speeds.
#pragma once

#include <vector>

#include "kernels/graph/plan/passes.h"

namespace strider::nd {

// Multiplications of a library that take as long as one simple instruction of a loop.
inline constexpr double kLibraryWork = 8;

struct PlanCost {
  double bytes = 0;  // read and written, all loops together
  double work = 0;   // simple instructions
  int loops = 0;
  std::vector<Storage*> host_only;    // elements that a device would have to be given
  std::vector<Storage*> device_only;  // elements that the host would have to be given
};

// `target` is where the last loop's results go, if not to memory of their own.
PlanCost cost_of(const Plan& plan, Storage* target);

// What a pass moves through memory, not counting what its loops hand on to each other.
struct PassTraffic {
  double read = 0, written = 0;  // bytes
};
PassTraffic traffic_of(const Pass& pass);

// Adds to the elements that would have to be copied.
void add_copies(Storage& storage, PlanCost& cost);

}  // namespace strider::nd
