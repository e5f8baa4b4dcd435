// Maps side by side: one launch whose blocks are shared out among them, each with its own
// arguments. Many small arrays that are computed alike cost one launch.
#include <cstring>

#include "kernels/backend/cuda/jit/shapes.h"

namespace strider::nd::cuda {
namespace {

// Of one launch, as all devices take them.
constexpr std::size_t kMostArguments = 4000;

// No map needs any.
class NoScratch : public Scratch {
 public:
  std::byte* take(std::size_t) override { return nullptr; }
};

bool takes_point_after_point(const PassLoop& map, const DeviceFacts& facts) {
  if (!map.loop->folds.empty() || map.memory->delay > 0 || map.loop->point_count() == 0)
    return false;
  LoopLayout layout(*map.loop, *map.memory, facts.shape.work_alone, facts.shape.axes);
  return layout.grouping == Grouping::kOne || layout.grouping == Grouping::kPair ||
         layout.grouping == Grouping::kApart;
}

std::string key_of(const std::string& single, std::size_t count) {
  return "s" + std::to_string(count) + ":" + single;
}

void append(const std::vector<std::byte>& more, std::vector<std::byte>& bytes) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace

std::optional<Rendering> render_side_by_side(std::span<const PassLoop> maps,
                                             const DeviceFacts& facts) {
  Rendering rendering;
  KernelCall all;
  all.entry = "maps";
  all.grid[0] = 0;
  NoScratch scratch;
  std::size_t ends = (maps.size() * sizeof(std::uint32_t) + 7) / 8 * 8;
  all.arguments.resize(ends);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const PassLoop& map = maps[i];
    if (!takes_point_after_point(map, facts)) return std::nullopt;
    Rendering each = render(*map.loop, *map.memory, map.conditions, facts, scratch);
    std::string key = key_of(each.key, maps.size());
    const KernelCall& call = each.calls[0];
    if (i == 0) {
      rendering.key = key;
      all.block[0] = call.block[0];
    }
    if (key != rendering.key || call.block[0] != all.block[0]) return std::nullopt;
    all.grid[0] += call.grid[0];
    std::memcpy(all.arguments.data() + i * sizeof(std::uint32_t), all.grid, sizeof(std::uint32_t));
    for (ChangingField field : each.changing) {
      field.loop = static_cast<std::uint8_t>(i);
      field.at += static_cast<std::uint32_t>(all.arguments.size());
      rendering.changing.push_back(field);
    }
    append(call.arguments, all.arguments);
  }
  if (all.arguments.size() > kMostArguments) return std::nullopt;
  rendering.calls.push_back(std::move(all));
  return rendering;
}

std::string side_by_side_text(std::span<const PassLoop> maps, const std::string& key) {
  return text_of(*maps[0].loop, *maps[0].memory, key, LaunchShape(), maps.size());
}

}  // namespace strider::nd::cuda
