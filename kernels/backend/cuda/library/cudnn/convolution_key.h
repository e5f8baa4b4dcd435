// What the plans of a convolution depend on, and the ways to compute it, as texts too. Knows
// nothing of cuDNN but that its engines and their knobs have numbers.
#pragma once

#include <strider/nd/dtype.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace strider::nd::cuda {

enum class ConvolutionWork : std::uint8_t { kForward, kData, kWeights };

// Edges are equal on both sides. All operands lie at multiples of so many bytes.
struct ConvolutionKey {
  ConvolutionWork work = ConvolutionWork::kForward;
  DType dtype = DType::kFloat32;
  bool tf32 = false;
  bool adds = false;  // to what is there
  std::int64_t alignment = 16;
  std::int64_t batch = 1, channels = 1, filters = 1, groups = 1;
  std::int64_t extent[2] = {}, size[2] = {}, stride[2] = {}, edge[2] = {}, dilation[2] = {};
  bool operator==(const ConvolutionKey&) const = default;

  std::int64_t places(int axis) const;
  // Of the result.
  std::size_t result_bytes() const;
};

// An engine of cuDNN, and how its knobs are turned; those that are not named are left to cuDNN.
struct EngineChoice {
  std::int64_t engine = 0;
  std::vector<std::pair<int, std::int64_t>> knobs;
  bool operator==(const EngineChoice&) const = default;
};

// All of it as numbers with spaces between them.
std::string to_text(const ConvolutionKey& key);
// "engine:knob=value,knob=value engine …", and back; whatever is wrong with a text is passed over.
std::string to_text(const std::vector<EngineChoice>& choices);
std::vector<EngineChoice> to_choices(const std::string& text);

}  // namespace strider::nd::cuda
