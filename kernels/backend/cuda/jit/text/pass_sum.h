// An inexact sum along a row, by the threads of a block.
#pragma once

namespace strider::nd::device {

inline void run_row(const Arguments& a, Index row, Seen& seen) {
  const unsigned node = threadIdx.x / kLanes, nodes = static_cast<unsigned>(a.nodes);
  const bool active = node < nodes, leads = threadIdx.x % kLanes == 0;
  Total total = add_node(a, find_line(a, row), node, nodes, active, seen);
  add_neighbours(total, node, active ? nodes : 0, nodes, node, leads, seen);
  if (threadIdx.x == 0) finish(a, row, total, true, seen);
}

}  // namespace strider::nd::device
