// Measuring waits for the device, once for each shape that no file knows.
#include "kernels/backend/cuda/library/cudnn_convolution.h"

#include <strider/nd/error.h>
#include <strider/nd/precision.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/backend/cuda/jit/disk_cache.h"
#include "kernels/backend/cuda/library/elements.h"
#include "kernels/backend/cuda/library/timed_queue.h"

namespace strider::nd::cuda {
namespace {

// What is slower by less takes about as long.
constexpr float kAlike = 1.03f;

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
  ConvolutionKey key{work,
                     dtype,
                     tf32 && dtype == DType::kFloat32,
                     batch,
                     convolution.channels,
                     convolution.filters,
                     convolution.groups};
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

CudnnConvolution::CudnnConvolution(Cudnn& cudnn, DiskCache* choices)
    : cudnn_(cudnn), choices_(choices), measures_(true) {
  const char* text = std::getenv("STRIDER_CUDNN");
  if (text && std::string_view(text) == "estimate") measures_ = false;
}

CudnnConvolution::~CudnnConvolution() = default;

ConvolutionPlan& CudnnConvolution::find(const ConvolutionKey& key) {
  auto found = std::find_if(plans_.begin(), plans_.end(),
                            [&](const auto& plan) { return plan->key() == key; });
  if (found != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, found);
    return *plans_.front();
  }
  auto plan = std::make_unique<ConvolutionPlan>(cudnn_, key);
  plan->algorithms = plan->list_algorithms();
  if (plans_.size() == kKept) plans_.pop_back();
  plans_.push_front(std::move(plan));
  return *plans_.front();
}

std::string CudnnConvolution::name_of(const ConvolutionPlan& plan) const {
  return "cuDNN " + std::to_string(cudnn_.functions().version()) + " on " +
         cudnn_.device().description() + ": " + to_text(plan.key());
}

void CudnnConvolution::order(ConvolutionPlan& plan, const ConvolutionOperands& operands) {
  if (plan.is_ordered || !measures_) return;
  std::string name = choices_ ? name_of(plan) : "";
  plan.is_ordered = true;
  if (std::optional<std::string> kept = choices_ ? choices_->find(name) : std::nullopt) {
    plan.algorithms = in_order(plan.algorithms, *kept);
  } else if (plan.algorithms.size() > 1 && measure(plan, operands) && choices_) {
    choices_->store(name, to_text(plan.algorithms));
  }
}

// What there is no memory for is not measured and comes last. Of those that take about as long the
// one comes first that was estimated to, so that chance seldom decides.
bool CudnnConvolution::measure(ConvolutionPlan& plan, ConvolutionOperands operands) {
  CudaDevice& device = cudnn_.device();
  std::optional<Workspace> result = Workspace::if_free(device, plan.result_bytes());
  if (!result) return false;
  operands.result = result->start();
  TimedQueue queue(device);
  std::vector<std::pair<float, ConvolutionAlgorithm>> timed;
  constexpr float kLast = std::numeric_limits<float>::infinity();
  float best = kLast;
  for (const ConvolutionAlgorithm& algorithm : plan.algorithms) {
    std::optional<Workspace> space = Workspace::if_free(device, algorithm.space);
    if (!space) {
      timed.emplace_back(kLast, algorithm);
      continue;
    }
    auto run = [&] {
      return plan.execute(algorithm, operands, space->start(), false) == CUDNN_STATUS_SUCCESS;
    };
    std::optional<float> time = queue.time(run, best);
    if (time) best = std::min(best, *time);
    if (time) timed.emplace_back(*time, algorithm);
  }
  auto first = std::find_if(timed.begin(), timed.end(),
                            [&](const auto& each) { return each.first <= best * kAlike; });
  if (first != timed.end()) first->first = 0;
  std::stable_sort(timed.begin(), timed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  plan.algorithms.clear();
  for (const auto& each : timed) plan.algorithms.push_back(each.second);
  return !timed.empty() && timed.back().first < kLast;
}

// First whatever finds room for its work space as things are; then the one that needs least, for
// which arrays have to make room. What cuDNN does not support after all is not tried again.
bool CudnnConvolution::run(const ConvolutionKey& key, const ConvolutionOperands& operands,
                           bool add) {
  ConvolutionPlan& plan = find(key);
  order(plan, operands);
  auto& algorithms = plan.algorithms;
  for (std::size_t i = 0; i < algorithms.size();) {
    std::optional<Workspace> space = Workspace::if_free(cudnn_.device(), algorithms[i].space);
    if (!space) {
      ++i;
      continue;
    }
    cudnn_.device().activate();
    if (plan.execute(algorithms[i], operands, space->start(), add) == CUDNN_STATUS_SUCCESS)
      return true;
    algorithms.erase(algorithms.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (algorithms.empty()) return false;
  const ConvolutionAlgorithm& least =
      *std::min_element(algorithms.begin(), algorithms.end(),
                        [](const auto& a, const auto& b) { return a.space < b.space; });
  Workspace space(cudnn_.device(), least.space);
  cudnn_.device().activate();
  cudnn_.check(plan.execute(least, operands, space.start(), add), "convolving");
  return true;
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

// Calls run(first image, equal edges, images) for as many images at a time as cuDNN can count.
template <class Run>
bool CudnnConvolution::for_images(const Convolution& convolution, Run&& run) {
  std::int64_t most = most_images(convolution);
  if (most == 0) return false;
  Convolution equal = on_equal_edges(convolution);
  for (std::int64_t first = 0; first < convolution.batch; first += most)
    if (!run(first, equal, std::min(most, convolution.batch - first))) return false;
  return true;
}

bool CudnnConvolution::forward(DType dtype, const Convolution& convolution, const std::byte* x,
                               const std::byte* w, std::byte* y) {
  auto item = static_cast<std::int64_t>(elements_of(dtype).size);
  std::int64_t from = image_elements(convolution) * item, to = result_elements(convolution) * item;
  return for_images(convolution, [&](std::int64_t first, const Convolution& equal,
                                     std::int64_t batch) {
    Images images(cudnn_.device(), dtype, convolution, equal, batch);
    ConvolutionKey key = key_of(ConvolutionWork::kForward, dtype, is_tf32_allowed(), equal, batch);
    return run(key, {images.with_edges(x + first * from), w, nullptr, y + first * to}, false);
  });
}

bool CudnnConvolution::data_gradient(DType dtype, const Convolution& convolution,
                                     const std::byte* dy, const std::byte* w, std::byte* dx) {
  auto item = static_cast<std::int64_t>(elements_of(dtype).size);
  std::int64_t to = image_elements(convolution) * item, from = result_elements(convolution) * item;
  return for_images(
      convolution, [&](std::int64_t first, const Convolution& equal, std::int64_t batch) {
        Images images(cudnn_.device(), dtype, convolution, equal, batch);
        std::byte* place = dx + first * to;
        ConvolutionKey key = key_of(ConvolutionWork::kData, dtype, is_tf32_allowed(), equal, batch);
        if (!run(key, {nullptr, w, dy + first * from, images.place_for(place)}, false))
          return false;
        images.give_to(place);
        return true;
      });
}

bool CudnnConvolution::weight_gradient(DType dtype, const Convolution& convolution,
                                       const std::byte* dy, const std::byte* x, std::byte* dw) {
  auto item = static_cast<std::int64_t>(elements_of(dtype).size);
  std::int64_t seen = image_elements(convolution) * item;
  std::int64_t from = result_elements(convolution) * item;
  return for_images(convolution, [&](std::int64_t first, const Convolution& equal,
                                     std::int64_t batch) {
    Images images(cudnn_.device(), dtype, convolution, equal, batch);
    ConvolutionKey key = key_of(ConvolutionWork::kWeights, dtype, is_tf32_allowed(), equal, batch);
    return run(key, {images.with_edges(x + first * seen), nullptr, dy + first * from, dw},
               first > 0);
  });
}

}  // namespace strider::nd::cuda
