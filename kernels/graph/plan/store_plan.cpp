// The loops that compute a value where it is stored. What reads the elements that it replaces comes
// first, or waits for the same loop.
#include "kernels/graph/plan/store_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "kernels/graph/evaluation/evaluate.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/plan/loop_builder.h"

namespace strider::nd {
namespace {

// Results wait for at most this many points.
constexpr std::int64_t kLongestDelay = 1 << 15;

bool fulfils(const std::vector<PlannedLoop>& loops, const Expression& expression) {
  return std::any_of(loops.begin(), loops.end(), [&](const PlannedLoop& loop) {
    return loop.folded == &expression || loop.writes(expression);
  });
}

// Whether nobody will need the promise once the loops have run.
bool ends_with(const std::vector<PlannedLoop>& loops, const Expression& expression) {
  if (fulfils(loops, expression)) return true;
  if (expression.storage->held) return false;
  for (const Reading* r = expression.storage->readers; r; r = r->next) {
    if (!ends_with(loops, *r->reader)) return false;
  }
  return true;
}

// The loops that compute a value which is to replace elements of the storage. What else reads these
// elements is computed first, if that may be; none if it may not, or if that computes the value
// too.
std::vector<PlannedLoop> plan_replacement(Storage& source, const Storage& storage, bool settles) {
  for (;;) {
    std::vector<PlannedLoop> loops = plan_loops(*source.expression(), &storage);
    const Reading* other = storage.readers;
    while (other && ends_with(loops, *other->reader)) other = other->next;
    if (!other) return loops;
    if (!settles) return {};
    HeldAs held(source, true);  // or the value would be forgotten with what reads it
    compute(*other->reader->storage);
    if (!source.pending()) return {};
  }
}

// The distance in the loop's points between an element's place as an input and as the output; none
// when the two walk differently.
std::optional<std::int64_t> distance(const FusedLoop& loop, const LoopInput& input,
                                     const LoopOutput& output, std::int64_t offset) {
  if (input.dtype != output.dtype) return std::nullopt;
  std::int64_t weight = 1, total = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, weight
  for (int axis = loop.extents.size() - 1; axis >= 0; --axis) {
    if (loop.extents[axis] > 1) {
      if (input.strides[axis] != output.strides[axis] || input.strides[axis] == 0) {
        return std::nullopt;
      }
      axes.push_back({input.strides[axis], weight});
    }
    weight *= loop.extents[axis];
  }
  std::sort(axes.begin(), axes.end(),
            [](auto a, auto b) { return std::abs(a.first) > std::abs(b.first); });
  for (auto [stride, points] : axes) {
    std::int64_t steps = static_cast<std::int64_t>(
        std::llround(static_cast<double>(offset) / static_cast<double>(stride)));
    offset -= steps * stride;
    total += std::abs(steps) * points;
  }
  if (offset != 0) return std::nullopt;
  return total;
}

// How long results must wait; none when the value cannot be computed in place.
std::optional<std::int64_t> find_delay(const PlannedLoop& planned, const Storage& target,
                                       std::int64_t first) {
  std::int64_t delay = -1;
  for (std::size_t i = 0; i < planned.inputs.size(); ++i) {
    if (planned.inputs[i].storage != &target) continue;
    std::optional<std::int64_t> points =
        distance(planned.loop, planned.loop.inputs[i], planned.loop.outputs[0],
                 planned.inputs[i].offset - first);
    if (!points || *points > kLongestDelay) return std::nullopt;
    delay = std::max(delay, *points);
  }
  return delay;
}

bool reads(const Pass& pass, const Storage& storage) {
  for (const PlannedLoop& loop : pass.loops) {
    for (const PlannedInput& input : loop.inputs) {
      if (input.storage == &storage) return true;
    }
  }
  return false;
}

// The passes of loops the last of which writes to the storage from an offset on. Where others of
// its pass read the storage, its results replace what they read.
Plan group_into(std::vector<PlannedLoop> loops, const Storage& target, std::int64_t offset,
                std::int64_t& delay) {
  PlannedLoop last = std::move(loops.back());
  loops.pop_back();
  Plan plan = group_loops(std::move(loops));
  bool joined = delay <= 0 && !plan.empty() && plan.back().join_into(last, target, offset);
  if (!joined) plan.emplace_back().join(last);
  if (joined && reads(plan.back(), target)) delay = std::max<std::int64_t>(delay, 0);
  return plan;
}

}  // namespace

void promise_copy(Storage& storage, const Array& target) {
  auto copy = std::make_unique_for_overwrite<Expression>();
  const Expression& former = *storage.expression();
  copy->kind = Expression::Kind::kConvert;
  copy->dtype = copy->loop_types[0] = former.dtype;
  copy->shape = former.shape;
  copy->strides = former.strides;
  const Node& node = *target.node();
  copy->read(0, node.storage, node.offset, node.strides, former.dtype);
  copy->storage = &storage;
  storage.replace_promise(copy.release());
  ++graph_counts().pending;
}

std::optional<PlannedStore> plan_store(Storage& source, const Array& target, bool settles) {
  Storage& storage = *target.node()->storage;
  std::int64_t first = target.node()->offset;
  std::vector<PlannedLoop> loops = plan_replacement(source, storage, settles);
  if (loops.empty()) return std::nullopt;
  PlannedLoop& last = loops.back();
  const Expression& expression = *source.expression();
  Dims order = storage_order(expression.shape, expression.strides);
  for (int i = 0; i < order.size(); ++i) {
    last.loop.outputs[0].strides[i] = target.strides()[static_cast<int>(order[i])];
  }
  std::optional<std::int64_t> delay = find_delay(last, storage, first);
  if (!delay) return std::nullopt;
  PlannedStore planned;
  planned.plan = group_into(std::move(loops), storage, first, *delay);
  planned.delay = *delay;
  return planned;
}

}  // namespace strider::nd
