// The order in which reports are told. An operation's elements may be computed by several steps,
// each with a report of its own.
#include "kernels/graph/reporting/reports.h"

#include <algorithm>

namespace strider::nd {
namespace {

bool are_of_one_operation(const Report& a, const Report& b) {
  return a.number == b.number && a.operation == b.operation;
}

// Makes sorted reports of one operation one.
void join(std::vector<Report>& reports) {
  std::size_t kept = 0;
  for (const Report& each : reports) {
    if (kept > 0 && are_of_one_operation(reports[kept - 1], each))
      reports[kept - 1].flags |= each.flags;
    else
      reports[kept++] = each;
  }
  reports.resize(kept);
}

}  // namespace

void deliver(std::vector<Report> reports) {
  std::stable_sort(reports.begin(), reports.end(),
                   [](const Report& a, const Report& b) { return a.number < b.number; });
  join(reports);
  for (const Report& each : reports) {
    if (each.strict)
      deliver_floating_errors({each.flags}, each.operation);
    else
      deliver_late_errors({each.flags}, each.operation, each.place);
  }
}

}  // namespace strider::nd
