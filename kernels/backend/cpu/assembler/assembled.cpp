// Running compiled loops: points that do not fill a vector are computed in buffers, padded with the
// last of them.
#include "kernels/backend/cpu/assembler/assembled.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/backend/cpu/assembler/vector_code.h"

namespace strider::nd {
namespace {

constexpr std::size_t kMostOperands = 64;
constexpr std::size_t kVector = 64;
// From so many vectors on, where they begin matters.
constexpr std::int64_t kAlignedVectors = 8;

// A Counter further on. Lanes beyond the last point go on counting: what they raise is looked at
// again without them.
const std::byte* advance(const std::byte* counter, std::int64_t points, std::byte* target) {
  Counter moved;
  std::memcpy(&moved, counter, sizeof moved);
  moved.first = static_cast<std::int64_t>(static_cast<std::uint64_t>(moved.first) +
                                          static_cast<std::uint64_t>(points) *
                                              static_cast<std::uint64_t>(moved.step));
  std::memcpy(target, &moved, sizeof moved);
  return target;
}

}  // namespace

std::shared_ptr<const Assembled> Assembled::make(const FusedLoop& loop,
                                                 const std::vector<std::uint16_t>& wanted,
                                                 const std::vector<bool>& still, Target target,
                                                 Stores stores, std::string* refusal) {
  if (loop.inputs.size() > kMostOperands || wanted.size() > kMostOperands) {
    if (refusal) *refusal = "it has more operands than machine code takes";
    return nullptr;
  }
  std::optional<CompiledLoop> compiled =
      compile_loop(loop, wanted, still, target, Stores::kUsual, refusal);
  if (!compiled) return nullptr;
  std::shared_ptr<Assembled> assembled(new Assembled);
  assembled->loop_ = std::move(*compiled);
  for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
    bool counts = loop.inputs[i].kind == LoopInput::Kind::kRange;
    int size = counts ? kCounts : item_size(loop.inputs[i].dtype);
    assembled->input_sizes_.push_back(still[i] ? kStill : size);
  }
  for (std::uint16_t value : wanted) {
    assembled->output_sizes_.push_back(item_size(loop.type_of(value)));
  }
  assembled->shared_ = find_shared_inputs(loop, still, target, assembled->loop_.lanes);
  if (!assembled->shared_.empty()) {
    compiled = compile_sharing_loop(loop, wanted, still, target, assembled->shared_);
    if (compiled) assembled->sharing_ = std::move(*compiled);
  }
  bool replaces = stores == Stores::kInPlace && wanted.size() == 1;
  if (replaces) assembled->compile_in_place(loop, wanted, still, target);
  if (stores != Stores::kPastCaches) return assembled;
  assembled->alignment_ = static_cast<std::uintptr_t>(vector_bytes(target));
  compiled = compile_loop(loop, wanted, still, target, stores);
  if (compiled) assembled->streaming_ = std::move(*compiled);
  return assembled;
}

void Assembled::compile_in_place(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted,
                                 const std::vector<bool>& still, Target target) {
  std::optional<CompiledLoop> compiled;
  if (sharing_.memory.entry()) {
    compiled = compile_sharing_loop(loop, wanted, still, target, shared_, Stores::kInPlace);
    replacing_shares_ = compiled.has_value();
  }
  if (!compiled) compiled = compile_loop(loop, wanted, still, target, Stores::kInPlace);
  if (compiled) replacing_ = std::move(*compiled);
}

// Whether the outputs lie as streaming code wants them.
bool Assembled::streams(std::byte* const* outputs) const {
  if (!streaming_.memory.entry()) return false;
  std::uintptr_t together = 0;
  for (std::size_t i = 0; i < output_sizes_.size(); ++i) {
    bool full = output_sizes_[i] * loop_.lanes == static_cast<int>(alignment_);
    if (full) together |= reinterpret_cast<std::uintptr_t>(outputs[i]);
  }
  return together % alignment_ == 0;
}

// The point from which on vectors of the operand do not reach across cache lines.
std::int64_t Assembled::head_of(const std::byte* operand, int size) const {
  auto vector = static_cast<std::uintptr_t>(size * loop_.lanes);
  auto element = static_cast<std::uintptr_t>(size);  // a power of two, as the vector is
  std::uintptr_t behind = reinterpret_cast<std::uintptr_t>(operand) & (vector - 1);
  if (behind == 0 || (behind & (element - 1)) != 0) return 0;
  return static_cast<std::int64_t>((vector - behind) >> std::countr_zero(element));
}

// Whether the inputs lie as code wants them whose inputs share loads.
bool Assembled::shares(const std::byte* const* inputs, std::int64_t head) const {
  for (const SharedInput& each : shared_) {
    int size = input_sizes_[static_cast<std::size_t>(each.input)];
    const std::byte* base = inputs[each.base];
    bool behind = inputs[each.input] == base + each.shift * size;
    if (!behind || reinterpret_cast<std::uintptr_t>(base + head * size) % kVector != 0)
      return false;
  }
  return true;
}

bool Assembled::run(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count,
                    bool apart) const {
  std::int64_t rest = count % loop_.lanes;
  bool streaming = streams(outputs);
  bool at_once = rest == 0 || (apart && count > loop_.lanes && !streaming);
  LoopCode code = streaming ? streaming_.code() : loop_.code();
  bool long_enough = apart && !streaming && count >= kAlignedVectors * loop_.lanes;
  std::int64_t head = 0;
  if (long_enough && sharing_.memory.entry()) {
    head =
        head_of(inputs[shared_[0].base], input_sizes_[static_cast<std::size_t>(shared_[0].input)]);
    if (shares(inputs, head)) return sharing_.code()(inputs, outputs, count, head) != 0;
  }
  if (long_enough) head = head_of(outputs[0], output_sizes_[0]);
  if (at_once) return code(inputs, outputs, count, head) != 0;
  std::int64_t whole = count - rest;
  std::uint32_t suspicious = whole > 0 ? code(inputs, outputs, whole, 0) : 0;
  return (suspicious | run_rest(inputs, outputs, whole, rest)) != 0;
}

// Whether loads of the base are a vector ahead of what is stored.
bool Assembled::looks_ahead(int base) const {
  return std::any_of(shared_.begin(), shared_.end(),
                     [&](const SharedInput& each) { return each.base == base && each.shift > 0; });
}

bool Assembled::replaces(const std::vector<RowReading>& readings, std::int64_t count) const {
  if (!replacing_.memory.entry() || count < 2 * loop_.lanes) return false;
  return std::all_of(readings.begin(), readings.end(), [&](const RowReading& each) {
    if (each.rows != 0 || each.columns >= 0) return true;
    if (each.columns < -loop_.lanes) return false;
    auto input = static_cast<int>(each.input);
    bool shared = std::any_of(shared_.begin(), shared_.end(), [&](const SharedInput& neighbour) {
      return neighbour.input == input;
    });
    return !replacing_shares_ || shared || looks_ahead(input);
  });
}

std::optional<bool> Assembled::replace(const std::byte* const* inputs, std::byte* place,
                                       std::byte* old, std::int64_t count) const {
  const std::byte* aligned = replacing_shares_ ? inputs[shared_[0].base] : place;
  std::int64_t head = head_of(aligned, output_sizes_[0]);
  if (replacing_shares_ && !shares(inputs, head)) return std::nullopt;
  std::byte* outputs[] = {place, old};
  return replacing_.code()(inputs, outputs, count, head) != 0;
}

std::uint32_t Assembled::run_rest(const std::byte* const* inputs, std::byte* const* outputs,
                                  std::int64_t begin, std::int64_t count) const {
  alignas(64) std::byte buffers[kMostOperands][kVector];
  alignas(64) std::byte results[kMostOperands][kVector];
  alignas(Counter) std::byte counters[kMostOperands][sizeof(Counter)];
  const std::byte* from[kMostOperands];
  std::byte* to[kMostOperands];
  for (std::size_t i = 0; i < input_sizes_.size(); ++i) {
    from[i] = inputs[i];
    if (input_sizes_[i] == kStill) continue;
    if (input_sizes_[i] == kCounts) {
      from[i] = advance(inputs[i], begin, counters[i]);
      continue;
    }
    auto size = static_cast<std::size_t>(input_sizes_[i]);
    const std::byte* first = inputs[i] + begin * input_sizes_[i];
    auto filled = static_cast<std::size_t>(count) * size;
    std::memcpy(buffers[i], first, filled);
    for (std::size_t at = filled; at < static_cast<std::size_t>(loop_.lanes) * size; at += size) {
      std::memcpy(buffers[i] + at, buffers[i] + filled - size, size);
    }
    from[i] = buffers[i];
  }
  for (std::size_t i = 0; i < output_sizes_.size(); ++i) to[i] = results[i];
  std::uint32_t suspicious = loop_.code()(from, to, loop_.lanes, 0);
  for (std::size_t i = 0; i < output_sizes_.size(); ++i) {
    std::memcpy(outputs[i] + begin * output_sizes_[i], to[i],
                static_cast<std::size_t>(count * output_sizes_[i]));
  }
  return suspicious;
}

}  // namespace strider::nd
