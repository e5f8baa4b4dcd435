// An inexact sum along a row, by the threads of a team: each group of lanes has a node of the tree,
// one of its leaves where there are groups enough, or up to four neighbours where there are not.
#pragma once

namespace strider::nd::device {

inline void run_row(const Arguments& a, Index row, bool active, Seen& seen) {
  constexpr unsigned kTeamGroups = kTeam / kLanes;
  const unsigned group = team_lane() / kLanes, nodes = static_cast<unsigned>(a.nodes);
  const unsigned depth = a.levels > 0 ? a.levels - 1 : 0;
  const Line line = find_line(a, row);
  const unsigned apart = 2 * nodes <= kTeamGroups ? 1 : 0, first = group & apart;
  const unsigned each = nodes > kTeamGroups ? nodes / kTeamGroups : 1;
  Total total = nothing<Total>(), half = total;
#pragma unroll 1
  for (unsigned i = 0; i < each; ++i) {
    const unsigned node = (group >> apart) * each + i;
    const Span span = find_node(line, node, depth, active && node < nodes);
    const Total sum = add_leaves(a, span, first, apart ? first + 1 : 2, seen);
    total = i % 2 ? combine(total, sum, seen) : sum;
    if (i == 1) half = total;
  }
  if (each == 4) total = combine(half, total, seen);
  add_neighbours<kLanes>(total, each > 1 ? kTeamGroups : nodes << apart, seen);
  if (team_lane() == 0 && active) finish(a, row, total, true, seen);
}

}  // namespace strider::nd::device
