// Edges that cuDNN does not have are elements of a copy of the images.
#include "kernels/backend/cuda/library/cudnn/convolution.h"

#include <strider/nd/precision.h>

#include <algorithm>
#include <climits>
#include <optional>

#include "kernels/backend/cuda/library/elements.h"

namespace strider::nd::cuda {
namespace {

// Engines may read so many bytes at once where all operands lie at multiples of them.
constexpr std::int64_t kAlignment = 16;

Convolution on_equal_edges(Convolution convolution) {
  convolution.rows = with_equal_edges(convolution.rows);
  convolution.columns = with_equal_edges(convolution.columns);
  return convolution;
}

std::int64_t image_elements(const Convolution& convolution) {
  return convolution.channels * convolution.rows.extent * convolution.columns.extent;
}

std::int64_t result_elements(const Convolution& convolution) {
  return convolution.filters * convolution.rows.places() * convolution.columns.places();
}

// Of all operands; what is null is at all multiples.
std::int64_t alignment_of(const ConvolutionOperands& operands, std::int64_t item) {
  std::uintptr_t bits = 0;
  for (const std::byte* each :
       {operands.x, operands.w, operands.y, static_cast<const std::byte*>(operands.result)})
    bits |= reinterpret_cast<std::uintptr_t>(each);
  return bits % kAlignment == 0 ? kAlignment : item;
}

}  // namespace

WindowAxis with_equal_edges(const WindowAxis& axis) {
  WindowAxis equal = axis;
  equal.after = axis.before;
  if (equal.extent + 2 * equal.before >= equal.reach() && equal.places() == axis.places())
    return equal;
  equal.extent = axis.before + axis.extent + axis.after;
  equal.before = equal.after = 0;
  return equal;
}

PlaneEdges edges_of(const Convolution& original, const Convolution& equal, std::int64_t batch) {
  auto start = [](const WindowAxis& axis, const WindowAxis& whole) {
    return axis.extent == whole.extent ? 0 : axis.before;
  };
  return {batch * original.channels,
          original.rows.extent,
          original.columns.extent,
          start(original.rows, equal.rows),
          start(original.columns, equal.columns),
          equal.rows.extent,
          equal.columns.extent};
}

ConvolutionKey key_of(ConvolutionWork work, DType dtype, bool tf32, const Convolution& convolution,
                      std::int64_t batch) {
  ConvolutionKey key;
  key.work = work;
  key.dtype = dtype;
  key.tf32 = tf32 && dtype == DType::kFloat32;
  key.batch = batch;
  key.channels = convolution.channels;
  key.filters = convolution.filters;
  key.groups = convolution.groups;
  const WindowAxis* axes[] = {&convolution.rows, &convolution.columns};
  for (int i = 0; i < 2; ++i) {
    key.extent[i] = axes[i]->extent;
    key.size[i] = axes[i]->size;
    key.stride[i] = axes[i]->stride;
    key.edge[i] = axes[i]->before;
    key.dilation[i] = axes[i]->dilation;
  }
  return key;
}

std::int64_t most_images(const Convolution& convolution) {
  Convolution equal = on_equal_edges(convolution);
  std::int64_t each = std::max(image_elements(equal), result_elements(equal));
  std::int64_t weights = equal.filters * equal.channels * equal.rows.size * equal.columns.size;
  return weights > INT_MAX ? 0 : std::min(equal.batch, INT_MAX / each);
}

// The images between their edges, where cuDNN wants edges that it does not have as elements.
class CudnnConvolution::Images {
 public:
  Images(CudaDevice& device, DType dtype, const Convolution& original, const Convolution& equal,
         std::int64_t batch)
      : device_(device),
        item_(static_cast<int>(elements_of(dtype).size)),
        edges_(edges_of(original, equal, batch)),
        same_(original.rows.extent == equal.rows.extent &&
              original.columns.extent == equal.columns.extent) {
    if (!same_) {
      space_.emplace(device, static_cast<std::size_t>(edges_.planes * edges_.whole_height *
                                                      edges_.whole_width * item_));
    }
  }

  const std::byte* with_edges(const std::byte* x) {
    if (same_) return x;
    pad_planes({device_, device_.stream()}, item_, edges_, x, space_->start());
    return space_->start();
  }
  std::byte* place_for(std::byte* dx) const { return same_ ? dx : space_->start(); }
  void give_to(std::byte* dx) {
    if (!same_) crop_planes({device_, device_.stream()}, item_, edges_, space_->start(), dx);
  }

 private:
  CudaDevice& device_;
  int item_;
  PlaneEdges edges_;
  bool same_;
  std::optional<Workspace> space_;
};

bool CudnnConvolution::run(ConvolutionWork work, DType dtype, const Convolution& convolution,
                           const ConvolutionOperands& operands) {
  std::int64_t most = most_images(convolution);
  if (most == 0) return false;
  Convolution equal = on_equal_edges(convolution);
  auto item = static_cast<std::int64_t>(elements_of(dtype).size);
  std::int64_t image = image_elements(convolution) * item;
  std::int64_t outcome = result_elements(convolution) * item;
  for (std::int64_t first = 0; first < convolution.batch; first += most) {
    std::int64_t batch = std::min(most, convolution.batch - first);
    Images images(cudnn_.device(), dtype, convolution, equal, batch);
    ConvolutionKey key = key_of(work, dtype, is_tf32_allowed(), equal, batch);
    ConvolutionOperands part = operands;
    if (part.x) part.x = images.with_edges(operands.x + first * image);
    if (part.y) part.y = operands.y + first * outcome;
    std::byte* place = operands.result;
    if (work == ConvolutionWork::kForward) part.result = operands.result + first * outcome;
    if (work == ConvolutionWork::kData) place = operands.result + first * image;
    if (work == ConvolutionWork::kData) part.result = images.place_for(place);
    key.adds = work == ConvolutionWork::kWeights && first > 0;
    key.alignment = alignment_of(part, item);
    if (!tiles_.run(key, part)) return false;
    if (work == ConvolutionWork::kData) images.give_to(place);
  }
  return true;
}

}  // namespace strider::nd::cuda
