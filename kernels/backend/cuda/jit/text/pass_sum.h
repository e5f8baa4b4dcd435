// An inexact sum along a row, by the threads of a team: each group of lanes has a node of the tree,
// one of its leaves where there are groups enough, or up to four neighbours where there are not.
#pragma once

namespace strider::nd::device {

// The nodes of the tree, which is that of every row, and the part that a group has in them.
struct Share {
  unsigned nodes, depth, apart, each, group;

  inline explicit Share(const Arguments& a)
      : nodes(static_cast<unsigned>(a.nodes)), depth(a.levels > 0 ? a.levels - 1 : 0) {
    constexpr unsigned kTeamGroups = kTeam / kLanes;
    apart = 2 * nodes <= kTeamGroups ? 1 : 0;
    each = nodes > kTeamGroups ? nodes / kTeamGroups : 1;
    group = team_lane() / kLanes;
  }
  // The group's node of this number.
  inline Span node(const Arguments& a, unsigned number) const {
    const unsigned node = (group >> apart) * each + number;
    return find_node(a.row, node, depth, node < nodes);
  }
};

// What is the same for all rows: the group's first node.
using Standing = Span;
inline Standing stand(const Arguments& a) { return Share(a).node(a, 0); }

inline void run_row(const Arguments& a, Index row, bool active, const Standing& standing,
                    Seen& seen) {
  const Share share(a);
  const unsigned first = share.group & share.apart, after = share.apart ? first + 1 : 2;
  const Point point = result_base(a, row);
  Total total = nothing<Total>(), half = total;
#pragma unroll 1
  for (unsigned i = 0; i < share.each; ++i) {
    const Span span = i == 0 ? standing : share.node(a, i);
    const Index count = active ? span.count : 0;
    const Total sum = add_leaves(a, point + span.begin, count, first, after, seen);
    total = i % 2 ? combine(total, sum, seen) : sum;
    if (i == 1) half = total;
  }
  if (share.each == 4) total = combine(half, total, seen);
  const unsigned values = share.each > 1 ? kTeam / kLanes : share.nodes << share.apart;
  add_neighbours<kLanes>(total, values, seen);
  if (team_lane() == 0 && active) finish(a, row, total, true, seen);
}

}  // namespace strider::nd::device
