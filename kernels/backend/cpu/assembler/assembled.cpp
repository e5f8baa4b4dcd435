// Running compiled loops: points that do not fill a vector are computed in buffers, padded with the
// last of them.
#include "kernels/backend/cpu/assembler/assembled.h"

#include <cstring>

namespace strider::nd {
namespace {

constexpr std::size_t kMostOperands = 64;
constexpr std::size_t kVector = 64;

}  // namespace

std::shared_ptr<const Assembled> Assembled::make(const FusedLoop& loop,
                                                 const std::vector<std::uint16_t>& wanted,
                                                 const std::vector<bool>& still, Target target) {
  if (loop.inputs.size() > kMostOperands || wanted.size() > kMostOperands) return nullptr;
  std::optional<CompiledLoop> compiled = compile_loop(loop, wanted, still, target);
  if (!compiled) return nullptr;
  std::vector<int> input_sizes, output_sizes;
  for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
    input_sizes.push_back(still[i] ? 0 : item_size(loop.inputs[i].dtype));
  }
  for (std::uint16_t value : wanted) output_sizes.push_back(item_size(loop.type_of(value)));
  return std::shared_ptr<const Assembled>(
      new Assembled(std::move(*compiled), std::move(input_sizes), std::move(output_sizes)));
}

bool Assembled::run(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count,
                    bool apart) const {
  std::int64_t rest = count % loop_.lanes;
  if (rest == 0 || (apart && count > loop_.lanes)) return loop_.code()(inputs, outputs, count);
  std::int64_t whole = count - rest;
  std::uint32_t suspicious = whole > 0 ? loop_.code()(inputs, outputs, whole) : 0;
  return (suspicious | run_rest(inputs, outputs, whole, rest)) != 0;
}

std::uint32_t Assembled::run_rest(const std::byte* const* inputs, std::byte* const* outputs,
                                  std::int64_t begin, std::int64_t count) const {
  alignas(64) std::byte buffers[2 * kMostOperands][kVector];
  const std::byte* from[kMostOperands];
  std::byte* to[kMostOperands];
  for (std::size_t i = 0; i < input_sizes_.size(); ++i) {
    auto size = static_cast<std::size_t>(input_sizes_[i]);
    from[i] = inputs[i];
    if (size == 0) continue;
    const std::byte* first = inputs[i] + begin * input_sizes_[i];
    auto filled = static_cast<std::size_t>(count) * size;
    std::memcpy(buffers[i], first, filled);
    for (std::size_t at = filled; at < static_cast<std::size_t>(loop_.lanes) * size; at += size) {
      std::memcpy(buffers[i] + at, buffers[i] + filled - size, size);
    }
    from[i] = buffers[i];
  }
  for (std::size_t i = 0; i < output_sizes_.size(); ++i) to[i] = buffers[kMostOperands + i];
  std::uint32_t suspicious = loop_.code()(from, to, loop_.lanes);
  for (std::size_t i = 0; i < output_sizes_.size(); ++i) {
    std::memcpy(outputs[i] + begin * output_sizes_[i], to[i],
                static_cast<std::size_t>(count * output_sizes_[i]));
  }
  return suspicious;
}

}  // namespace strider::nd
