// Delayed writes: a point's result is written once every point that reads the element it replaces
// has been computed, which is `delay` points later at most.
#include "kernels/backend/cpu/fused/writer.h"

#include <strider/nd/threads.h>

#include <algorithm>
#include <cstring>

#include "kernels/core/node.h"

namespace strider::nd {
namespace {

// Results that wait are computed and written so many at a time.
constexpr std::int64_t kWaitingSpan = 1024;
// Parts of so many rows begin with one.
constexpr std::int64_t kManyRows = 16;
constexpr std::size_t kLine = 64;

// Rows that are longer than a span are cut evenly.
std::int64_t choose_span(const JointAxes& axes) {
  std::int64_t row = axes.row(), pieces = (row + kWaitingSpan - 1) / kWaitingSpan;
  if (pieces == 1 || axes.extents.size() == 1) return kWaitingSpan;
  return (row + pieces - 1) / pieces;
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
  bool many_rows = axes_.by_rows() && points / axes_.row() >= kManyRows * parts_;
  step_ = many_rows ? axes_.row() : 1;
}

void LateResults::keep(WaitingResults results) {
  std::lock_guard<std::mutex> guard(lock_);
  kept_.push_back(std::move(results));
}

void LateResults::put(const WaitingResults& results) const {
  const Dims& strides = axes_.outputs[0];
  if (!results.place) {
    return scatter(axes_, strides, dtype_, first_, results.begin, results.count, results.results);
  }
  int type = static_cast<int>(dtype_);
  kernels().casts[type][type](results.results, item_size(dtype_), results.place, strides.back(),
                              results.count);
}

void LateResults::write() {
  for (const WaitingResults& kept : kept_) put(kept);
}

Writer::Writer(const FusedLoop& loop, const JointAxes& axes, const LoopMemory& memory,
               LateResults& late, std::int64_t begin, std::int64_t end)
    : axes_(axes),
      late_(late),
      cursor_(axes),
      outputs_(loop.outputs.size()),
      targets_(loop.outputs.size()),
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
      longest_ = std::min(longest_, choose_span(axes));
    } else if (!output.dense && !output.by_rows) {
      longest_ = kTile;
      output.buffer = make_line_buffer(static_cast<std::size_t>(kTile * output.size));
    }
  }
}

std::byte* const* Writer::targets(std::int64_t begin) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Output& output = outputs_[i];
    if (output.dense) {
      targets_[i] = output.first + begin * output.size;
    } else if (output.by_rows) {
      targets_[i] = place_of(output, begin);
    } else {
      targets_[i] = i == 0 && late_.needed() ? take_room(begin) : output.buffer.get();
    }
  }
  return targets_.data();
}

std::byte* Writer::place_of(const Output& output, std::int64_t point) {
  Position at = cursor_.find(point);
  std::int64_t row = axes_.row_offset(*output.strides, at.row);
  return output.first + row + at.column * output.strides->back();
}

// Room for the results of the points from `begin` on, as far from the start of a cache line as
// their place.
std::byte* Writer::take_room(std::int64_t begin) {
  const Output& output = outputs_[0];
  if (!next_.room && !free_.empty()) {
    next_.room = std::move(free_.back());
    free_.pop_back();
  }
  if (!next_.room) {
    next_.room.reset(new std::byte[static_cast<std::size_t>(longest_ * output.size) + kLine]);
  }
  std::byte *room = next_.room.get(), *place = place_of(output, begin);
  next_.begin = begin;
  next_.place = axes_.by_rows() ? place : nullptr;
  next_.results =
      room +
      (reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(room)) % kLine;
  return next_.results;
}

void Writer::place(std::int64_t begin, std::int64_t count) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Output& output = outputs_[i];
    if (output.dense || output.by_rows) continue;
    if (i == 0 && late_.needed()) {
      next_.count = count;
      waiting_.push_back(std::move(next_));
      write_due(begin + count - late_.delay());
    } else {
      scatter(axes_, *output.strides, output.type, output.first, begin, count, output.buffer.get());
    }
  }
}

// Writes the results of the points before `until`; those that the part before reads are kept.
void Writer::write_due(std::int64_t until) {
  for (; oldest_ < waiting_.size(); ++oldest_) {
    WaitingResults& oldest = waiting_[oldest_];
    if (oldest.begin + oldest.count > until) break;
    if (oldest.begin < head_end_) {
      late_.keep(std::move(oldest));
    } else {
      late_.put(oldest);
      free_.push_back(std::move(oldest.room));
    }
  }
  if (2 * oldest_ < waiting_.size()) return;
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(oldest_));
  oldest_ = 0;
}

void Writer::finish() {
  for (; oldest_ < waiting_.size(); ++oldest_) late_.keep(std::move(waiting_[oldest_]));
  waiting_.clear();
  oldest_ = 0;
}

}  // namespace strider::nd
