// Merges axes and tells layouts apart.
#include "kernels/backend/cuda/jit/layout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "kernels/backend/cuda/jit/body.h"

namespace strider::nd::cuda {
namespace {

constexpr std::int64_t kNarrow = std::numeric_limits<std::int32_t>::max();

// Neighbours that lie further apart share no cache line worth the name.
constexpr std::int64_t kFarBytes = 64;
constexpr int kTileBytes = 40 << 10;
// Points below which all of an array is near anyway.
constexpr std::int64_t kManyPoints = 1 << 20;
constexpr std::int64_t kLongLine = 128, kManyLines = 16;
// Memory of a stencil in place for the lines that it reads and those that come next, of which
// several blocks share a processor's, and how far away it may read.
constexpr int kRingBytes = 28 << 10;
constexpr std::int64_t kFarLines = 4, kFarColumns = 8;

bool is_dense(const Operand& operand) {
  return operand.steps == Steps::kPairs || operand.steps == Steps::kDense;
}

int alignment_of(DType dtype) { return item_size(dtype) / (is_complex(dtype) ? 2 : 1); }

bool in_memory(const Operand& operand) {
  return operand.steps != Steps::kScalar && operand.steps != Steps::kRange;
}

// Whether every operand goes on along axis `axis` where axis `axis` + 1 ends.
bool merges(const FusedLoop& loop, int outer, int inner) {
  std::int64_t extent = loop.extents[inner];
  auto goes_on = [&](const Dims& strides) { return strides[outer] == strides[inner] * extent; };
  for (const LoopInput& input : loop.inputs) {
    if (input.kind != LoopInput::Kind::kScalar && !goes_on(input.strides)) return false;
  }
  for (const LoopOutput& output : loop.outputs) {
    if (!goes_on(output.strides)) return false;
  }
  return true;
}

// The innermost axis of each run of merged axes; none goes on where the rows of a pass end.
Dims merge_axes(const FusedLoop& loop, Dims& extents, std::int64_t rows) {
  Dims kept;
  int last = -1;
  std::int64_t before = 1;
  for (int axis = 0; axis < loop.extents.size(); before *= loop.extents[axis++]) {
    if (loop.extents[axis] == 1) continue;
    bool row_ends = rows > 1 && before == rows;
    if (last >= 0 && !row_ends && merges(loop, last, axis)) {
      extents.back() *= loop.extents[axis];
      kept.back() = axis;
    } else {
      extents.push_back(loop.extents[axis]);
      kept.push_back(axis);
    }
    last = axis;
  }
  return kept;
}

void place(Operand& operand, const Dims& strides, const Dims& kept, bool pairs) {
  std::int64_t size = item_size(operand.dtype), alignment = alignment_of(operand.dtype);
  auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(operand.address));
  std::int64_t outer = address, all = 0;  // bits that are set in any
  for (std::int64_t axis : kept) {
    std::int64_t stride = strides[static_cast<int>(axis)];
    operand.strides.push_back(stride);
    all |= stride;
  }
  if (operand.strides.empty()) operand.strides.push_back(all = size);
  for (int i = 0; i + 1 < operand.strides.size(); ++i) outer |= operand.strides[i];
  if ((address | all) & (alignment - 1)) {
    operand.steps = Steps::kUnaligned;
  } else if (all == 0) {
    operand.steps = Steps::kStill;
  } else if (operand.strides.back() != size) {
    operand.steps = Steps::kStrided;
  } else {
    operand.steps = pairs && (outer & (2 * size - 1)) == 0 ? Steps::kPairs : Steps::kDense;
  }
}

}  // namespace

LoopLayout::LoopLayout(const FusedLoop& loop, const LoopMemory& memory, int work_alone, int axes,
                       std::int64_t pass_rows) {
  points = loop.point_count();
  Dims kept = points == 0 ? Dims() : merge_axes(loop, extents, pass_rows);
  if (extents.empty()) extents.push_back(points);
  if (pass_rows > 1 && extents[0] == pass_rows) rows = pass_rows;
  bool folds = !loop.folds.empty();
  bool pairs = !folds && (extents.size() == 1 || extents.back() % 2 == 0);
  wide = 2 * points > kNarrow;
  for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
    const LoopInput& input = loop.inputs[i];
    Operand operand{input.dtype, Steps::kScalar, memory.inputs[i], input.first, {}};
    if (input.kind == LoopInput::Kind::kRange) {
      operand.steps = Steps::kRange;
      for (std::int64_t axis : kept) {
        operand.strides.push_back(input.strides[static_cast<int>(axis)]);
      }
      if (operand.strides.empty()) operand.strides.push_back(0);
    } else if (input.kind == LoopInput::Kind::kMemory) {
      place(operand, input.strides, kept, pairs);
    }
    inputs.push_back(std::move(operand));
  }
  for (std::size_t i = 0; i < loop.outputs.size(); ++i) {
    const LoopOutput& output = loop.outputs[i];
    Operand operand{output.dtype, Steps::kDense, memory.outputs[i], 0, {}};
    place(operand, output.strides, kept, pairs);
    outputs.push_back(std::move(operand));
  }
  bool any_pairs = false;
  for (const auto* list : {&inputs, &outputs}) {
    for (const Operand& operand : *list) {
      any_pairs |= operand.steps == Steps::kPairs;
      if (!in_memory(operand)) continue;
      for (std::int64_t stride : operand.strides) wide |= stride > kNarrow || stride < -kNarrow;
    }
  }
  if (!folds && axes > 0) {
    generalise(axes);
    return;
  }
  if (memory.delay > 0 && find_near()) {
    grouping = Grouping::kMarch;
    keep_single();
    return;
  }
  if (!folds && find_turned()) {
    grouping = Grouping::kTiles;
    keep_single();
    return;
  }
  bool dear = work_of(loop) > work_alone;
  grouping = folds || dear ? Grouping::kOne : any_pairs ? Grouping::kPair : Grouping::kApart;
  if (!folds && !dear && reads_neighbouring_lines()) grouping = Grouping::kBands;
  if (grouping != Grouping::kPair) keep_single();
}

void LoopLayout::generalise(int axes) {
  grouping = Grouping::kApart;
  int more = std::max(0, axes - rank());
  auto lengthen = [&](Dims& list, std::int64_t value) {
    for (int i = 0; i < more; ++i) list.insert(0, value);
  };
  lengthen(extents, 1);
  for (auto* list : {&inputs, &outputs}) {
    for (Operand& operand : *list) {
      if (operand.steps == Steps::kScalar) continue;
      lengthen(operand.strides, 0);
      if (in_memory(operand) && operand.steps != Steps::kUnaligned) {
        operand.steps = Steps::kStrided;
      }
    }
  }
}

bool LoopLayout::is_still(const Operand& operand) const {
  if (rows == 1 || !in_memory(operand)) return operand.steps == Steps::kStill;
  for (int axis = 1; axis < rank(); ++axis) {
    if (operand.strides[axis] != 0) return false;
  }
  return true;
}

std::pair<std::int64_t, std::int64_t> LoopLayout::reach(const Operand& operand) const {
  auto low = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(operand.address));
  std::int64_t high = low + item_size(operand.dtype);
  for (int axis = 0; axis < rank(); ++axis) {
    std::int64_t bytes = operand.strides[axis] * (extents[axis] - 1);
    (bytes < 0 ? low : high) += bytes;
  }
  return {low, high};
}

bool LoopLayout::find_near() {
  if (rank() != 2 || wide || outputs.size() != 1 || !is_dense(outputs[0])) return false;
  if (extents[1] < kLongLine || extents[0] < kManyLines) return false;
  const Operand& output = outputs[0];
  std::int64_t size = item_size(output.dtype), line = output.strides[0];
  auto [low, high] = reach(output);
  std::vector<Operand> found = inputs;
  std::int64_t lines = 1, left = 0, right = 0;
  for (Operand& input : found) {
    if (!in_memory(input)) continue;
    auto [begin, end] = reach(input);
    if (begin >= high || low >= end) continue;
    if (input.dtype != output.dtype || input.strides != output.strides) return false;
    std::int64_t apart = input.address - output.address;
    std::int64_t away = std::llround(static_cast<double>(apart) / static_cast<double>(line));
    apart -= away * line;
    if (apart % size != 0 || std::abs(apart / size) > kFarColumns || std::abs(away) > kFarLines)
      return false;
    input.steps = Steps::kNear;
    input.line = static_cast<std::int32_t>(away);
    input.column = static_cast<std::int32_t>(apart / size);
    lines = std::max(lines, std::abs(away));
    left = std::max(left, -apart / size);
    right = std::max(right, apart / size);
  }
  // What lies beside a line must not be another's.
  if (std::abs(line) < size * (extents[1] + left + right)) return false;
  std::int64_t columns = std::max<std::int64_t>({1, left, right});
  if (MarchRing(lines, columns, size).step == 0) return false;
  inputs = std::move(found);
  return true;
}

MarchRing::MarchRing(std::int64_t lines, std::int64_t columns, std::int64_t size) {
  for (std::int64_t each : {8, 4, 2}) {
    std::int64_t all = (2 * (each + lines) + each - 1) / each;
    if (all * each * (kMarchStrip + 2 * columns) * size > kRingBytes) continue;
    step = each;
    steps = all;
    return;
  }
}

bool LoopLayout::reads_neighbouring_lines() const {
  int across = rank() - 2;
  if (across < 0 || points < kManyPoints || extents.back() < kLongLine) return false;
  for (const Operand& one : inputs) {
    if (!is_dense(one) || one.strides[across] == 0) continue;
    for (const Operand& other : inputs) {
      if (!is_dense(other) || other.strides != one.strides) continue;
      double lines = static_cast<double>(other.address - one.address) /
                     static_cast<double>(one.strides[across]);
      if (lines > 0.5 && lines < kBandLines) return true;
    }
  }
  return false;
}

void LoopLayout::keep_single() {
  for (auto* list : {&inputs, &outputs}) {
    for (Operand& operand : *list) {
      if (operand.steps == Steps::kPairs) operand.steps = Steps::kDense;
    }
  }
}

bool LoopLayout::find_turned() {
  int inner = rank() - 1, bytes = 0;
  if (inner < 1 || extents[inner] < kTileSide / 2) return false;
  for (const Operand& output : outputs) {
    if (!is_dense(output)) return false;
  }
  bool any = false;
  for (Operand& input : inputs) {
    std::int64_t size = item_size(input.dtype);
    if (input.steps != Steps::kStrided || std::abs(input.strides[inner]) < kFarBytes) continue;
    int axis = 0;
    while (axis < inner && std::abs(input.strides[axis]) != size) ++axis;
    if (axis == inner || extents[axis] < kTileSide / 2 || (any && axis != cross)) continue;
    bytes += kTileSide * (kTileSide + 1) * static_cast<int>(size);
    if (bytes > kTileBytes) break;
    any = true;
    cross = axis;
    input.steps = Steps::kTurned;
  }
  return any;
}

void LoopLayout::append_key(std::string& key) const {
  key += wide ? 'w' : 'n';
  key += static_cast<char>(grouping);
  key += std::to_string(rank());
  if (rows > 1) key += 'r';
  if (fold_slot >= 0) key += 'f';
  if (grouping == Grouping::kTiles) key += 'x' + std::to_string(cross);
  key += ':';
  for (const auto* list : {&inputs, &outputs}) {
    for (const Operand& operand : *list) {
      key += static_cast<char>(operand.steps);
      key += facts(operand.dtype).code;
      if (operand.slot >= 0) key += operand.kept ? 'R' : 'r';
      if (operand.steps == Steps::kNear) {
        key += std::to_string(operand.line) + '.' + std::to_string(operand.column);
      }
      if (rows > 1 && is_still(operand)) key += 'o';
    }
    key += ';';
  }
}

Divisor find_divisor(std::int64_t number, bool wide) {
  auto divisor = static_cast<std::uint64_t>(number < 1 ? 1 : number);
  int shift = std::bit_width(divisor - 1);
  int bits = wide ? 64 : 32;
  using Wide = unsigned __int128;
  Wide power = Wide{1} << shift;
  Wide factor = ((power - divisor) << bits) / divisor + 1;
  return {static_cast<std::uint64_t>(factor), static_cast<std::uint32_t>(shift)};
}

}  // namespace strider::nd::cuda
