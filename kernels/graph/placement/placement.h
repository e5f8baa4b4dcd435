// Placement: on which backend a plan runs. Knows backends by their contract only.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/error.h>

#include <initializer_list>
#include <optional>

#include "kernels/backend/backend.h"
#include "kernels/core/log.h"
#include "kernels/graph/placement/cost.h"

namespace strider::nd {

// The backend for a plan whose last loop writes into the target's elements, if there is one. What
// the plan took is noted once it has run, for choices to come.
class Placed {
 public:
  Placed(const Plan& plan, Storage* target);

  Backend& backend() const { return *backend_; }
  // Does run(backend). What was not told to be on a device, and does not fit, is done by the host
  // from then on.
  template <class Run>
  void run(Run&& run) {
    try {
      return run(*backend_);
    } catch (const Error& error) {
      if (!chosen_ || error.kind() != ErrorKind::kMemory) throw;
    }
    backend_ = &host_backend();
    chosen_ = false;
    run(*backend_);
  }
  // The plan has run, from when this was made to now.
  void note_run() const;

 private:
  Backend* backend_;
  bool chosen_ = false;  // a device was, by estimated cost
  PlanCost cost_;
  std::optional<Stopwatch> watch_;
};

// The backend for work on elements that lie where the program asked for it.
Backend& backend_in_use();

// The backend on whose device work on these arrays should be done, large or on its device already;
// null: the host should. `work` are multiplications or what takes as long.
Backend* place_work(std::initializer_list<const Array*> arrays, double work);
// The backend whose library should do work on these arrays, large or on its device already; null:
// the host should. The elements are computed when they are asked for.
Backend* place_library(std::initializer_list<const Array*> arrays, double work);

}  // namespace strider::nd
