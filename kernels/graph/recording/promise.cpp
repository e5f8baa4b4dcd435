// Expressions are kept small: one that would grow too deep has its arguments computed first.
#include "kernels/graph/recording/promise.h"

#include <strider/nd/device.h>

#include <algorithm>

#include "kernels/core/log.h"
#include "kernels/graph/evaluation/evaluate.h"

namespace strider::nd {
namespace {

// Bounds on what hangs below one promise.
constexpr std::uint32_t kWeightLimit = 4096;
constexpr std::uint32_t kDepthLimit = 100;

}  // namespace

void Below::add(const Storage& storage) {
  if (!storage.pending()) return;
  const Expression& below = *storage.expression();
  weight += below.weight;
  depth = std::max(depth, below.depth + 1);
  cost += below.cost;
}

bool Below::too_much() const { return weight > kWeightLimit || depth > kDepthLimit; }

Below weigh(std::span<const Operand> operands, std::uint32_t own_cost) {
  Below below(own_cost);
  auto each = [&](auto&& act) {
    for (const Operand& operand : operands) {
      if (operand.kind() == Operand::Kind::kArray) act(*operand.array().node()->storage);
    }
  };
  each([&](Storage& storage) { below.add(storage); });
  if (!below.too_much()) return below;
  if (is_logged(LogSubject::kRecording)) log_line("cut the graph: it would grow too large");
  each([](Storage& storage) { compute(storage); });
  return Below(own_cost);
}

Array promise_now_or_later(Expression* expression) {
  bool strict = recording().strict(), tells = strict && expression->watched;
  Array array = promise_array(expression);
  if (recording().lazy && !strict) return array;
  evaluate(array);
  --graph_counts().recorded;
  if (tells) synchronize_devices();
  return array;
}

}  // namespace strider::nd
