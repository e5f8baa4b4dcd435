// Deciding which promises share a loop: what is computed on the way and still wanted is written as
// well, so that nothing dear is computed twice, and nothing apart that could not be computed later.
#include "kernels/graph/plan/plan.h"

#include <algorithm>

#include "kernels/graph/graph.h"
#include "kernels/graph/plan/loop_builder.h"
#include "kernels/graph/plan/product.h"

namespace strider::nd {
namespace {

constexpr std::size_t kMostOutputs = 8;
// Bytes that a device writes in less time than a launch takes.
constexpr std::int64_t kSoonWritten = 4 << 20;

Dims ordered_extents(const Expression& expression) {
  Dims extents;
  for (std::int64_t axis : storage_order(expression.shape, expression.strides)) {
    extents.push_back(expression.shape[static_cast<int>(axis)]);
  }
  return extents;
}

bool contains(const std::vector<Expression*>& list, const Expression* expression) {
  return std::find(list.begin(), list.end(), expression) != list.end();
}

class Planner {
 public:
  Planner(std::vector<PlannedLoop>& loops, const Storage* replaced)
      : loops_(loops), replaced_(replaced) {}

  void plan(Expression& target) {
    if (replaced_) stored_ = &target;
    schedule(*target.storage);
  }

 private:
  // Plans the promise unless a planned loop fulfils it; the reason says why it is planned apart.
  void schedule(Storage& storage, const char* reason = "") {
    if (!storage.pending() || is_scheduled(storage)) return;
    Expression& target = *storage.expression();
    if (target.kind == Expression::Kind::kProduct) return schedule_product(target, reason);
    LoopBuilder::Required required = scheduled_;
    for (;;) {
      LoopBuilder builder(target.is_map() ? ordered_extents(target) : target.extents, required);
      if (target.is_map())
        builder.write(target, builder.compute(target));
      else
        builder.fold(target);
      if (builder.missing().empty()) add_relatives(builder);
      if (builder.missing().empty()) return finish(builder, reason);
      if (target.is_map() && schedule_places(target, builder, reason)) return;
      schedule_missing(builder, storage);
      if (is_scheduled(storage)) return;
      required = scheduled_;
    }
  }

  // Plans a promise without an axis along which it repeats what its own loop had to have in memory.
  bool schedule_places(Expression& target, const LoopBuilder& whole, const char* reason) {
    if (&target == stored_) return false;
    for (LoopBuilder::Missing missing : whole.missing()) {
      const Storage& repeated = *missing.storage;
      if (!repeated.pending()) continue;
      for (const LeftOutAxis& axis : repeating_axes(target, *repeated.expression(), kMostOutputs)) {
        if (schedule_without(axis, target, repeated, reason)) return true;
      }
    }
    return false;
  }

  bool schedule_without(const LeftOutAxis& axis, Expression& target, const Storage& repeated,
                        const char* reason) {
    for (;;) {
      LoopBuilder builder(axis.extents, scheduled_);
      if (!builder.write_places(target, axis)) return false;
      if (builder.missing().empty()) add_relatives(builder);
      if (builder.missing().empty()) {
        finish(builder, reason);
        return true;
      }
      for (LoopBuilder::Missing missing : builder.missing()) {
        if (missing.storage == &repeated) return false;
      }
      schedule_missing(builder, *target.storage);
      if (is_scheduled(*target.storage)) return true;
    }
  }

  bool is_scheduled(const Storage& storage) const {
    return std::find(scheduled_.begin(), scheduled_.end(), &storage) != scheduled_.end();
  }

  // What the target's loop lacks, unless one of the loops computes the target along.
  void schedule_missing(const LoopBuilder& builder, const Storage& target) {
    for (LoopBuilder::Missing missing : builder.missing()) {
      schedule(*missing.storage, missing.reason);
      if (is_scheduled(target)) return;
    }
  }

  // Its operands have to be in memory.
  void schedule_product(Expression& product, const char* reason) {
    for (const Reading& reading : product.arguments) {
      if (reading.storage) schedule(*reading.storage, "a product of matrices reads it");
    }
    loops_.push_back(plan_product(product));
    loops_.back().reason = reason;
    scheduled_.push_back(product.storage);
  }

  void finish(LoopBuilder& builder, const char* reason = "") {
    loops_.push_back(builder.take());
    loops_.back().reason = reason;
    for (const PlannedOutput& output : loops_.back().outputs) {
      if (!is_scheduled(*output.promise->storage)) scheduled_.push_back(output.promise->storage);
    }
    if (loops_.back().folded) scheduled_.push_back(loops_.back().folded->storage);
  }

  // Adds what the loop computes and somebody will want: arrays that share dear work with it, and
  // intermediate results that others read, if they are dear, cannot be computed again, let go of
  // more than they take or are written sooner than computed again.
  void add_relatives(LoopBuilder& builder) {
    std::vector<Expression*> inlined = builder.planned().inlined;
    for (Expression* expression : inlined) {
      if (expression->cost >= kDear) add_readers(builder, *expression);
    }
    std::vector<Expression*> passing;  // computed from what is replaced
    for (Expression* expression : inlined) {
      bool passes = reads_replaced(*expression, passing);
      if (passes) passing.push_back(expression);
      const std::uint16_t* value = builder.find(*expression);
      if (!value || is_written(builder, *expression)) continue;
      bool wanted = expression->storage->held || has_other_readers(builder, *expression);
      if (!wanted) continue;
      bool room = builder.planned().outputs.size() < kMostOutputs;
      if (expression->cost >= kDear || expression->computed > 0 || (passes && room) ||
          (room && (is_soon_written(*expression) || releases_more(builder, *expression)))) {
        builder.write(*expression, *value);
      }
    }
  }

  static bool is_soon_written(const Expression& expression) {
    return recording().on_device && expression.storage->held &&
           expression.size() * item_size(expression.dtype) <= kSoonWritten;
  }

  // Whether elements in memory that only this promise keeps take more than its own would.
  bool releases_more(const LoopBuilder& builder, const Expression& expression) const {
    if (!expression.storage->held) return false;
    return kept_bytes(builder, expression) > expression.size() * item_size(expression.dtype);
  }

  // The bytes that a promise, and those that only it reads, keep in memory.
  std::int64_t kept_bytes(const LoopBuilder& builder, const Expression& expression) const {
    std::int64_t bytes = 0;
    for (int i = 0; i < expression.count; ++i) {
      const Reading& reading = expression.arguments[i];
      if (!reading.storage || reading.storage->held || is_repeated(reading, expression)) continue;
      const Expression* below = reading.storage->expression();
      if (below && below->is_generated()) continue;
      if (has_outside_readers(builder, *reading.storage)) continue;
      bytes += below && contains(builder.planned().inlined, below)
                   ? kept_bytes(builder, *below)
                   : expression.size() * item_size(reading.dtype);
    }
    return bytes;
  }

  // Whether an element is read for several points.
  static bool is_repeated(const Reading& reading, const Expression& expression) {
    for (int axis = 0; axis < expression.shape.size(); ++axis) {
      if (expression.shape[axis] > 1 && reading.strides[axis] == 0) return true;
    }
    return false;
  }

  bool reads_replaced(const Expression& expression, const std::vector<Expression*>& passing) const {
    if (!replaced_) return false;
    return std::any_of(std::begin(expression.arguments), std::end(expression.arguments),
                       [&](const Reading& reading) {
                         const Storage* storage = reading.storage;
                         if (!storage || storage == replaced_) return storage == replaced_;
                         return storage->pending() && contains(passing, storage->expression());
                       });
  }

  static bool is_written(const LoopBuilder& builder, const Expression& expression) {
    return builder.planned().writes(expression);
  }

  bool has_other_readers(const LoopBuilder& builder, const Expression& expression) const {
    return has_outside_readers(builder, *expression.storage);
  }

  static bool has_outside_readers(const LoopBuilder& builder, const Storage& storage) {
    for (Reading* r = storage.readers; r; r = r->next) {
      bool inside = contains(builder.planned().inlined, r->reader) ||
                    is_written(builder, *r->reader) || builder.planned().folded == r->reader;
      if (!inside) return true;
    }
    return false;
  }

  // Follows readers upwards to arrays of the loop's own shape that somebody holds.
  void add_readers(LoopBuilder& builder, const Expression& expression) {
    for (Reading* r = expression.storage->readers; r; r = r->next) {
      Expression& reader = *r->reader;
      if (builder.planned().outputs.size() >= kMostOutputs) return;
      if (contains(builder.planned().inlined, &reader) || is_written(builder, reader)) continue;
      if (!reader.is_map() || ordered_extents(reader) != builder.planned().loop.extents) continue;
      if (!reader.storage->held || is_scheduled(*reader.storage)) {
        add_readers(builder, reader);
        continue;
      }
      LoopBuilder trial = builder;  // it may need what is not there yet, even this loop's result
      trial.write(reader, trial.compute(reader));
      if (trial.missing().empty()) builder = std::move(trial);
    }
  }

  std::vector<PlannedLoop>& loops_;
  const Storage* replaced_;
  const Expression* stored_ = nullptr;  // whose loop has its output where the replaced elements are
  std::vector<Storage*> scheduled_;
};

bool fulfils(const PlannedLoop& loop, const Storage* storage) {
  return (loop.folded && loop.folded->storage == storage) ||
         std::any_of(loop.outputs.begin(), loop.outputs.end(), [&](const PlannedOutput& output) {
           return output.promise->storage == storage;
         });
}

// Drops loops that neither compute the target nor are read by later ones: what a promise would have
// needed that itself has become a loop's. Nothing may keep such a result once the promise is
// fulfilled.
void drop_unread(std::vector<PlannedLoop>& loops, const Storage& target) {
  std::vector<const Storage*> read{&target};
  for (std::size_t i = loops.size(); i-- > 0;) {
    bool needed = std::any_of(read.begin(), read.end(),
                              [&](const Storage* storage) { return fulfils(loops[i], storage); });
    if (!needed) {
      loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    for (const PlannedInput& input : loops[i].inputs) {
      if (input.storage && input.storage->pending()) read.push_back(input.storage);
    }
  }
}

}  // namespace

bool PlannedLoop::writes(const Expression& promise) const {
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](const PlannedOutput& output) { return output.promise == &promise; });
}

std::vector<PlannedLoop> plan_loops(Expression& target, const Storage* replaced) {
  ++graph_counts().plans;
  std::vector<PlannedLoop> loops;
  Planner(loops, replaced).plan(target);
  if (loops.size() > 1) drop_unread(loops, *target.storage);
  return loops;
}

}  // namespace strider::nd
