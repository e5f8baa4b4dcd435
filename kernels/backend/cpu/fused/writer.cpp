// Delayed writes: a point's result is written once every point that reads the element it replaces
// has been computed, which is `delay` points later at most.
#include "kernels/backend/cpu/fused/writer.h"

#include <strider/nd/threads.h>

#include <algorithm>
#include <cstring>

namespace strider::nd {
namespace {

// Waiting results are moved to the front when so many bytes in front of them are done with.
constexpr std::size_t kDoneBytes = 1 << 15;

bool is_dense(const JointAxes& axes, const Dims& strides, std::int64_t size) {
  for (int axis = axes.extents.size() - 1; axis >= 0; --axis) {
    if (axes.extents[axis] != 1 && strides[axis] != size) return false;
    size *= axes.extents[axis];
  }
  return true;
}

}  // namespace

void scatter(const JointAxes& axes, const Dims& strides, DType dtype, std::byte* first,
             std::int64_t begin, std::int64_t count, const std::byte* results) {
  std::int64_t width = axes.row(), step = strides[strides.size() - 1], size = item_size(dtype);
  CastLoop copy = kernels().casts[static_cast<int>(dtype)][static_cast<int>(dtype)];
  for (std::int64_t done = 0; done < count;) {
    std::int64_t at = begin + done, column = at % width;
    std::int64_t part = std::min(count - done, width - column);
    std::byte* target = first + axes.row_offset(strides, at / width) + column * step;
    copy(results + done * size, size, target, step, part);
    done += part;
  }
}

LateResults::LateResults(const JointAxes& axes, const LoopMemory& memory, DType dtype)
    : axes_(axes),
      dtype_(dtype),
      first_(memory.outputs.empty() ? nullptr : memory.outputs[0]),
      delay_(memory.delay) {}

void LateResults::share(std::int64_t points, int parts) {
  points_ = points;
  std::int64_t shortest = std::max<std::int64_t>(8 * delay_, worth_a_thread(8 * kTile));
  parts_ = std::clamp<std::int64_t>(points / shortest, 1, parts);
}

void LateResults::keep(std::int64_t begin, std::int64_t count, std::vector<std::byte> results) {
  if (count == 0) return;
  std::lock_guard<std::mutex> guard(lock_);
  kept_.push_back({begin, count, std::move(results)});
}

void LateResults::put(std::int64_t begin, std::int64_t count, const std::byte* results) const {
  scatter(axes_, axes_.outputs[0], dtype_, first_, begin, count, results);
}

void LateResults::write() {
  for (const Kept& kept : kept_) put(kept.begin, kept.count, kept.results.data());
}

Writer::Writer(const FusedLoop& loop, const JointAxes& axes, const LoopMemory& memory,
               LateResults& late, std::int64_t begin, std::int64_t end)
    : axes_(axes),
      late_(late),
      outputs_(loop.outputs.size()),
      targets_(loop.outputs.size()),
      waiting_from_(begin),
      head_end_(std::min(end, begin + late.delay())) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Output& output = outputs_[i];
    output.first = memory.outputs[i];
    output.strides = &axes.outputs[i];
    output.type = loop.outputs[i].dtype;
    output.size = item_size(output.type);
    bool waits = i == 0 && late.needed();
    output.dense = is_dense(axes, *output.strides, output.size) && !waits;
    output.by_rows = axes.by_rows() && output.strides->back() == output.size && !waits;
    if (!output.dense && !output.by_rows) {
      longest_ = kTile;
      output.buffer.reset(new std::byte[static_cast<std::size_t>(kTile * output.size)]);
    }
  }
}

std::byte* const* Writer::targets(std::int64_t begin) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Output& output = outputs_[i];
    if (output.dense) {
      targets_[i] = output.first + begin * output.size;
    } else if (output.by_rows) {
      std::int64_t row = begin / axes_.row(), column = begin % axes_.row();
      targets_[i] = output.first + axes_.row_offset(*output.strides, row) + column * output.size;
    } else {
      targets_[i] = output.buffer.get();
    }
  }
  return targets_.data();
}

void Writer::place(std::int64_t begin, std::int64_t count) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Output& output = outputs_[i];
    if (output.dense || output.by_rows) continue;
    if (i == 0 && late_.needed()) {
      wait(count);
    } else {
      scatter(axes_, *output.strides, output.type, output.first, begin, count, output.buffer.get());
    }
  }
}

void Writer::wait(std::int64_t count) {
  const Output& output = outputs_[0];
  if (late_.delay() == 0) {
    late_.put(waiting_from_, count, output.buffer.get());
    waiting_from_ += count;
    return;
  }
  auto bytes = static_cast<std::size_t>(count * output.size);
  waiting_.insert(waiting_.end(), output.buffer.get(), output.buffer.get() + bytes);
  std::int64_t computed = waiting_from_ + static_cast<std::int64_t>(waiting_.size()) / output.size;
  std::int64_t due = (computed - late_.delay() - waiting_from_) * output.size;
  if (due >= static_cast<std::int64_t>(kDoneBytes)) write_due(computed - late_.delay());
}

// Writes results up to a point; those that the part before reads are kept.
void Writer::write_due(std::int64_t until) {
  const Output& output = outputs_[0];
  std::int64_t head = std::clamp<std::int64_t>(head_end_ - waiting_from_, 0, until - waiting_from_);
  const std::byte* start = waiting_.data();
  if (head > 0) late_.keep(waiting_from_, head, {start, start + head * output.size});
  std::int64_t rest = until - waiting_from_ - head;
  if (rest > 0) late_.put(waiting_from_ + head, rest, start + head * output.size);
  waiting_.erase(waiting_.begin(), waiting_.begin() + (until - waiting_from_) * output.size);
  waiting_from_ = until;
}

void Writer::finish() {
  if (waiting_.empty()) return;
  const Output& output = outputs_[0];
  std::int64_t computed = waiting_from_ + static_cast<std::int64_t>(waiting_.size()) / output.size;
  std::int64_t due = std::max(waiting_from_, computed - late_.delay());
  if (due > waiting_from_) write_due(due);
  late_.keep(waiting_from_, computed - waiting_from_, std::move(waiting_));
}

}  // namespace strider::nd
