// Chooses the shape of a loop's kernels; keys and texts come from the same layout.
#include "kernels/backend/cuda/jit/rendering.h"

#include "kernels/backend/cuda/jit/prelude.h"
#include "kernels/backend/cuda/jit/shapes.h"

namespace strider::nd::cuda {
namespace {

std::string key_of(const Request& request) {
  std::string key;
  key.reserve(128);
  key += request.loop.folds.empty() ? 'm' : 'f';
  request.layout.append_key(key);
  append_steps_key(request.loop, request.conditions != nullptr, key);
  if (!request.loop.folds.empty()) append_fold_key(request.loop, request.layout, false, key);
  const LaunchShape& shape = request.facts.shape;
  if (shape.resident) key += 'R' + std::to_string(shape.resident);
  if (shape.threads != LaunchShape().threads) key += 'T' + std::to_string(shape.threads);
  return key;
}

}  // namespace

Rendering render(const FusedLoop& loop, const LoopMemory& memory, std::uint32_t* conditions,
                 const DeviceFacts& facts, Scratch& scratch) {
  if (conditions && !watches(loop)) conditions = nullptr;
  LoopLayout layout(loop, memory, facts.shape.work_alone, facts.shape.axes);
  layout.wide |= facts.shape.wide;
  Request request{loop, memory, conditions, facts, &scratch, std::move(layout)};
  Rendering rendering;
  rendering.key = key_of(request);
  if (loop.folds.empty())
    render_map(request, &rendering, nullptr);
  else
    render_fold(request, &rendering, nullptr);
  return rendering;
}

bool runs_in_place(const FusedLoop& loop, const LoopMemory& memory) {
  return LoopLayout(loop, memory, 0).grouping == Grouping::kMarch;
}

std::string kernel_text(const FusedLoop& loop, const LoopMemory& memory, const std::string& key,
                        const LaunchShape& shape) {
  return text_of(loop, memory, key, shape, 1);
}

std::string text_of(const FusedLoop& loop, const LoopMemory& memory, const std::string& key,
                    const LaunchShape& shape, std::size_t maps) {
  bool watched = key.find('!') != std::string::npos;
  std::uint32_t nothing = 0;
  DeviceFacts facts;
  facts.shape = shape;
  LoopLayout layout(loop, memory, shape.work_alone, shape.axes);
  layout.wide |= shape.wide;
  Request request{loop, memory, watched ? &nothing : nullptr, facts, nullptr, std::move(layout),
                  maps};
  std::string text = prelude_text(loop, watched, request.layout.wide);
  text += "namespace strider::nd::device {\n";
  if (loop.folds.empty())
    render_map(request, nullptr, &text);
  else
    render_fold(request, nullptr, &text);
  text += "}\n";
  return text;
}

}  // namespace strider::nd::cuda
