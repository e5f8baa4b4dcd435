// What recordings of all kinds do with a new expression: what hangs below it is weighed, and it
// becomes an array's promise.
#pragma once

#include <span>

#include "kernels/graph/graph.h"

namespace strider::nd {

// What will hang below a promise: its own operation, and what its arguments still need.
struct Below {
  std::uint32_t weight = 1;
  std::uint32_t depth = 1;
  std::uint32_t cost;

  explicit Below(std::uint32_t own_cost) : cost(own_cost) {}

  void add(const Storage& storage);
  bool too_much() const;
  void give(Expression& expression) const {
    expression.weight = weight;
    expression.depth = depth;
    expression.cost = cost;
  }
};

// What will hang below a promise of these operands. Where it would be too much, they are computed
// first.
Below weigh(std::span<const Operand> operands, std::uint32_t own_cost);

// Without laziness a device computes every operation at once, and where a program could tell, it is
// waited for as well.
Array promise_now_or_later(Expression* expression);

}  // namespace strider::nd
