// Reports: what operations met, each to be told about the line that recorded it.
#pragma once

#include <strider/nd/floating_errors.h>
#include <strider/nd/ops.h>

#include <string_view>
#include <vector>

#include "kernels/graph/plan/plan.h"

namespace strider::nd {

struct Report {
  std::uint8_t flags;
  std::int64_t number;  // of the expression
  std::string_view operation;
  Place place;
  bool strict;  // it is told as if the operation ran now, by an error if need be
};

// Tells them in the order of recording.
void deliver(std::vector<Report> reports);

inline std::string_view operation_name(const Step& step, const Expression& origin) {
  if (step.kind != Step::Kind::kOperation) return "cast";
  if (origin.kind == Expression::Kind::kShortFold) return "reduce";
  return origin.for_scalars ? name_of_scalars(step.op) : facts(step.op).name;
}
inline std::string_view operation_name(const LoopFold& fold) {
  return fold.kind == LoopFold::Kind::kScan ? "accumulate" : "reduce";
}
inline bool tells_conditions(const LoopFold& fold) {
  return is_inexact(fold.type) && facts(fold.op).conditions != Conditions::kNone;
}

}  // namespace strider::nd
