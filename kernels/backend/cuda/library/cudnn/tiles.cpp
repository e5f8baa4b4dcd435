// A tile of y sees as many elements of x and size - 1 more; a tile of dx those of dy. The gradient
// by the weights is one sum over all tiles.
#include "kernels/backend/cuda/library/cudnn/tiles.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <limits>
#include <string>

#include "kernels/backend/cuda/library/timed_queue.h"
#include "kernels/backend/cuda/workspace.h"

namespace strider::nd::cuda {
namespace {

constexpr const char* kChoice = "tiles";
// The longest axis that cuDNN transforms as a whole, and the lengths that are tried.
constexpr std::int64_t kWhole = 256;
constexpr std::int64_t kReaches[] = {128, 256};
constexpr std::int64_t kSmallWindow = 25;
// Tiles have to be faster by this.
constexpr float kBetter = 0.97f;

// The length of an axis with all that windows see beyond it.
std::int64_t whole_reach(const ConvolutionKey& key, int axis) {
  if (key.work == ConvolutionWork::kData) return key.places(axis) + 2 * (key.size[axis] - 1);
  return key.extent[axis] + 2 * key.edge[axis];
}

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t planes_of(const ConvolutionKey& key, std::int64_t channels) {
  return key.batch * channels;
}

// Bytes of so many planes of one size.
std::size_t bytes_of(const ConvolutionKey& key, std::int64_t planes, std::int64_t rows,
                     std::int64_t columns) {
  std::int64_t item = key.dtype == DType::kFloat32 ? 4 : 8;
  return static_cast<std::size_t>(planes * rows * columns * item);
}

// Tiles of planes of these extents, which begin `before` elements before their places.
PlaneTiles tiles_of(const ConvolutionTiles& tiles, std::int64_t planes,
                    const std::int64_t (&extent)[2], const std::int64_t (&before)[2],
                    const std::int64_t (&size)[2]) {
  return {planes,        extent[0],  extent[1],  tiles.count[0], tiles.count[1], tiles.step[0],
          tiles.step[1], -before[0], -before[1], size[0],        size[1]};
}

}  // namespace

std::optional<ConvolutionTiles> cut_into_tiles(const ConvolutionKey& key, std::int64_t reach) {
  bool gives_x = key.work == ConvolutionWork::kData;
  if (key.size[0] * key.size[1] < kSmallWindow) return std::nullopt;
  if (std::max(whole_reach(key, 0), whole_reach(key, 1)) <= kWhole) return std::nullopt;
  ConvolutionTiles tiles{key, {}, {}};
  for (int axis = 0; axis < 2; ++axis) {
    std::int64_t more = (gives_x ? 2 : 1) * (key.size[axis] - 1);
    if (key.stride[axis] != 1 || key.dilation[axis] != 1 || 2 * more > reach) return std::nullopt;
    std::int64_t length = gives_x ? key.extent[axis] : key.places(axis);
    tiles.count[axis] = divide_up(length, reach - more);
    tiles.step[axis] = divide_up(length, tiles.count[axis]);
    tiles.key.extent[axis] = tiles.step[axis] + (gives_x ? 0 : more);
    tiles.key.edge[axis] = gives_x ? key.size[axis] - 1 : 0;
  }
  tiles.key.batch = key.batch * tiles.count[0] * tiles.count[1];
  tiles.key.alignment = 16;
  double longest = static_cast<double>(std::max(key.channels, key.filters)) *
                   static_cast<double>(tiles.key.batch * reach * reach);
  if (longest > INT_MAX) return std::nullopt;
  return tiles;
}

bool TiledConvolution::run_in_tiles(const ConvolutionKey& key, const ConvolutionTiles& tiles,
                                    const ConvolutionOperands& operands) {
  CudaDevice& device = cudnn_.device();
  Queue queue{device, device.stream()};
  int item = key.dtype == DType::kFloat32 ? 4 : 8;
  std::int64_t places[2], seen[2], more[2], none[2] = {0, 0};
  for (int axis = 0; axis < 2; ++axis) {
    places[axis] = key.places(axis);
    seen[axis] = tiles.step[axis] + key.size[axis] - 1;
    more[axis] =
        key.work == ConvolutionWork::kData ? key.size[axis] - 1 - key.edge[axis] : key.edge[axis];
  }
  std::int64_t x_planes = planes_of(key, key.channels), y_planes = planes_of(key, key.filters);
  auto room = [&](std::int64_t channels, const std::int64_t(&size)[2]) {
    return Workspace::if_free(device,
                              bytes_of(key, planes_of(tiles.key, channels), size[0], size[1]));
  };
  bool gives_x = key.work == ConvolutionWork::kData;
  std::optional<Workspace> x = room(key.channels, gives_x ? tiles.step : seen);
  std::optional<Workspace> y = room(key.filters, gives_x ? seen : tiles.step);
  if (!x || !y) return false;
  PlaneTiles of_x =
      tiles_of(tiles, x_planes, key.extent, gives_x ? none : more, gives_x ? tiles.step : seen);
  PlaneTiles of_y =
      tiles_of(tiles, y_planes, places, gives_x ? more : none, gives_x ? seen : tiles.step);
  ConvolutionOperands part = operands;
  if (operands.x) cut_planes(queue, item, of_x, operands.x, x->start());
  if (operands.x) part.x = x->start();
  if (operands.y) cut_planes(queue, item, of_y, operands.y, y->start());
  if (operands.y) part.y = y->start();
  if (gives_x) part.result = x->start();
  if (key.work == ConvolutionWork::kForward) part.result = y->start();
  if (!plans_.run(tiles.key, part)) return false;
  if (gives_x) join_planes(queue, item, of_x, x->start(), operands.result);
  if (key.work == ConvolutionWork::kForward)
    join_planes(queue, item, of_y, y->start(), operands.result);
  return true;
}

std::int64_t TiledConvolution::measure(const ConvolutionKey& key, ConvolutionOperands operands) {
  CudaDevice& device = cudnn_.device();
  std::optional<Workspace> result = Workspace::if_free(device, key.result_bytes());
  if (!result) return 0;
  operands.result = result->start();
  TimedQueue queue(device);
  constexpr float kLast = std::numeric_limits<float>::infinity();
  float best = kLast;
  // The first call measures plans.
  auto time = [&](auto&& run) { return run() ? queue.time(run, best).value_or(kLast) : kLast; };
  best = time([&] { return plans_.run(key, operands); }) * kBetter;
  std::int64_t chosen = 0;
  for (std::int64_t reach : kReaches) {
    std::optional<ConvolutionTiles> tiles = cut_into_tiles(key, reach);
    if (!tiles) continue;
    float found = time([&] { return run_in_tiles(key, *tiles, operands); });
    if (found >= best) continue;
    best = found;
    chosen = reach;
  }
  choices_.store(kChoice, key, std::to_string(chosen));
  return chosen;
}

std::int64_t TiledConvolution::find(const ConvolutionKey& key,
                                    const ConvolutionOperands& operands) {
  for (const Choice& choice : kept_)
    if (choice.key == key) return choice.reach;
  std::optional<std::string> text = choices_.find(kChoice, key);
  std::int64_t reach = text ? std::atoll(text->c_str()) : measure(key, operands);
  if (kept_.size() == kKept) kept_.erase(kept_.begin());
  kept_.push_back({key, reach});
  return reach;
}

bool TiledConvolution::run(const ConvolutionKey& key, const ConvolutionOperands& operands) {
  if (!choices_.are_measured() || !cut_into_tiles(key, kWhole)) return plans_.run(key, operands);
  std::int64_t reach = find(key, operands);
  std::optional<ConvolutionTiles> tiles = reach ? cut_into_tiles(key, reach) : std::nullopt;
  return tiles && run_in_tiles(key, *tiles, operands) ? true : plans_.run(key, operands);
}

}  // namespace strider::nd::cuda
