// The heuristics tell what is fast; the first algorithm of each kind, which takes next to no work
// space, ends the list.
#include "kernels/backend/cuda/library/cudnn_convolution.h"

#include <strider/nd/error.h>
#include <strider/nd/precision.h>

#include <algorithm>
#include <climits>

#include "kernels/backend/cuda/library/elements.h"

namespace strider::nd::cuda {
namespace {

const Factor kOne(1), kZero(0);

// The algorithms that are always there and whose sums have one order.
int plain_algorithm(ConvolutionWork work) {
  switch (work) {
    case ConvolutionWork::kForward:
      return CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
    case ConvolutionWork::kData:
      return CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
    default:
      return CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1;
  }
}

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

struct CudnnConvolution::Plan {
  Plan(const Cudnn& cudnn, const ConvolutionKey& key);

  ConvolutionKey key;
  TensorDescriptor x, y;
  Descriptor<cudnnFilterDescriptor_t> w;
  Descriptor<cudnnConvolutionDescriptor_t> convolution;
  std::vector<Algorithm> algorithms;  // the fastest comes first
};

CudnnConvolution::Plan::Plan(const Cudnn& cudnn, const ConvolutionKey& asked)
    : key(asked),
      x(cudnn, cudnn.functions().create_tensor, cudnn.functions().destroy_tensor),
      y(cudnn, cudnn.functions().create_tensor, cudnn.functions().destroy_tensor),
      w(cudnn, cudnn.functions().create_filter, cudnn.functions().destroy_filter),
      convolution(cudnn, cudnn.functions().create_convolution,
                  cudnn.functions().destroy_convolution) {
  const CudnnFunctions& functions = cudnn.functions();
  const char* doing = "describing a convolution";
  auto narrow = [](std::int64_t value) { return static_cast<int>(value); };
  cudnnDataType_t type = cudnn_type(key.dtype);
  auto describe = [&](const TensorDescriptor& tensor, std::int64_t channels, const int* planes) {
    int extents[] = {narrow(key.batch), narrow(channels), planes[0], planes[1]};
    int strides[] = {extents[1] * extents[2] * extents[3], extents[2] * extents[3], extents[3], 1};
    cudnn.check(functions.set_tensor(tensor, type, 4, extents, strides), doing);
  };
  int extent[2], size[2], stride[2], edge[2], dilation[2], places[2];
  for (int i = 0; i < 2; ++i) {
    extent[i] = narrow(key.extent[i]), size[i] = narrow(key.size[i]);
    stride[i] = narrow(key.stride[i]), edge[i] = narrow(key.edge[i]);
    dilation[i] = narrow(key.dilation[i]);
    places[i] = (extent[i] + 2 * edge[i] - (size[i] - 1) * dilation[i] - 1) / stride[i] + 1;
  }
  describe(x, key.channels, extent);
  describe(y, key.filters, places);
  cudnn.check(functions.set_filter(w, type, CUDNN_TENSOR_NCHW, narrow(key.filters),
                                   narrow(key.channels / key.groups), size[0], size[1]),
              doing);
  cudnn.check(functions.set_convolution(convolution, edge[0], edge[1], stride[0], stride[1],
                                        dilation[0], dilation[1], CUDNN_CROSS_CORRELATION, type),
              doing);
  cudnn.check(functions.set_groups(convolution, narrow(key.groups)), doing);
  cudnn.check(functions.set_math(convolution, cudnn_math(key.dtype, key.tf32)), doing);
}

CudnnConvolution::CudnnConvolution(Cudnn& cudnn) : cudnn_(cudnn) {}

CudnnConvolution::~CudnnConvolution() = default;

CudnnConvolution::Plan& CudnnConvolution::find(const ConvolutionKey& key) {
  auto found = std::find_if(plans_.begin(), plans_.end(),
                            [&](const auto& plan) { return plan->key == key; });
  if (found != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, found);
    return *plans_.front();
  }
  auto plan = std::make_unique<Plan>(cudnn_, key);
  list_algorithms(*plan);
  if (plans_.size() == kKept) plans_.pop_back();
  plans_.push_front(std::move(plan));
  return *plans_.front();
}

void CudnnConvolution::list_algorithms(Plan& plan) {
  const CudnnFunctions& functions = cudnn_.functions();
  cudnnHandle_t handle = cudnn_.handle();
  switch (plan.key.work) {
    case ConvolutionWork::kForward:
      add_suggested<cudnnConvolutionFwdAlgoPerf_t>(
          plan, CUDNN_CONVOLUTION_FWD_ALGO_COUNT, [&](int most, int* count, auto* found) {
            return functions.suggest_forward(handle, plan.x, plan.w, plan.convolution, plan.y, most,
                                             count, found);
          });
      break;
    case ConvolutionWork::kData:
      add_suggested<cudnnConvolutionBwdDataAlgoPerf_t>(
          plan, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, [&](int most, int* count, auto* found) {
            return functions.suggest_data(handle, plan.w, plan.y, plan.convolution, plan.x, most,
                                          count, found);
          });
      break;
    default:
      add_suggested<cudnnConvolutionBwdFilterAlgoPerf_t>(
          plan, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT, [&](int most, int* count, auto* found) {
            return functions.suggest_weights(handle, plan.x, plan.y, plan.convolution, plan.w, most,
                                             count, found);
          });
  }
  add(plan, plain_algorithm(plan.key.work), cudnn_math(plan.key.dtype, plan.key.tf32));
}

template <class Performance, class Suggest>
void CudnnConvolution::add_suggested(Plan& plan, int most, Suggest&& suggest) {
  std::vector<Performance> found(static_cast<std::size_t>(2 * most));
  int count = 0;
  if (suggest(2 * most, &count, found.data()) != CUDNN_STATUS_SUCCESS) return;
  bool exact = cudnn_math(plan.key.dtype, plan.key.tf32) == CUDNN_FMA_MATH;
  for (int i = 0; i < count; ++i) {
    const Performance& one = found[static_cast<std::size_t>(i)];
    bool good = one.status == CUDNN_STATUS_SUCCESS && one.determinism == CUDNN_DETERMINISTIC;
    if (good && (!exact || one.mathType == CUDNN_FMA_MATH)) add(plan, one.algo, one.mathType);
  }
}

void CudnnConvolution::add(Plan& plan, int number, cudnnMathType_t math) {
  for (const Algorithm& known : plan.algorithms)
    if (known.number == number && known.math == math) return;
  Algorithm algorithm{number, math, 0};
  if (cudnn_.functions().set_math(plan.convolution, math) != CUDNN_STATUS_SUCCESS) return;
  if (ask_space(plan, number, &algorithm.space) == CUDNN_STATUS_SUCCESS)
    plan.algorithms.push_back(algorithm);
}

cudnnStatus_t CudnnConvolution::ask_space(const Plan& plan, int number, std::size_t* space) const {
  const CudnnFunctions& functions = cudnn_.functions();
  cudnnHandle_t handle = cudnn_.handle();
  switch (plan.key.work) {
    case ConvolutionWork::kForward:
      return functions.forward_size(handle, plan.x, plan.w, plan.convolution, plan.y,
                                    static_cast<cudnnConvolutionFwdAlgo_t>(number), space);
    case ConvolutionWork::kData:
      return functions.data_size(handle, plan.w, plan.y, plan.convolution, plan.x,
                                 static_cast<cudnnConvolutionBwdDataAlgo_t>(number), space);
    default:
      return functions.weights_size(handle, plan.x, plan.y, plan.convolution, plan.w,
                                    static_cast<cudnnConvolutionBwdFilterAlgo_t>(number), space);
  }
}

cudnnStatus_t CudnnConvolution::execute(const Plan& plan, const Algorithm& algorithm,
                                        const Operands& operands, std::byte* space,
                                        bool add) const {
  const CudnnFunctions& functions = cudnn_.functions();
  cudnnHandle_t handle = cudnn_.handle();
  Elements elements = elements_of(plan.key.dtype);
  const void *one = kOne.as(elements), *kept = (add ? kOne : kZero).as(elements);
  cudnnStatus_t status = functions.set_math(plan.convolution, algorithm.math);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  switch (plan.key.work) {
    case ConvolutionWork::kForward:
      return functions.forward(handle, one, plan.x, operands.x, plan.w, operands.w,
                               plan.convolution,
                               static_cast<cudnnConvolutionFwdAlgo_t>(algorithm.number), space,
                               algorithm.space, kept, plan.y, operands.result);
    case ConvolutionWork::kData:
      return functions.data(handle, one, plan.w, operands.w, plan.y, operands.y, plan.convolution,
                            static_cast<cudnnConvolutionBwdDataAlgo_t>(algorithm.number), space,
                            algorithm.space, kept, plan.x, operands.result);
    default:
      return functions.weights(handle, one, plan.x, operands.x, plan.y, operands.y,
                               plan.convolution,
                               static_cast<cudnnConvolutionBwdFilterAlgo_t>(algorithm.number),
                               space, algorithm.space, kept, plan.w, operands.result);
  }
}

// First whatever finds room for its work space as things are; then the one that needs least, for
// which arrays have to make room. What cuDNN does not support after all is not tried again.
bool CudnnConvolution::run(const ConvolutionKey& key, const Operands& operands, bool add) {
  Plan& plan = find(key);
  auto& algorithms = plan.algorithms;
  for (std::size_t i = 0; i < algorithms.size();) {
    std::optional<Workspace> space = Workspace::if_free(cudnn_.device(), algorithms[i].space);
    if (!space) {
      ++i;
      continue;
    }
    cudnn_.device().activate();
    cudnnStatus_t status = execute(plan, algorithms[i], operands, space->start(), add);
    if (status == CUDNN_STATUS_SUCCESS) return true;
    algorithms.erase(algorithms.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (algorithms.empty()) return false;
  const Algorithm& least =
      *std::min_element(algorithms.begin(), algorithms.end(),
                        [](const auto& a, const auto& b) { return a.space < b.space; });
  Workspace space(cudnn_.device(), least.space);
  cudnn_.device().activate();
  cudnn_.check(execute(plan, least, operands, space.start(), add), "convolving");
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
