// A fold along a row whose order is free, or a search in it, by the threads of a team.
#pragma once

namespace strider::nd::device {

struct Standing {};
inline Standing stand(const Arguments&) { return {}; }

inline void run_row(const Arguments& a, Index row, bool active, Standing, Seen& seen) {
  const int count = active ? a.count : 0;
  Total total = fold_elements(a, result_base(a, row), team_lane(), count, kStep, seen);
  join_lanes(total, kTeam, count, seen);
  if (team_lane() == 0 && active) finish(a, row, total, true, seen);
}

}  // namespace strider::nd::device
