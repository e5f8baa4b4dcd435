// A row that is replaced goes to a room first; the rows that are read after their replacement are
// as many as the farthest of them is behind. What another thread replaces is copied before any
// starts.
#include "kernels/backend/cpu/fused/old_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace strider::nd {
namespace {

constexpr std::int64_t kLine = 64;
// Rows of more elements altogether are not kept.
constexpr std::int64_t kMostKept = 1 << 16;

std::int64_t round_up(std::int64_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

std::int64_t nearest(std::int64_t offset, std::int64_t stride) {
  return std::llround(static_cast<double>(offset) / static_cast<double>(stride));
}

// The memory that an operand with these strides covers.
struct Range {
  std::uintptr_t low, high;

  Range(const std::byte* first, const Dims& extents, const Dims& strides, std::int64_t size)
      : low(reinterpret_cast<std::uintptr_t>(first)),
        high(low + static_cast<std::uintptr_t>(size)) {
    for (int axis = 0; axis < extents.size(); ++axis) {
      std::int64_t bytes = strides[axis] * (extents[axis] - 1);
      (bytes < 0 ? low : high) += static_cast<std::uintptr_t>(bytes);
    }
  }
  bool overlaps(const Range& other) const { return low < other.high && other.low < high; }
};

}  // namespace

OldRows::OldRows(const FusedLoop& loop, const JointAxes& axes, const LoopMemory& memory)
    : axes_(axes) {
  if (memory.delay < 0 || loop.outputs.size() != 1 || !loop.folds.empty()) return;
  const Dims& strides = axes.outputs[0];
  first_ = memory.outputs[0];
  size_ = item_size(loop.outputs[0].dtype);
  width_ = axes.row();
  rows_ = loop.point_count() / width_;
  bool by_rows = axes.extents.size() > 1 && axes.by_rows() && strides.back() == size_;
  if (!by_rows || !find_readings(loop, memory) || !rows_lie_apart()) return;
  for (const RowReading& reading : readings_) {
    back_ = std::max(back_, -reading.rows);
    ahead_ = std::max(ahead_, reading.rows);
    slanted_ |= reading.rows < 0 && reading.columns != 0;
  }
  side_bytes_ = round_up(reach_.back() * size_);
  room_bytes_ = static_cast<std::size_t>(2 * side_bytes_ + round_up(width_ * size_) + kLine);
  possible_ = (back_ + 1) * width_ <= kMostKept;
}

// False where an input walks otherwise than the output through the same memory.
bool OldRows::find_readings(const FusedLoop& loop, const LoopMemory& memory) {
  Range whole(first_, axes_.extents, axes_.outputs[0], size_);
  low_ = whole.low;
  high_ = whole.high;
  reach_.assign(static_cast<std::size_t>(axes_.extents.size()), 0);
  for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
    if (loop.inputs[i].kind == LoopInput::Kind::kRange) continue;
    Range range(memory.inputs[i], axes_.extents, axes_.inputs[i], item_size(loop.inputs[i].dtype));
    if (!range.overlaps(whole)) continue;
    const Dims &strides = axes_.inputs[i], &output = axes_.outputs[0];
    bool alike = loop.inputs[i].kind == LoopInput::Kind::kMemory &&
                 std::equal(strides.begin(), strides.end(), output.begin()) &&
                 loop.inputs[i].dtype == loop.outputs[0].dtype;
    if (!alike || !decompose(memory.inputs[i] - first_, i)) return false;
    low_ = std::min(low_, range.low);
    high_ = std::max(high_, range.high);
  }
  return true;
}

// An offset as steps along the axes; false where it is none.
bool OldRows::decompose(std::int64_t offset, std::size_t input) {
  RowReading reading;
  reading.input = input;
  reading.offset = offset;
  for (int axis = 0; axis < axes_.extents.size(); ++axis) {
    std::int64_t stride = axes_.outputs[0][axis], steps = nearest(offset, stride);
    std::int64_t& reach = reach_[static_cast<std::size_t>(axis)];
    reach = std::max(reach, std::abs(steps));
    offset -= steps * stride;
    bool last = axis + 1 == axes_.extents.size();
    if (last) reading.columns = steps;
    if (!last) reading.rows = reading.rows * axes_.extents[axis] + steps;
  }
  readings_.push_back(reading);
  return offset == 0;
}

// Whether what is read beside a row, or beside a plane of them, is never replaced.
bool OldRows::rows_lie_apart() const {
  const Dims& strides = axes_.outputs[0];
  for (int axis = 1; axis < axes_.extents.size(); ++axis) {
    std::int64_t steps = axes_.extents[axis] + reach_[static_cast<std::size_t>(axis)];
    if (std::abs(strides[axis - 1]) < steps * std::abs(strides[axis])) return false;
  }
  return true;
}

void OldRows::share(int parts) {
  std::int64_t shortest = std::max<std::int64_t>(8 * std::max(back_, ahead_), 1);
  std::int64_t most = std::max<std::int64_t>(1, rows_ / shortest);
  parts_ = std::clamp<std::int64_t>(most, 1, parts);
  std::int64_t around = back_ + ahead_;
  if (parts_ == 1 || around == 0) return;
  saved_ = make_line_buffer(static_cast<std::size_t>((parts_ - 1) * around) * room_bytes_);
  for (std::int64_t cut = 1; cut < parts_; ++cut) {
    for (std::int64_t row = begin(cut) - back_; row < begin(cut) + ahead_; ++row) {
      copy(row, saved(cut, row));
    }
  }
}

std::byte* OldRows::place(std::int64_t row) const {
  return first_ + axes_.row_offset(axes_.outputs[0], row);
}

// Where a row begins in a room: as far from the start of a cache line as its place.
std::byte* OldRows::room_of(std::byte* room, const std::byte* place) const {
  return room + side_bytes_ + reinterpret_cast<std::uintptr_t>(place) % kLine;
}

// The copy of a row beside a cut.
std::byte* OldRows::saved(std::int64_t cut, std::int64_t row) const {
  std::int64_t index = (cut - 1) * (back_ + ahead_) + row - (begin(cut) - back_);
  return room_of(saved_.get() + static_cast<std::size_t>(index) * room_bytes_, place(row));
}

void OldRows::copy(std::int64_t row, std::byte* target) const {
  copy_columns(row, -reach_.back(), width_ + reach_.back(), target);
}

// Columns of a row, as far as there is memory that somebody reads.
void OldRows::copy_columns(std::int64_t row, std::int64_t first, std::int64_t end,
                           std::byte* target) const {
  auto start = reinterpret_cast<std::uintptr_t>(place(row));
  std::uintptr_t from = start + static_cast<std::uintptr_t>(first * size_);
  std::uintptr_t to = start + static_cast<std::uintptr_t>(end * size_);
  from = std::max(from, low_);
  to = std::min(to, high_);
  if (from >= to) return;
  auto offset = static_cast<std::int64_t>(from - start);
  std::memcpy(target + offset, place(row) + offset, to - from);
}

KeptRows::KeptRows(const OldRows& old, std::int64_t part)
    : old_(old),
      part_(part),
      begin_(old.begin(part)),
      end_(old.begin(part + 1)),
      row_(begin_ - 1),
      slots_(static_cast<std::size_t>(old.back_) + 1),
      kept_(make_line_buffer(slots_.size() * old.room_bytes_)) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].start = kept_.get() + i * old.room_bytes_;
  }
}

void KeptRows::advance() {
  ++row_;
  slot_ = slot_ + 1 < slots_.size() ? slot_ + 1 : 0;
  Slot& slot = slots_[slot_];
  slot.place = old_.place(row_);
  slot.room = old_.room_of(slot.start, slot.place);
}

void KeptRows::keep_sides(bool all) const {
  std::int64_t reach = old_.reach_.back();
  if (reach == 0 || !(all || old_.slanted_)) return;
  old_.copy_columns(row_, -reach, 0, room());
  old_.copy_columns(row_, old_.width_, old_.width_ + reach, room());
}

void KeptRows::redirect(const std::byte** inputs, std::int64_t column, bool in_place) const {
  for (const RowReading& reading : old_.readings_) {
    inputs[reading.input] = find(reading, in_place) + column * old_.size_;
  }
}

// The first element that an input reads for the present row.
const std::byte* KeptRows::find(const RowReading& reading, bool in_place) const {
  const std::byte* there = place() + reading.offset;
  std::int64_t row = row_ + reading.rows;
  if (row < begin_ || row >= end_) return find_beside(reading);
  if (row > row_ || (row == row_ && in_place)) return there;
  auto back = static_cast<std::size_t>(-reading.rows);
  const Slot& slot = slots_[slot_ >= back ? slot_ - back : slot_ + slots_.size() - back];
  std::int64_t columns = reading.columns * old_.size_;
  return slot.place + columns == there ? slot.room + columns : there;
}

// The same where the row would be outside the band.
const std::byte* KeptRows::find_beside(const RowReading& reading) const {
  std::int64_t row = row_ + reading.rows, columns = reading.columns * old_.size_;
  const std::byte* there = place() + reading.offset;
  bool replaced = row >= 0 && row < old_.rows_ && old_.place(row) + columns == there;
  if (!replaced) return there;
  return old_.saved(row < begin_ ? part_ : part_ + 1, row) + columns;
}

}  // namespace strider::nd
