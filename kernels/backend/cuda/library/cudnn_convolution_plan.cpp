// The heuristics tell what may be fast; behind it come the others that cuDNN does not refuse, among
// them the first of each kind, which takes next to no work space.
#include "kernels/backend/cuda/library/cudnn_convolution_plan.h"

#include <algorithm>
#include <sstream>

#include "kernels/backend/cuda/library/elements.h"

namespace strider::nd::cuda {
namespace {

const Factor kOne(1), kZero(0);

// All algorithms whose sums have one order.
std::vector<int> steady_algorithms(ConvolutionWork work) {
  switch (work) {
    case ConvolutionWork::kForward:
      return {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
              CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
              CUDNN_CONVOLUTION_FWD_ALGO_FFT,
              CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING,
              CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD,
              CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED,
              CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM};
    case ConvolutionWork::kData:
      return {CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT, CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING,
              CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD,
              CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1};
    default:
      return {CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING,
              CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED,
              CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1};
  }
}

int narrow(std::int64_t value) { return static_cast<int>(value); }

bool is_same(const ConvolutionAlgorithm& a, const ConvolutionAlgorithm& b) {
  return a.number == b.number && a.math == b.math;
}

}  // namespace

std::string to_text(const ConvolutionKey& key) {
  std::ostringstream text;
  text << static_cast<int>(key.work) << ' ' << static_cast<int>(key.dtype) << ' ' << key.tf32 << ' '
       << key.batch << ' ' << key.channels << ' ' << key.filters << ' ' << key.groups;
  for (int i = 0; i < 2; ++i) {
    text << ' ' << key.extent[i] << ' ' << key.size[i] << ' ' << key.stride[i] << ' ' << key.edge[i]
         << ' ' << key.dilation[i];
  }
  return text.str();
}

std::string to_text(const std::vector<ConvolutionAlgorithm>& algorithms) {
  std::string text;
  for (const ConvolutionAlgorithm& each : algorithms)
    text += std::to_string(each.number) + '/' + std::to_string(static_cast<int>(each.math)) + ' ';
  return text;
}

std::vector<ConvolutionAlgorithm> in_order(const std::vector<ConvolutionAlgorithm>& algorithms,
                                           const std::string& text) {
  std::vector<ConvolutionAlgorithm> ordered;
  auto add = [&](const ConvolutionAlgorithm& each) {
    auto same = [&](const ConvolutionAlgorithm& other) { return is_same(each, other); };
    if (std::none_of(ordered.begin(), ordered.end(), same)) ordered.push_back(each);
  };
  std::istringstream words(text);
  int number = 0, math = 0;
  char slash = 0;
  while (words >> number >> slash >> math) {
    for (const ConvolutionAlgorithm& each : algorithms)
      if (each.number == number && static_cast<int>(each.math) == math) add(each);
  }
  for (const ConvolutionAlgorithm& each : algorithms) add(each);
  return ordered;
}

ConvolutionPlan::ConvolutionPlan(const Cudnn& cudnn, const ConvolutionKey& key)
    : cudnn_(cudnn),
      key_(key),
      x_(cudnn, cudnn.functions().create_tensor, cudnn.functions().destroy_tensor),
      y_(cudnn, cudnn.functions().create_tensor, cudnn.functions().destroy_tensor),
      w_(cudnn, cudnn.functions().create_filter, cudnn.functions().destroy_filter),
      convolution_(cudnn, cudnn.functions().create_convolution,
                   cudnn.functions().destroy_convolution) {
  const CudnnFunctions& functions = cudnn.functions();
  const char* doing = "describing a convolution";
  cudnnDataType_t type = cudnn_type(key.dtype);
  auto describe = [&](const TensorDescriptor& tensor, std::int64_t channels, const int* planes) {
    int extents[] = {narrow(key.batch), narrow(channels), planes[0], planes[1]};
    int strides[] = {extents[1] * extents[2] * extents[3], extents[2] * extents[3], extents[3], 1};
    cudnn.check(functions.set_tensor(tensor, type, 4, extents, strides), doing);
  };
  int extent[2], size[2], stride[2], edge[2], dilation[2];
  for (int i = 0; i < 2; ++i) {
    extent[i] = narrow(key.extent[i]), size[i] = narrow(key.size[i]);
    stride[i] = narrow(key.stride[i]), edge[i] = narrow(key.edge[i]);
    dilation[i] = narrow(key.dilation[i]);
    places_[i] = (extent[i] + 2 * edge[i] - (size[i] - 1) * dilation[i] - 1) / stride[i] + 1;
  }
  describe(x_, key.channels, extent);
  describe(y_, key.filters, places_);
  cudnn.check(functions.set_filter(w_, type, CUDNN_TENSOR_NCHW, narrow(key.filters),
                                   narrow(key.channels / key.groups), size[0], size[1]),
              doing);
  cudnn.check(functions.set_convolution(convolution_, edge[0], edge[1], stride[0], stride[1],
                                        dilation[0], dilation[1], CUDNN_CROSS_CORRELATION, type),
              doing);
  cudnn.check(functions.set_groups(convolution_, narrow(key.groups)), doing);
}

std::size_t ConvolutionPlan::result_bytes() const {
  std::int64_t count = key_.batch * key_.filters * places_[0] * places_[1];
  if (key_.work == ConvolutionWork::kData)
    count = key_.batch * key_.channels * key_.extent[0] * key_.extent[1];
  if (key_.work == ConvolutionWork::kWeights)
    count = key_.filters * (key_.channels / key_.groups) * key_.size[0] * key_.size[1];
  return static_cast<std::size_t>(count) * elements_of(key_.dtype).size;
}

// Where TF32 is allowed, what does without it may still be faster.
std::vector<ConvolutionAlgorithm> ConvolutionPlan::list_algorithms() const {
  std::vector<ConvolutionAlgorithm> found;
  cudnnMathType_t math = cudnn_math(key_.dtype, key_.tf32);
  suggest(math, found);
  if (key_.tf32) suggest(CUDNN_FMA_MATH, found);
  for (int number : steady_algorithms(key_.work)) add(found, number, math);
  return found;
}

void ConvolutionPlan::suggest(cudnnMathType_t math,
                              std::vector<ConvolutionAlgorithm>& found) const {
  const CudnnFunctions& functions = cudnn_.functions();
  cudnnHandle_t handle = cudnn_.handle();
  if (functions.set_math(convolution_, math) != CUDNN_STATUS_SUCCESS) return;
  switch (key_.work) {
    case ConvolutionWork::kForward:
      return add_suggested<cudnnConvolutionFwdAlgoPerf_t>(
          found, math, CUDNN_CONVOLUTION_FWD_ALGO_COUNT, [&](int most, int* count, auto* to) {
            return functions.suggest_forward(handle, x_, w_, convolution_, y_, most, count, to);
          });
    case ConvolutionWork::kData:
      return add_suggested<cudnnConvolutionBwdDataAlgoPerf_t>(
          found, math, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, [&](int most, int* count, auto* to) {
            return functions.suggest_data(handle, w_, y_, convolution_, x_, most, count, to);
          });
    default:
      return add_suggested<cudnnConvolutionBwdFilterAlgoPerf_t>(
          found, math, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT,
          [&](int most, int* count, auto* to) {
            return functions.suggest_weights(handle, x_, y_, convolution_, w_, most, count, to);
          });
  }
}

template <class Performance, class Suggest>
void ConvolutionPlan::add_suggested(std::vector<ConvolutionAlgorithm>& found, cudnnMathType_t math,
                                    int most, Suggest&& suggest) const {
  std::vector<Performance> performances(static_cast<std::size_t>(2 * most));
  int count = 0;
  if (suggest(2 * most, &count, performances.data()) != CUDNN_STATUS_SUCCESS) return;
  for (int i = 0; i < count; ++i) {
    const Performance& one = performances[static_cast<std::size_t>(i)];
    bool good = one.status == CUDNN_STATUS_SUCCESS && one.determinism == CUDNN_DETERMINISTIC;
    bool exact = math != CUDNN_FMA_MATH || one.mathType == CUDNN_FMA_MATH;
    if (good && exact) add(found, one.algo, one.mathType);
  }
}

void ConvolutionPlan::add(std::vector<ConvolutionAlgorithm>& found, int number,
                          cudnnMathType_t math) const {
  ConvolutionAlgorithm algorithm{number, math, 0};
  for (const ConvolutionAlgorithm& known : found)
    if (is_same(known, algorithm)) return;
  if (cudnn_.functions().set_math(convolution_, math) != CUDNN_STATUS_SUCCESS) return;
  if (ask_space(number, &algorithm.space) == CUDNN_STATUS_SUCCESS) found.push_back(algorithm);
}

cudnnStatus_t ConvolutionPlan::ask_space(int number, std::size_t* space) const {
  const CudnnFunctions& functions = cudnn_.functions();
  cudnnHandle_t handle = cudnn_.handle();
  switch (key_.work) {
    case ConvolutionWork::kForward:
      return functions.forward_size(handle, x_, w_, convolution_, y_,
                                    static_cast<cudnnConvolutionFwdAlgo_t>(number), space);
    case ConvolutionWork::kData:
      return functions.data_size(handle, w_, y_, convolution_, x_,
                                 static_cast<cudnnConvolutionBwdDataAlgo_t>(number), space);
    default:
      return functions.weights_size(handle, x_, y_, convolution_, w_,
                                    static_cast<cudnnConvolutionBwdFilterAlgo_t>(number), space);
  }
}

cudnnStatus_t ConvolutionPlan::execute(const ConvolutionAlgorithm& algorithm,
                                       const ConvolutionOperands& operands, std::byte* space,
                                       bool add) const {
  const CudnnFunctions& functions = cudnn_.functions();
  cudnnHandle_t handle = cudnn_.handle();
  Elements elements = elements_of(key_.dtype);
  const void *one = kOne.as(elements), *kept = (add ? kOne : kZero).as(elements);
  cudnnStatus_t status = functions.set_math(convolution_, algorithm.math);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  switch (key_.work) {
    case ConvolutionWork::kForward:
      return functions.forward(handle, one, x_, operands.x, w_, operands.w, convolution_,
                               static_cast<cudnnConvolutionFwdAlgo_t>(algorithm.number), space,
                               algorithm.space, kept, y_, operands.result);
    case ConvolutionWork::kData:
      return functions.data(handle, one, w_, operands.w, y_, operands.y, convolution_,
                            static_cast<cudnnConvolutionBwdDataAlgo_t>(algorithm.number), space,
                            algorithm.space, kept, x_, operands.result);
    default:
      return functions.weights(handle, one, x_, operands.x, y_, operands.y, convolution_,
                               static_cast<cudnnConvolutionBwdFilterAlgo_t>(algorithm.number),
                               space, algorithm.space, kept, w_, operands.result);
  }
}

}  // namespace strider::nd::cuda
