// An inexact sum along a row, by the threads of a team: each group of lanes has a node of the tree,
// one of its leaves where there are groups enough, or up to four neighbours where there are not.
#pragma once

namespace strider::nd::device {

inline void run_row(const Arguments& a, Index row, bool active, Seen& seen) {
  constexpr unsigned kTeamGroups = kTeam / kLanes;
  const unsigned group = team_lane() / kLanes, nodes = static_cast<unsigned>(a.nodes);
  const Line line = find_line(a, row);
  Total total = nothing<Total>();
  if (nodes <= kTeamGroups) {
    const unsigned apart = 2 * nodes <= kTeamGroups ? 1 : 0, node = group >> apart;
    const Span span = find_node(line, node, nodes, active && node < nodes);
    const unsigned first = group & apart;
    total = add_leaves(a, span, first, apart ? first + 1 : 2, seen);
    add_neighbours<kLanes>(total, nodes << apart, seen);
  } else {
    const unsigned each = nodes / kTeamGroups;
    Total half = total;
#pragma unroll 1
    for (unsigned i = 0; i < each; ++i) {
      const Span span = find_node(line, group * each + i, nodes, active);
      const Total sum = add_leaves(a, span, 0, 2, seen);
      total = i % 2 ? combine(total, sum, seen) : sum;
      if (i == 1) half = total;
    }
    if (each == 4) total = combine(half, total, seen);
    add_neighbours<kLanes>(total, kTeamGroups, seen);
  }
  if (team_lane() == 0 && active) finish(a, row, total, true, seen);
}

}  // namespace strider::nd::device
