// Delayed writes: a point's result is written once every point that reads the element it replaces
// has been computed, which is `delay` points later at most.
#include "kernels/backend/cpu/fused/writer.h"

#include <strider/nd/threads.h>

#include <algorithm>
#include <cstring>

#include "kernels/core/node.h"

namespace strider::nd {
namespace {

// Results that wait are computed so many at a time, and written when as many are due.
constexpr std::int64_t kWaitingSpan = 1024;

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
    output.dense = is_dense(axes.extents, *output.strides, output.size, false) && !waits;
    output.by_rows = axes.by_rows() && output.strides->back() == output.size && !waits;
    if (waits) {
      longest_ = std::min(longest_, kWaitingSpan);
      room_ = (late.delay() + 8 * kWaitingSpan) * output.size;
      output.buffer.reset(new std::byte[static_cast<std::size_t>(room_)]);
    } else if (!output.dense && !output.by_rows) {
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
      targets_[i] = i == 0 && late_.needed() ? room() : output.buffer.get();
    }
  }
  return targets_.data();
}

// A place behind the waiting results for the next ones.
std::byte* Writer::room() {
  std::byte* buffer = outputs_[0].buffer.get();
  if (waiting_end_ + kWaitingSpan * outputs_[0].size > room_) {
    std::memmove(buffer, buffer + waiting_begin_,
                 static_cast<std::size_t>(waiting_end_ - waiting_begin_));
    waiting_end_ -= waiting_begin_;
    waiting_begin_ = 0;
  }
  return buffer + waiting_end_;
}

void Writer::place(std::int64_t begin, std::int64_t count) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Output& output = outputs_[i];
    if (output.dense || output.by_rows) continue;
    if (i == 0 && late_.needed()) {
      waiting_end_ += count * output.size;
      std::int64_t due = waiting() - late_.delay();
      if (due >= kWaitingSpan || (due > 0 && late_.delay() == 0)) write_due(waiting_from_ + due);
    } else {
      scatter(axes_, *output.strides, output.type, output.first, begin, count, output.buffer.get());
    }
  }
}

// Writes results up to a point; those that the part before reads are kept.
void Writer::write_due(std::int64_t until) {
  const Output& output = outputs_[0];
  std::int64_t head = std::clamp<std::int64_t>(head_end_ - waiting_from_, 0, until - waiting_from_);
  const std::byte* start = output.buffer.get() + waiting_begin_;
  if (head > 0) late_.keep(waiting_from_, head, {start, start + head * output.size});
  std::int64_t rest = until - waiting_from_ - head;
  if (rest > 0) late_.put(waiting_from_ + head, rest, start + head * output.size);
  waiting_begin_ += (until - waiting_from_) * output.size;
  waiting_from_ = until;
}

void Writer::finish() {
  if (!late_.needed() || waiting_begin_ == waiting_end_) return;
  std::int64_t due = std::max<std::int64_t>(0, waiting() - late_.delay());
  if (due > 0) write_due(waiting_from_ + due);
  const std::byte* buffer = outputs_[0].buffer.get();
  std::int64_t count = waiting();
  late_.keep(waiting_from_, count, {buffer + waiting_begin_, buffer + waiting_end_});
  waiting_begin_ = waiting_end_;
}

}  // namespace strider::nd
