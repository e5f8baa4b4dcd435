// Texts are what files are found by and hold.
#include "kernels/backend/cuda/library/cudnn/convolution_key.h"

#include <sstream>

namespace strider::nd::cuda {
namespace {

// Whether the word is a choice, to its last letter.
bool read(const std::string& word, EngineChoice& choice) {
  std::istringstream letters(word);
  if (!(letters >> choice.engine) || choice.engine < 0) return false;
  int knob = 0;
  std::int64_t value = 0;
  char before = 0, between = 0;
  while (letters >> before) {
    bool good = before == (choice.knobs.empty() ? ':' : ',') && letters >> knob >> between >> value;
    if (!good || between != '=' || knob < 0) return false;
    choice.knobs.emplace_back(knob, value);
  }
  return true;
}

}  // namespace

std::int64_t ConvolutionKey::places(int axis) const {
  std::int64_t reach = (size[axis] - 1) * dilation[axis] + 1;
  return (extent[axis] + 2 * edge[axis] - reach) / stride[axis] + 1;
}

std::size_t ConvolutionKey::result_bytes() const {
  std::int64_t count = batch * filters * places(0) * places(1);
  if (work == ConvolutionWork::kData) count = batch * channels * extent[0] * extent[1];
  if (work == ConvolutionWork::kWeights) count = filters * (channels / groups) * size[0] * size[1];
  return static_cast<std::size_t>(count) * (dtype == DType::kFloat32 ? 4 : 8);
}

std::string to_text(const ConvolutionKey& key) {
  std::ostringstream text;
  text << static_cast<int>(key.work) << ' ' << static_cast<int>(key.dtype) << ' ' << key.tf32 << ' '
       << key.adds << ' ' << key.alignment << ' ' << key.batch << ' ' << key.channels << ' '
       << key.filters << ' ' << key.groups;
  for (int i = 0; i < 2; ++i) {
    text << ' ' << key.extent[i] << ' ' << key.size[i] << ' ' << key.stride[i] << ' ' << key.edge[i]
         << ' ' << key.dilation[i];
  }
  return text.str();
}

std::string to_text(const std::vector<EngineChoice>& choices) {
  std::string text;
  for (const EngineChoice& choice : choices) {
    text += (text.empty() ? "" : " ") + std::to_string(choice.engine);
    char before = ':';
    for (const auto& [knob, value] : choice.knobs) {
      text += before + std::to_string(knob) + '=' + std::to_string(value);
      before = ',';
    }
  }
  return text;
}

std::vector<EngineChoice> to_choices(const std::string& text) {
  std::vector<EngineChoice> choices;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    EngineChoice choice;
    if (read(word, choice)) choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace strider::nd::cuda
