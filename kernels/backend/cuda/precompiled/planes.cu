// One thread for each element that is written.
#include "kernels/backend/cuda/precompiled/each.cuh"
#include "kernels/backend/cuda/precompiled/planes.h"

namespace strider::nd::cuda {
namespace {

template <class Word>
struct Pad {
  PlaneEdges edges;
  const Word* from;
  Word* to;
  __device__ void operator()(std::int64_t i) const {
    std::int64_t column = i % edges.whole_width - edges.left;
    std::int64_t line = i / edges.whole_width;
    std::int64_t row = line % edges.whole_height - edges.top;
    bool inside = row >= 0 && row < edges.height && column >= 0 && column < edges.width;
    std::int64_t plane = line / edges.whole_height;
    to[i] = inside ? from[(plane * edges.height + row) * edges.width + column] : Word{0};
  }
};

template <class Word>
struct Crop {
  PlaneEdges edges;
  const Word* from;
  Word* to;
  __device__ void operator()(std::int64_t i) const {
    std::int64_t column = i % edges.width + edges.left;
    std::int64_t line = i / edges.width;
    std::int64_t row = line % edges.height + edges.top;
    std::int64_t plane = line / edges.height;
    to[i] = from[(plane * edges.whole_height + row) * edges.whole_width + column];
  }
};

template <class Word>
struct Cut {
  PlaneTiles tiles;
  const Word* from;
  Word* to;
  __device__ void operator()(std::int64_t i) const {
    std::int64_t line = i / tiles.tile_width, stack = line / tiles.tile_height;
    std::int64_t plane = stack % tiles.planes, tile = stack / tiles.planes;
    std::int64_t row = tile / tiles.across * tiles.step_down + tiles.top + line % tiles.tile_height;
    std::int64_t column =
        tile % tiles.across * tiles.step_across + tiles.left + i % tiles.tile_width;
    bool inside = row >= 0 && row < tiles.height && column >= 0 && column < tiles.width;
    to[i] = inside ? from[(plane * tiles.height + row) * tiles.width + column] : Word{0};
  }
};

template <class Word>
struct Join {
  PlaneTiles tiles;
  const Word* from;
  Word* to;
  __device__ void operator()(std::int64_t i) const {
    std::int64_t column = i % tiles.width, line = i / tiles.width;
    std::int64_t row = line % tiles.height, plane = line / tiles.height;
    std::int64_t tile = row / tiles.step_down * tiles.across + column / tiles.step_across;
    std::int64_t stack = tile * tiles.planes + plane;
    to[i] = from[(stack * tiles.step_down + row % tiles.step_down) * tiles.step_across +
                 column % tiles.step_across];
  }
};

template <class Float>
__global__ void __launch_bounds__(kBlockThreads)
    add_each_plane(Float* y, const Float* b, std::int64_t filters, std::int64_t inner) {
  Float added = b[blockIdx.x % filters];
  Float* plane = y + blockIdx.x * inner;
  std::int64_t stride = static_cast<std::int64_t>(gridDim.y) * kBlockThreads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.y) * kBlockThreads + threadIdx.x;
       i < inner; i += stride)
    plane[i] += added;
}

template <class Float>
void add_to(const Queue& queue, std::byte* y, const std::byte* b, std::int64_t batch,
            std::int64_t filters, std::int64_t inner) {
  auto blocks = static_cast<unsigned>(
      std::min<std::int64_t>((inner + kBlockThreads - 1) / kBlockThreads, 1024));
  constexpr std::int64_t kMostImages = 1 << 20;
  std::int64_t most = std::max<std::int64_t>(1, kMostImages / filters);
  for (std::int64_t first = 0; first < batch; first += most) {
    auto planes = static_cast<unsigned>(std::min(most, batch - first) * filters);
    add_each_plane<<<dim3(planes, blocks), kBlockThreads, 0, queue.stream>>>(
        reinterpret_cast<Float*>(y) + first * filters * inner, reinterpret_cast<const Float*>(b),
        filters, inner);
    check_launch(cudaGetLastError());
  }
}

template <template <class> class Copy, class Word, class Places>
void copy(const Queue& queue, std::int64_t count, const Places& places, const std::byte* from,
          std::byte* to) {
  for_each(queue, count,
           Copy<Word>{places, reinterpret_cast<const Word*>(from), reinterpret_cast<Word*>(to)});
}

}  // namespace

void pad_planes(const Queue& queue, int item, const PlaneEdges& edges, const std::byte* from,
                std::byte* to) {
  std::int64_t count = edges.planes * edges.whole_height * edges.whole_width;
  if (item == 4) return copy<Pad, std::uint32_t>(queue, count, edges, from, to);
  copy<Pad, std::uint64_t>(queue, count, edges, from, to);
}

void crop_planes(const Queue& queue, int item, const PlaneEdges& edges, const std::byte* from,
                 std::byte* to) {
  std::int64_t count = edges.planes * edges.height * edges.width;
  if (item == 4) return copy<Crop, std::uint32_t>(queue, count, edges, from, to);
  copy<Crop, std::uint64_t>(queue, count, edges, from, to);
}

void cut_planes(const Queue& queue, int item, const PlaneTiles& tiles, const std::byte* from,
                std::byte* to) {
  std::int64_t count =
      tiles.down * tiles.across * tiles.planes * tiles.tile_height * tiles.tile_width;
  if (item == 4) return copy<Cut, std::uint32_t>(queue, count, tiles, from, to);
  copy<Cut, std::uint64_t>(queue, count, tiles, from, to);
}

void join_planes(const Queue& queue, int item, const PlaneTiles& tiles, const std::byte* from,
                 std::byte* to) {
  std::int64_t count = tiles.planes * tiles.height * tiles.width;
  if (item == 4) return copy<Join, std::uint32_t>(queue, count, tiles, from, to);
  copy<Join, std::uint64_t>(queue, count, tiles, from, to);
}

void add_to_planes(const Queue& queue, DType dtype, std::byte* y, const std::byte* b,
                   std::int64_t batch, std::int64_t filters, std::int64_t inner) {
  if (dtype == DType::kFloat32) return add_to<float>(queue, y, b, batch, filters, inner);
  add_to<double>(queue, y, b, batch, filters, inner);
}

}  // namespace strider::nd::cuda
