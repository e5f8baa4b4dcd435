// Gathering: elements that lie contiguous are used in place, all others are copied into a tile.
#include "kernels/backend/cpu/fused/reader.h"

#include <algorithm>

#include "kernels/backend/cpu/fused/short_rows.h"

namespace strider::nd {
namespace {

// Rows of at least this many points are read one at a time.
constexpr std::int64_t kLongRow = 128;

// Points between two looks at what came of them.
constexpr std::int64_t kLongSpan = 1 << 14;

bool is_memory(const LoopInput& input) { return input.kind == LoopInput::Kind::kMemory; }

bool joins(const Dims& strides, int outer, std::int64_t inner_extent) {
  return strides[outer] == strides[outer + 1] * inner_extent;
}

// Integers that grow by `step`, which may wrap around.
void count_up(std::int64_t first, std::int64_t step, std::int64_t count, std::byte* target) {
  auto* out = reinterpret_cast<std::uint64_t*>(target);
  auto start = static_cast<std::uint64_t>(first), by = static_cast<std::uint64_t>(step);
  for (std::int64_t i = 0; i < count; ++i) out[i] = start + static_cast<std::uint64_t>(i) * by;
}

std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

}  // namespace

JointAxes::JointAxes(const FusedLoop& loop) {
  inputs.resize(loop.inputs.size());
  outputs.resize(loop.outputs.size());
  auto push = [&](int axis, std::int64_t extent) {
    extents.push_back(extent);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs[i].push_back(axis < 0 ? 0 : loop.inputs[i].strides[axis]);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].push_back(axis < 0 ? 0 : loop.outputs[i].strides[axis]);
    }
  };
  for (int axis = 0; axis < loop.extents.size(); ++axis) {
    std::int64_t extent = loop.extents[axis];
    if (extent == 1) continue;
    push(axis, extent);
    int last = extents.size() - 1;
    if (last == 0) continue;
    auto all = [&](const std::vector<Dims>& operands) {
      return std::all_of(operands.begin(), operands.end(),
                         [&](const Dims& strides) { return joins(strides, last - 1, extent); });
    };
    if (!all(inputs) || !all(outputs)) continue;
    extents[last - 1] *= extent;
    extents.resize(last);
    for (std::vector<Dims>* operands : {&inputs, &outputs}) {
      for (Dims& strides : *operands) strides.erase(last - 1);
    }
  }
  if (extents.empty()) push(-1, 1);
}

bool JointAxes::by_rows() const { return extents.size() == 1 || row() >= kLongRow; }

std::int64_t JointAxes::offset_among_planes(const Dims& strides, std::int64_t row) const {
  std::int64_t offset = 0;
  for (int axis = extents.size() - 2; axis > 0; --axis) {
    offset += row % extents[axis] * strides[axis];
    row /= extents[axis];
  }
  return offset + row * strides[0];
}

bool counts_short_rows(const FusedLoop& loop, const JointAxes& axes) {
  return !axes.by_rows() &&
         std::any_of(loop.inputs.begin(), loop.inputs.end(),
                     [](const LoopInput& input) { return input.kind == LoopInput::Kind::kRange; });
}

std::vector<bool> find_still_inputs(const FusedLoop& loop, const JointAxes& axes) {
  std::vector<bool> still;
  for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
    const Dims& strides = axes.inputs[i];
    auto first = axes.by_rows() ? strides.end() - 1 : strides.begin();
    bool is_still = std::all_of(first, strides.end(), [](std::int64_t step) { return step == 0; });
    still.push_back(is_still || loop.inputs[i].kind == LoopInput::Kind::kScalar);
  }
  return still;
}

LinearReader::LinearReader(const FusedLoop& loop, const JointAxes& axes,
                           const SmallList<const std::byte*, 8>& memory, bool once)
    : axes_(axes), cursor_(axes), inputs_(loop.inputs.size()), pointers_(loop.inputs.size()) {
  std::vector<bool> still;
  if (once) still = find_still_inputs(loop, axes);
  bool in_place = once;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    Input& input = inputs_[i];
    input.row = &loop.inputs[i];
    input.strides = &axes.inputs[i];
    input.size = item_size(input.row->dtype);
    bool scalar = input.row->kind == LoopInput::Kind::kScalar;
    input.first = memory[i];
    const Dims& strides = *input.strides;
    int last = strides.size() - 1;
    bool outer_still = std::all_of(strides.begin(), strides.end() - 1,
                                   [](std::int64_t step) { return step == 0; });
    input.still = scalar || (outer_still && strides[last] == 0);
    input.periodic = outer_still;
    bool dense = is_memory(*input.row) && strides[last] == input.size;
    for (int axis = last - 1; dense && axis >= 0; --axis) {
      dense = joins(strides, axis, axes.extents[axis + 1]);
    }
    input.dense = dense;
    input.once = once && still[i];
    bool row_in_place = axes.by_rows() && is_memory(*input.row) && strides[last] == input.size;
    input.counts = once && !input.once && input.row->kind == LoopInput::Kind::kRange;
    for (int lane = 0; input.counts && lane < Counter::kLanes; ++lane) {
      input.counter.lanes[lane] = wrapping_product(lane, strides[last]);
    }
    in_place &= input.once || input.counts || dense || row_in_place;
  }
  if (in_place) longest_ = kLongSpan;
}

std::int64_t LinearReader::span(std::int64_t begin, std::int64_t end) {
  std::int64_t row = axes_.row(), left = end - begin;
  if (axes_.extents.size() == 1) return std::min(left, longest_);
  std::int64_t to_end = row - cursor_.find(begin).column;
  if (axes_.by_rows() || to_end != row) return std::min({left, to_end, longest_});
  return std::min(left, kTile / row * row);
}

const std::byte** LinearReader::read(std::int64_t begin, std::int64_t count) {
  Position at = cursor_.find(begin);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].left_out) pointers_[i] = read_input(inputs_[i], at, count);
  }
  return pointers_.data();
}

std::byte* LinearReader::buffer(Input& input) {
  if (!input.buffer) {
    input.buffer.reset(new std::byte[static_cast<std::size_t>(kTile * input.size)]);
  }
  return input.buffer.get();
}

const std::byte* LinearReader::read_once(Input& input, const Position& at) {
  if (input.row->kind == LoopInput::Kind::kScalar) return input.first;
  if (is_memory(*input.row)) return input.first + axes_.row_offset(*input.strides, at.row);
  if (input.buffered != at.row) gather(input, at.row, 0, 1, buffer(input));
  input.buffered = at.row;
  return input.buffer.get();
}

const std::byte* LinearReader::read_counter(Input& input, const Position& at) {
  std::int64_t row = axes_.row_offset(*input.strides, at.row), step = input.strides->back();
  input.counter.step = step;
  input.counter.first =
      wrapping_sum(input.row->first, wrapping_sum(row, wrapping_product(at.column, step)));
  return reinterpret_cast<const std::byte*>(&input.counter);
}

const std::byte* LinearReader::read_input(Input& input, const Position& at, std::int64_t count) {
  if (input.once) return read_once(input, at);
  if (input.counts) return read_counter(input, at);
  if (input.dense) return input.first + at.point * input.size;
  if (input.still) {
    if (input.buffered_count < count) {
      gather(input, 0, 0, kTile, buffer(input));
      input.buffered_count = kTile;
    }
    return input.buffer.get();
  }
  std::int64_t width = axes_.row(), row = at.row, column = at.column;
  std::int64_t step = (*input.strides)[input.strides->size() - 1];
  bool one_row = column + count <= width;
  if (!one_row) return gather_rows(input, at.point, count);
  if (is_memory(*input.row) && step == input.size) {
    return input.first + axes_.row_offset(*input.strides, row) + column * step;
  }
  bool kept = step == 0 && input.buffered == row && input.buffered_count >= count;
  if (kept) return input.buffer.get();
  std::int64_t wanted = step == 0 ? std::min(kTile, width) : count;
  gather(input, row, column, wanted, buffer(input));
  input.buffered = step == 0 ? row : -1;
  input.buffered_count = wanted;
  return input.buffer.get();
}

// Whole short rows, one behind the other; what is the same in every row is gathered once.
const std::byte* LinearReader::gather_rows(Input& input, std::int64_t begin, std::int64_t count) {
  std::int64_t width = axes_.row(), column = begin % width;
  if (input.periodic && input.buffered == column && input.buffered_count >= count) {
    return input.buffer.get();
  }
  std::byte* target = buffer(input);
  bool whole_rows = is_memory(*input.row) && column == 0 && count % width == 0;
  if (whole_rows && input.strides->back() == 0) {
    RowWalk walk(axes_.extents, *input.strides, begin / width);
    repeat_elements(walk, input.first, input.size, count / width, width, target);
  } else if (whole_rows && input.strides->back() == input.size) {
    RowWalk walk(axes_.extents, *input.strides, begin / width);
    std::int64_t bytes = width * input.size;
    for (std::int64_t i = 0; i < count; i += width, target += bytes) {
      copy_short(input.first + walk.offset(), target, bytes);
      walk.next();
    }
  } else {
    for (std::int64_t done = 0; done < count;) {
      std::int64_t at = begin + done, part = std::min(count - done, width - at % width);
      gather(input, at / width, at % width, part, target + done * input.size);
      done += part;
    }
  }
  input.buffered = input.periodic ? column : -1;
  input.buffered_count = count;
  return input.buffer.get();
}

void LinearReader::gather(Input& input, std::int64_t row, std::int64_t column, std::int64_t count,
                          std::byte* target) {
  std::int64_t step = (*input.strides)[input.strides->size() - 1];
  std::int64_t start =
      wrapping_sum(axes_.row_offset(*input.strides, row), wrapping_product(column, step));
  if (input.row->kind == LoopInput::Kind::kRange) {
    return count_up(wrapping_sum(input.row->first, start), step, count, target);
  }
  if (input.still) start = step = 0;
  int type = static_cast<int>(input.row->dtype);
  kernels().casts[type][type](input.first + start, step, target, input.size, count);
}

}  // namespace strider::nd
