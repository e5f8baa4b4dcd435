// Sums over neighbouring channels, each anew for its element.
#include "kernels/backend/cuda/precompiled/each.cuh"
#include "kernels/backend/cuda/precompiled/planes.h"

namespace strider::nd::cuda {
namespace {

template <class Float>
struct Norm {
  std::int64_t channels, inner;
  std::int64_t before, after;  // channels of a window
  Float alpha, beta, k;        // alpha is divided by the window's size

  // Adds term(i) up for the channels from `first` to `last` around that of element `at`, as far as
  // there are any.
  template <class Term>
  __device__ Float sum(std::int64_t at, std::int64_t first, std::int64_t last, Term&& term) const {
    std::int64_t channel = at / inner % channels;
    if (first < -channel) first = -channel;
    if (last > channels - 1 - channel) last = channels - 1 - channel;
    Float total = 0;
    for (std::int64_t other = first; other <= last; ++other) total += term(at + other * inner);
    return total;
  }
  __device__ Float scale(const Float* x, std::int64_t at) const {
    return k + alpha * sum(at, -before, after, [&](std::int64_t i) { return x[i] * x[i]; });
  }
};

template <class Float>
struct Normalize {
  Norm<Float> norm;
  const Float* x;
  Float* y;
  __device__ void operator()(std::int64_t i) const {
    y[i] = x[i] / pow(norm.scale(x, i), norm.beta);
  }
};

// What the other channels' gradients want of an element.
template <class Float>
struct Share {
  Norm<Float> norm;
  const Float *dy, *x, *y;
  Float* share;
  __device__ void operator()(std::int64_t i) const { share[i] = dy[i] * y[i] / norm.scale(x, i); }
};

template <class Float>
struct Gradient {
  Norm<Float> norm;
  const Float *dy, *x, *share;
  Float* dx;
  __device__ void operator()(std::int64_t i) const {
    // The windows that an element lies in are those of the channels around it, the other way round.
    Float sum = norm.sum(i, -norm.after, norm.before, [&](std::int64_t j) { return share[j]; });
    dx[i] =
        dy[i] / pow(norm.scale(x, i), norm.beta) - Float{2} * norm.alpha * norm.beta * x[i] * sum;
  }
};

template <class Float>
Norm<Float> norm_of(const ResponseNorm& norm) {
  return {norm.channels,
          norm.inner,
          (norm.size - 1) / 2,
          norm.size / 2,
          static_cast<Float>(norm.alpha / static_cast<double>(norm.size)),
          static_cast<Float>(norm.beta),
          static_cast<Float>(norm.k)};
}

template <class Float>
void normalize(const Queue& queue, const ResponseNorm& norm, const std::byte* x, std::byte* y) {
  for_each(queue, norm.batch * norm.channels * norm.inner,
           Normalize<Float>{norm_of<Float>(norm), reinterpret_cast<const Float*>(x),
                            reinterpret_cast<Float*>(y)});
}

template <class Float>
void gradient(const Queue& queue, const ResponseNorm& norm, const std::byte* dy, const std::byte* x,
              const std::byte* y, std::byte* dx) {
  std::int64_t count = norm.batch * norm.channels * norm.inner;
  auto* result = reinterpret_cast<const Float*>(y);
  auto* from = reinterpret_cast<const Float*>(x);
  auto* wanted = reinterpret_cast<const Float*>(dy);
  Workspace share(queue.device, static_cast<std::size_t>(count) * sizeof(Float));
  Norm<Float> sums = norm_of<Float>(norm);
  for_each(queue, count, Share<Float>{sums, wanted, from, result, share.as<Float>()});
  for_each(queue, count,
           Gradient<Float>{sums, wanted, from, share.as<Float>(), reinterpret_cast<Float*>(dx)});
}

}  // namespace

void normalize_response(const Queue& queue, DType dtype, const ResponseNorm& norm,
                        const std::byte* x, std::byte* y) {
  if (dtype == DType::kFloat32) return normalize<float>(queue, norm, x, y);
  normalize<double>(queue, norm, x, y);
}

void normalize_response_gradient(const Queue& queue, DType dtype, const ResponseNorm& norm,
                                 const std::byte* dy, const std::byte* x, const std::byte* y,
                                 std::byte* dx) {
  if (dtype == DType::kFloat32) return gradient<float>(queue, norm, dy, x, y, dx);
  gradient<double>(queue, norm, dy, x, y, dx);
}

}  // namespace strider::nd::cuda
