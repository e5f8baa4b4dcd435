// Many arrays in one launch: a block finds the array that its elements are of.
#include <cmath>

#include "kernels/backend/cuda/precompiled/adam.h"

namespace strider::nd::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kThreadElements = 4;
constexpr std::int64_t kBlockElements = kThreadElements * kThreads;
constexpr int kMostParts = 32;  // of a launch

template <class Float>
struct Part {
  Float* x;
  const Float* gradient;
  Float *mean, *square;
  std::int64_t count;
  std::int64_t first_block;
};

template <class Float>
struct Parts {
  Part<Float> each[kMostParts];
  int count;
  Float new_mean, new_square, rate, spread, eps, decay;
  bool decays;
};

template <class Float>
__global__ void __launch_bounds__(kThreads) move_parts(const __grid_constant__ Parts<Float> parts) {
  int at = 0;
  while (at + 1 < parts.count && parts.each[at + 1].first_block <= blockIdx.x) ++at;
  const Part<Float>& part = parts.each[at];
  std::int64_t begin = (blockIdx.x - part.first_block) * kBlockElements + threadIdx.x;
  for (std::int64_t i = begin, k = 0; k < kThreadElements && i < part.count; ++k, i += kThreads) {
    Float x = part.x[i], m = part.mean[i], v = part.square[i], g = part.gradient[i];
    if (parts.decays) g = g + parts.decay * x;
    m = m + parts.new_mean * (g - m);
    v = v + parts.new_square * (g * g - v);
    part.mean[i] = m;
    part.square[i] = v;
    part.x[i] = x - parts.rate * m / (sqrt(v) * parts.spread + parts.eps);
  }
}

template <class Float>
void launch(const Queue& queue, const AdamStep& step, std::span<const AdamElements> given) {
  Parts<Float> parts{};
  parts.new_mean = static_cast<Float>(step.new_mean);
  parts.new_square = static_cast<Float>(step.new_square);
  parts.rate = static_cast<Float>(step.rate);
  parts.spread = static_cast<Float>(step.spread);
  parts.eps = static_cast<Float>(step.eps);
  parts.decay = static_cast<Float>(step.decay);
  parts.decays = step.decay != 0;
  std::int64_t blocks = 0;
  for (const AdamElements& part : given) {
    parts.each[parts.count++] = {reinterpret_cast<Float*>(part.x),
                                 reinterpret_cast<const Float*>(part.gradient),
                                 reinterpret_cast<Float*>(part.mean),
                                 reinterpret_cast<Float*>(part.square),
                                 part.count,
                                 blocks};
    blocks += (part.count + kBlockElements - 1) / kBlockElements;
  }
  if (blocks == 0) return;
  move_parts<<<static_cast<unsigned>(blocks), kThreads, 0, queue.stream>>>(parts);
  check_launch(cudaGetLastError());
}

}  // namespace

void move_by_adam(const Queue& queue, DType dtype, const AdamStep& step,
                  std::span<const AdamElements> parts) {
  for (std::size_t first = 0; first < parts.size(); first += kMostParts) {
    auto some = parts.subspan(first, std::min<std::size_t>(kMostParts, parts.size() - first));
    if (dtype == DType::kFloat32)
      launch<float>(queue, step, some);
    else
      launch<double>(queue, step, some);
  }
}

}  // namespace strider::nd::cuda
