// Storing: a promised value is computed straight into an array that is there already, even when the
// value reads the elements it replaces.
#include "kernels/graph/store.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "kernels/graph/evaluate.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/loop_builder.h"

namespace strider::nd {
namespace {

// Results wait for at most this many points.
constexpr std::int64_t kLongestDelay = 1 << 15;

// Whether a promise is only on the way to `value`.
bool serves_only(const Storage& storage, const Storage& value) {
  if (&storage == &value) return true;
  if (storage.held) return false;
  for (const Reading* r = storage.readers; r; r = r->next) {
    if (!serves_only(*r->reader->storage, value)) return false;
  }
  return true;
}

// Computes what reads the storage for any other purpose than the value.
void settle_others(Storage& storage, const Storage& value) {
  for (Reading* r = storage.readers; r;) {
    Storage& reader = *r->reader->storage;
    if (serves_only(reader, value)) {
      r = r->next;
      continue;
    }
    reader.bytes();
    r = storage.readers;
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

// Makes what was promised as the value a copy of the elements that now hold it.
void promise_copy(Storage& storage, const Array& target) {
  auto copy = std::make_unique<Expression>();
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

// Hides from the planner that somebody holds a storage.
class Unheld {
 public:
  explicit Unheld(Storage& storage) : storage_(storage), held_(storage.held) {
    storage.held = false;
  }
  ~Unheld() { storage_.held = held_; }
  Unheld(const Unheld&) = delete;
  Unheld& operator=(const Unheld&) = delete;

 private:
  Storage& storage_;
  bool held_;
};

}  // namespace

bool store(const Array& value, const Array& target) {
  Storage& storage = *target.node()->storage;
  Storage& source = *value.node()->storage;
  std::int64_t first = target.node()->offset;
  std::byte* bytes = storage.bytes() + first;
  bool same = !value.node()->base && value.dtype() == target.dtype() &&
              value.shape() == target.shape() && source.pending();
  if (!same || !source.expression()->is_map()) return false;
  settle_others(storage, source);
  if (!source.pending()) return false;
  Unheld unheld(source);
  Plan plan = make_plan(*source.expression());
  PlannedLoop& last = plan.back();
  const Expression& expression = *source.expression();
  Dims order = storage_order(expression.shape, expression.strides);
  for (int i = 0; i < order.size(); ++i) {
    last.loop.outputs[0].strides[i] = target.strides()[static_cast<int>(order[i])];
  }
  std::optional<std::int64_t> delay = find_delay(last, storage, first);
  if (!delay) return false;
  run_into(plan, bytes, *delay);
  promise_copy(source, target);
  return true;
}

}  // namespace strider::nd
