// An inexact sum along a row, by the threads of a block: each group of lanes has a node, or one of
// its leaves where there are groups enough.
#pragma once

namespace strider::nd::device {

inline void run_row(const Arguments& a, Index row, Seen& seen) {
  const unsigned group = threadIdx.x / kLanes, nodes = static_cast<unsigned>(a.nodes);
  const unsigned apart = 2 * nodes <= kGroups ? 1 : 0, node = group >> apart;
  const unsigned values = nodes << apart;
  const bool active = node < nodes;
  const Span span = find_node(find_line(a, row), node, nodes, active);
  const unsigned first = group & apart;
  Total total = add_leaves(a, span, first, apart ? first + 1 : 2, seen);
  add_neighbours<kLanes>(total, values, seen);
  if (threadIdx.x == 0) finish(a, row, total, true, seen);
}

}  // namespace strider::nd::device
