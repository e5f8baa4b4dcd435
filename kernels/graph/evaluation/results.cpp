// Which blocks can be taken over: of storages that the pass reads or writes and nobody else wants.
#include "kernels/graph/evaluation/results.h"

#include <strider/nd/error.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "kernels/core/device.h"
#include "kernels/graph/expression/space.h"

namespace strider::nd {
namespace {

// Whether the loop reads every element of the storage only where its own first result goes.
bool reads_in_place(const PlannedLoop& planned, const Storage& storage) {
  const LoopOutput& output = planned.loop.outputs[0];
  bool read = false;
  for (std::size_t i = 0; i < planned.inputs.size(); ++i) {
    if (planned.inputs[i].storage != &storage) continue;
    const LoopInput& input = planned.loop.inputs[i];
    bool in_place = planned.inputs[i].offset == 0 &&
                    steps_alike(planned.loop.extents, input.strides, output.strides) &&
                    item_size(input.dtype) == item_size(output.dtype);
    if (!in_place) return false;
    read = true;
  }
  return read;
}

}  // namespace

void throw_late(const Expression& promise, Device* device) {
  try {
    std::int64_t bytes = promise.size() * item_size(promise.dtype);
    throw_no_memory(promise.shape, promise.dtype, bytes, device);
  } catch (const Error& error) {
    throw LateError(error, promise.place);
  }
}

void PassResults::place_all() {
  for (std::size_t i = 0; i < pass_.loops.size(); ++i) {
    const PlannedLoop& planned = pass_.loops[i];
    bool into_target = target_ && i + 1 == pass_.loops.size();
    for (const PlannedOutput& output : planned.outputs) {
      if (output.offset != 0) continue;  // a part of what has its place
      bool first = &output == &planned.outputs[0];
      if (first && into_target) {
        results_.push_back({output.promise, i, target_, Block(), nullptr, true});
      } else if (!first || !take_over(i, *output.promise)) {
        place(i, *output.promise);
      }
    }
    if (planned.folded) place(i, *planned.folded);
  }
}

PassResults::~PassResults() {
  for (Result& result : results_) {
    if (result.block.bytes) free(result.block);
  }
}

Block PassResults::allocate(std::size_t size) const {
  return device_ ? Block{device_->allocate(size), size} : allocate_block(size, false);
}

void PassResults::free(Block block) const {
  device_ ? device_->free(block.bytes, block.capacity) : free_block(block);
}

std::byte* PassResults::address(Storage& storage) const {
  return device_ ? storage.bytes_on(*device_) : storage.bytes();
}

bool PassResults::can_give(const Storage& storage) const {
  return device_ ? storage.device() == device_ : storage.can_give_block();
}

void PassResults::place(std::size_t loop, Expression& promise) {
  std::int64_t size = promise.size() * item_size(promise.dtype);
  Block block = allocate(static_cast<std::size_t>(size));
  if (!block.bytes) throw_late(promise, device_);
  results_.push_back({&promise, loop, block.bytes, block, nullptr, false});
}

const PassResults::Result* PassResults::find(const Storage& storage) const {
  for (const Result& result : results_) {
    if (result.promise->storage == &storage) return &result;
  }
  return nullptr;
}

bool PassResults::take_over(std::size_t loop, Expression& promise) {
  const PlannedLoop& planned = pass_.loops[loop];
  if (planned.is_product || !planned.loop.folds.empty()) return false;
  if (promise.size() != planned.loop.point_count()) return false;  // there are more parts of it
  bool may_die = std::any_of(planned.inputs.begin(), planned.inputs.end(), [](const auto& input) {
    return input.storage && !input.storage->held;
  });
  if (!may_die) return false;
  mark_expressions();
  if (!leaves_nothing(loop)) return false;
  for (const PlannedInput& input : planned.inputs) {
    if (!input.storage || !dies_in(loop, *input.storage)) continue;
    if (!input.storage->pending()) {
      results_.push_back({&promise, loop, address(*input.storage), Block(), input.storage, false});
      return true;
    }
    auto earlier = std::find_if(results_.begin(), results_.end(), [&](const Result& result) {
      return result.promise->storage == input.storage;
    });
    Result result{&promise, loop, earlier->bytes, earlier->block, earlier->giver, false};
    earlier->block = Block();
    earlier->taken = true;
    results_.push_back(result);
    return true;
  }
  return false;
}

// Marks what the pass computes or fulfils with the last loop that does so.
void PassResults::mark_expressions() {
  static std::atomic<std::uint64_t> passes{0};
  if (mark_) return;
  mark_ = passes.fetch_add(1, std::memory_order_relaxed) + 1;
  for (std::size_t i = 0; i < pass_.loops.size(); ++i) {
    const PlannedLoop& planned = pass_.loops[i];
    std::uint64_t mark = mark_ << kLoopBits | i;
    for (const PlannedOutput& output : planned.outputs) output.promise->mark = mark;
    for (Expression* inlined : planned.inlined) inlined->mark = mark;
    if (planned.folded) planned.folded->mark = mark;
  }
}

// Whether an expression is computed or fulfilled by the pass's loops up to this one and by no later
// loop.
bool PassResults::ends_by(std::size_t loop, const Expression& expression) const {
  constexpr std::uint64_t kLoops = (1 << kLoopBits) - 1;
  return expression.mark >> kLoopBits == mark_ && (expression.mark & kLoops) <= loop;
}

// Whether nobody but the loops up to this one will ever read the storage, and this one every
// element only where its result is written.
bool PassResults::dies_in(std::size_t loop, const Storage& storage) const {
  const Result* made = storage.pending() ? find(storage) : nullptr;
  if (storage.held || (storage.pending() ? !made || made->taken : !can_give(storage))) {
    return false;
  }
  for (const Reading* r = storage.readers; r; r = r->next) {
    if (!ends_by(loop, *r->reader)) return false;
  }
  const PlannedLoop& planned = pass_.loops[loop];
  if (!reads_in_place(planned, storage)) return false;
  const LoopOutput& output = planned.loop.outputs[0];
  return loop == 0 ||
         pass_.reads_own_rows(loop, storage, planned.loop, output.strides, 0, output.dtype);
}

// Whether the inlined promises go with the loops up to this one: none is held or read by others.
bool PassResults::leaves_nothing(std::size_t loop) const {
  for (std::size_t i = 0; i <= loop; ++i) {
    const PlannedLoop& planned = pass_.loops[i];
    for (const Expression* inlined : planned.inlined) {
      if (planned.writes(*inlined)) continue;
      if (inlined->storage->held) return false;
      for (const Reading* r = inlined->storage->readers; r; r = r->next) {
        if (!ends_by(loop, *r->reader)) return false;
      }
    }
  }
  return true;
}

LoopMemory PassResults::memory(std::size_t loop) const {
  LoopMemory memory;
  const PlannedLoop& planned = pass_.loops[loop];
  for (const PlannedInput& input : planned.inputs) {
    if (input.scalar) {
      memory.inputs.push_back(static_cast<const std::byte*>(input.scalar->data()));
      continue;
    }
    const Result* made = input.storage && input.storage->pending() ? find(*input.storage) : nullptr;
    std::byte* bytes = made ? made->bytes : input.storage ? address(*input.storage) : nullptr;
    memory.inputs.push_back(bytes ? bytes + input.offset : nullptr);
  }
  auto add_output = [&](const Expression& promise, std::int64_t offset) {
    const Result& result = *find(*promise.storage);
    bool shared = result.giver != nullptr;
    for (const Result& other : results_) {
      shared |= other.loop < loop && other.bytes == result.bytes;
    }
    if (shared) memory.delay = 0;
    memory.outputs.push_back(result.bytes + offset);
  };
  for (const PlannedOutput& output : planned.outputs) add_output(*output.promise, output.offset);
  if (planned.folded) add_output(*planned.folded, 0);
  return memory;
}

void PassResults::deliver() {
  for (Result& result : results_) {
    if (result.taken) continue;
    Storage& storage = *result.promise->storage;
    Block block = std::exchange(result.block, Block());
    if (!device_) {
      storage.fulfil(result.giver ? result.giver->give_block() : block);
    } else if (result.giver) {
      storage.fulfil(result.giver->give_device_block());
    } else {
      storage.fulfil(DeviceBlock{device_, block});
    }
  }
}

}  // namespace strider::nd
