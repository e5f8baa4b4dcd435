// The order in which reports are told.
#include "kernels/graph/reporting/reports.h"

#include <algorithm>

namespace strider::nd {

void deliver(std::vector<Report> reports) {
  std::stable_sort(reports.begin(), reports.end(),
                   [](const Report& a, const Report& b) { return a.number < b.number; });
  for (const Report& each : reports) {
    if (each.strict)
      deliver_floating_errors({each.flags}, each.operation);
    else
      deliver_late_errors({each.flags}, each.operation, each.place);
  }
}

}  // namespace strider::nd
