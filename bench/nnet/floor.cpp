// What NVIDIA's libraries take for the rows of the bench when they are called with nothing around
// them: the floor. Convolutions and LSTMs by the fastest of cuDNN's ways that give the same bits
// every time, softmax by cuDNN, the products of an RBM's step by cuBLAS. Knows nothing of arrays.
//
//     cuda_nnet_floor [--list] [--tf32] ROW NUMBER...
//
// reads "SIZE" lines and answers "SIZE warm cold" in seconds, as the other engines do; with --list
// tells of every way instead: the algorithm, its work space and its time.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cudnn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/backend/cuda/library/cudnn_functions.h"
#include "kernels/backend/cuda/toolkit.h"

namespace {

using strider::nd::cuda::CudnnFunctions;
using strider::nd::cuda::ToolkitLibrary;

constexpr double kSecondsBudget = 0.3;

void must(bool good, const std::string& what) {
  if (!good) throw std::runtime_error(what);
}
void must(cudaError_t error) { must(error == cudaSuccess, cudaGetErrorString(error)); }

double now() {
  auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

// One way to do a row's work. False: not supported.
struct Way {
  std::string name;
  std::size_t space = 0;
  std::function<bool()> queue;
};

// Device memory until the program ends.
float* memory(std::size_t floats) {
  void* made = nullptr;
  must(cudaMalloc(&made, std::max<std::size_t>(floats, 1) * sizeof(float)));
  std::vector<float> numbers(floats);
  for (std::size_t i = 0; i < floats; ++i) numbers[i] = static_cast<float>(i % 17) / 17 - 0.5f;
  must(cudaMemcpy(made, numbers.data(), floats * sizeof(float), cudaMemcpyHostToDevice));
  return static_cast<float*>(made);
}

// The median seconds of calls that are queued one behind the other; negative: not supported.
double time_of(const Way& way) {
  if (!way.queue()) return -1;
  must(cudaDeviceSynchronize());
  double begin = now();
  way.queue();
  must(cudaDeviceSynchronize());
  double once = std::max(now() - begin, 1e-6);
  int calls = std::clamp(static_cast<int>(0.02 / once), 1, 200);
  int rounds = std::clamp(static_cast<int>(kSecondsBudget / (once * calls)), 3, 9);
  std::vector<double> samples;
  for (int round = 0; round < rounds; ++round) {
    begin = now();
    for (int call = 0; call < calls; ++call) way.queue();
    must(cudaDeviceSynchronize());
    samples.push_back((now() - begin) / calls);
  }
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

struct Dnn {
  Dnn() : library("libcudnn.so.9"), functions(library) {
    must(library.is_open(), library.reason());
    must(functions.are_there(), "cuDNN lacks functions");
    check(functions.create(&handle));
  }
  void check(cudnnStatus_t status) const {
    must(status == CUDNN_STATUS_SUCCESS, functions.error_text(status));
  }
  template <class Function>
  Function* find(const char* name) const {
    Function* found = nullptr;
    library.find(name, found);
    must(found, name);
    return found;
  }
  cudnnTensorDescriptor_t tensor(std::vector<int> extents) const {
    cudnnTensorDescriptor_t made;
    check(functions.create_tensor(&made));
    std::vector<int> strides(extents.size(), 1);
    for (std::size_t i = extents.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * extents[i];
    check(functions.set_tensor(made, CUDNN_DATA_FLOAT, static_cast<int>(extents.size()),
                               extents.data(), strides.data()));
    return made;
  }

  ToolkitLibrary library;
  CudnnFunctions functions;
  cudnnHandle_t handle;
};

Dnn& dnn() {
  static Dnn* made = new Dnn;
  return *made;
}

const float kOne = 1, kZero = 0;

// conv WORK BATCH CHANNELS EXTENT FILTERS SIZE PADDING
class Convolution {
 public:
  Convolution(const std::string& work, const std::vector<int>& sizes, bool tf32)
      : work_(work), math_(tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH) {
    int batch = sizes[0], channels = sizes[1], extent = sizes[2], filters = sizes[3];
    int size = sizes[4], padding = sizes[5], places = extent + 2 * padding - size + 1;
    const CudnnFunctions& f = dnn().functions;
    x_ = dnn().tensor({batch, channels, extent, extent});
    y_ = dnn().tensor({batch, filters, places, places});
    dnn().check(f.create_filter(&w_));
    dnn().check(
        f.set_filter(w_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, filters, channels, size, size));
    dnn().check(f.create_convolution(&convolution_));
    dnn().check(f.set_convolution(convolution_, padding, padding, 1, 1, 1, 1,
                                  CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    auto count = [](int a, int b, int c) { return static_cast<std::size_t>(a) * b * c * c; };
    at_x_ = memory(count(batch, channels, extent));
    at_y_ = memory(count(batch, filters, places));
    at_w_ = memory(count(filters, channels, size));
  }

  // Those that give other bits from time to time are left out.
  std::vector<Way> ways() {
    int most = CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
    if (work_ == "data") most = CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT;
    if (work_ == "weights") most = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT;
    std::vector<Way> made;
    dnn().check(dnn().functions.set_math(convolution_, math_));
    int suggested = suggest();
    for (int number = 0; number < most; ++number) {
      bool varies =
          (work_ == "data" && number == 0) || (work_ == "weights" && (number == 0 || number == 3));
      std::size_t space = 0;
      if (varies || ask_space(number, &space) != CUDNN_STATUS_SUCCESS) continue;
      std::string name = "algorithm " + std::to_string(number);
      if (number == suggested) name += " (suggested)";
      made.push_back({name, space, [this, number, space] {
                        return run(number, space) == CUDNN_STATUS_SUCCESS;
                      }});
    }
    return made;
  }

 private:
  // The first suggestion that gives the same bits every time.
  template <class Performance, class Suggest>
  int first_of(Suggest&& suggest) const {
    Performance found[16];
    int count = 0;
    dnn().check(suggest(16, &count, found));
    for (int i = 0; i < count; ++i)
      if (found[i].status == CUDNN_STATUS_SUCCESS && found[i].determinism == CUDNN_DETERMINISTIC)
        return found[i].algo;
    return -1;
  }
  int suggest() const {
    const CudnnFunctions& f = dnn().functions;
    cudnnHandle_t handle = dnn().handle;
    if (work_ == "forward")
      return first_of<cudnnConvolutionFwdAlgoPerf_t>([&](int most, int* count, auto* found) {
        return f.suggest_forward(handle, x_, w_, convolution_, y_, most, count, found);
      });
    if (work_ == "data")
      return first_of<cudnnConvolutionBwdDataAlgoPerf_t>([&](int most, int* count, auto* found) {
        return f.suggest_data(handle, w_, y_, convolution_, x_, most, count, found);
      });
    return first_of<cudnnConvolutionBwdFilterAlgoPerf_t>([&](int most, int* count, auto* found) {
      return f.suggest_weights(handle, x_, y_, convolution_, w_, most, count, found);
    });
  }
  cudnnStatus_t ask_space(int number, std::size_t* space) const {
    const CudnnFunctions& f = dnn().functions;
    cudnnHandle_t handle = dnn().handle;
    if (work_ == "forward")
      return f.forward_size(handle, x_, w_, convolution_, y_,
                            static_cast<cudnnConvolutionFwdAlgo_t>(number), space);
    if (work_ == "data")
      return f.data_size(handle, w_, y_, convolution_, x_,
                         static_cast<cudnnConvolutionBwdDataAlgo_t>(number), space);
    return f.weights_size(handle, x_, y_, convolution_, w_,
                          static_cast<cudnnConvolutionBwdFilterAlgo_t>(number), space);
  }
  cudnnStatus_t run(int number, std::size_t space) {
    if (space > space_size_) {
      must(cudaDeviceSynchronize());
      if (space_) must(cudaFree(space_));
      space_ = nullptr, space_size_ = 0;
      if (cudaMalloc(&space_, space) != cudaSuccess) return CUDNN_STATUS_NOT_SUPPORTED;
      space_size_ = space;
    }
    const CudnnFunctions& f = dnn().functions;
    cudnnHandle_t handle = dnn().handle;
    if (work_ == "forward")
      return f.forward(handle, &kOne, x_, at_x_, w_, at_w_, convolution_,
                       static_cast<cudnnConvolutionFwdAlgo_t>(number), space_, space, &kZero, y_,
                       at_y_);
    if (work_ == "data")
      return f.data(handle, &kOne, w_, at_w_, y_, at_y_, convolution_,
                    static_cast<cudnnConvolutionBwdDataAlgo_t>(number), space_, space, &kZero, x_,
                    at_x_);
    return f.weights(handle, &kOne, x_, at_x_, y_, at_y_, convolution_,
                     static_cast<cudnnConvolutionBwdFilterAlgo_t>(number), space_, space, &kZero,
                     w_, at_w_);
  }

  std::string work_;
  cudnnMathType_t math_;
  cudnnTensorDescriptor_t x_, y_;
  cudnnFilterDescriptor_t w_;
  cudnnConvolutionDescriptor_t convolution_;
  float *at_x_, *at_y_, *at_w_;
  void* space_ = nullptr;
  std::size_t space_size_ = 0;
};

// lstm STEPS BATCH HIDDEN: the run and both gradients; as many inputs as are hidden.
class Lstm {
 public:
  Lstm(const std::vector<int>& sizes, bool tf32, cudnnRNNAlgo_t algorithm, bool packed) {
    int steps = sizes[0], batch = sizes[1], hidden = sizes[2];
    const CudnnFunctions& f = dnn().functions;
    cudnnDropoutDescriptor_t dropout;
    std::size_t states = 0;
    dnn().check(f.create_dropout(&dropout));
    dnn().check(f.dropout_size(dnn().handle, &states));
    dnn().check(f.set_dropout(dropout, dnn().handle, 0, nullptr, states, 0));
    dnn().check(f.create_recurrent(&recurrent_));
    cudnnMathType_t math = tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
    possible_ = f.set_recurrent(recurrent_, algorithm, CUDNN_LSTM, CUDNN_RNN_SINGLE_INP_BIAS,
                                CUDNN_UNIDIRECTIONAL, CUDNN_LINEAR_INPUT, CUDNN_DATA_FLOAT,
                                CUDNN_DATA_FLOAT, math, hidden, hidden, hidden, 1, dropout,
                                packed ? CUDNN_RNN_PADDED_IO_DISABLED
                                       : CUDNN_RNN_PADDED_IO_ENABLED) == CUDNN_STATUS_SUCCESS;
    std::vector<int> lengths(static_cast<std::size_t>(batch), steps);
    auto layout =
        packed ? CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED : CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED;
    float fill = 0;
    for (cudnnRNNDataDescriptor_t* sequence : {&x_, &y_}) {
      dnn().check(f.create_sequence(sequence));
      dnn().check(f.set_sequence(*sequence, CUDNN_DATA_FLOAT, layout, steps, batch, hidden,
                                 lengths.data(), &fill));
    }
    state_ = dnn().tensor({1, batch, hidden});
    if (!possible_) return;
    possible_ =
        f.recurrent_weights_size(dnn().handle, recurrent_, &weights_) == CUDNN_STATUS_SUCCESS &&
        f.recurrent_sizes(dnn().handle, recurrent_, CUDNN_FWD_MODE_TRAINING, x_, &space_, &kept_) ==
            CUDNN_STATUS_SUCCESS;
    if (!possible_) return;
    auto all = static_cast<std::size_t>(steps) * batch * hidden;
    auto one = static_cast<std::size_t>(batch) * hidden;
    for (float** at : {&at_x_, &at_y_, &at_dx_, &at_dy_}) *at = memory(all);
    for (float*& at : at_state_) at = memory(one);
    at_weights_ = memory(weights_ / 4 + 1), at_dweights_ = memory(weights_ / 4 + 1);
    at_space_ = memory(space_ / 4 + 1), at_kept_ = memory(kept_ / 4 + 1);
  }

  std::size_t space() const { return space_; }
  bool run() {
    if (!possible_) return false;
    const CudnnFunctions& f = dnn().functions;
    cudnnHandle_t handle = dnn().handle;
    float** s = at_state_;
    return f.recur(handle, recurrent_, CUDNN_FWD_MODE_TRAINING, nullptr, x_, at_x_, y_, at_y_,
                   state_, s[0], s[1], state_, s[2], s[3], weights_, at_weights_, space_, at_space_,
                   kept_, at_kept_) == CUDNN_STATUS_SUCCESS &&
           f.recur_data(handle, recurrent_, nullptr, y_, at_y_, at_dy_, x_, at_dx_, state_, s[0],
                        s[4], s[5], state_, s[2], s[6], s[7], weights_, at_weights_, space_,
                        at_space_, kept_, at_kept_) == CUDNN_STATUS_SUCCESS &&
           cudaMemsetAsync(at_dweights_, 0, weights_, nullptr) == cudaSuccess &&
           f.recur_weights(handle, recurrent_, CUDNN_WGRAD_MODE_ADD, nullptr, x_, at_x_, state_,
                           s[0], y_, at_y_, weights_, at_dweights_, space_, at_space_, kept_,
                           at_kept_) == CUDNN_STATUS_SUCCESS;
  }

 private:
  bool possible_ = false;
  cudnnRNNDescriptor_t recurrent_;
  cudnnRNNDataDescriptor_t x_, y_;
  cudnnTensorDescriptor_t state_;
  std::size_t weights_ = 0, space_ = 0, kept_ = 0;
  float *at_x_, *at_y_, *at_dx_, *at_dy_, *at_weights_, *at_dweights_, *at_space_, *at_kept_;
  float* at_state_[8];
};

std::vector<Way> lstm_ways(const std::vector<int>& sizes, bool tf32) {
  std::vector<Way> made;
  struct Kind {
    const char* name;
    cudnnRNNAlgo_t algorithm;
    bool packed;
  };
  for (const Kind& kind : {Kind{"standard, packed", CUDNN_RNN_ALGO_STANDARD, true},
                           Kind{"standard, unpacked", CUDNN_RNN_ALGO_STANDARD, false},
                           Kind{"persistent", CUDNN_RNN_ALGO_PERSIST_STATIC, true}}) {
    auto lstm = std::make_shared<Lstm>(sizes, tf32, kind.algorithm, kind.packed);
    made.push_back({kind.name, lstm->space(), [lstm] { return lstm->run(); }});
  }
  return made;
}

// softmax ROWS COLUMNS
std::vector<Way> softmax_ways(const std::vector<int>& sizes) {
  auto* forward = dnn().find<decltype(cudnnSoftmaxForward)>("cudnnSoftmaxForward");
  cudnnTensorDescriptor_t tensor = dnn().tensor({sizes[0], sizes[1], 1, 1});
  auto count = static_cast<std::size_t>(sizes[0]) * sizes[1];
  float *x = memory(count), *y = memory(count);
  return {{"accurate", 0, [=] {
             return forward(dnn().handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE,
                            &kOne, tensor, x, &kZero, tensor, y) == CUDNN_STATUS_SUCCESS;
           }}};
}

// products VISIBLE HIDDEN BATCH: the five matrix products of an RBM's step.
std::vector<Way> product_ways(const std::vector<int>& sizes, bool tf32) {
  static ToolkitLibrary library("libcublas.so.13");
  must(library.is_open(), library.reason());
  decltype(cublasCreate_v2)* create;
  decltype(cublasGemmEx_64)* multiply;
  library.find("cublasCreate_v2", create);
  library.find("cublasGemmEx_64", multiply);
  cublasHandle_t handle;
  must(create(&handle) == CUBLAS_STATUS_SUCCESS, "cuBLAS does not start");
  int visible = sizes[0], hidden = sizes[1], batch = sizes[2];
  auto count = [](int a, int b) { return static_cast<std::size_t>(a) * b; };
  float *v = memory(count(batch, visible)), *w = memory(count(visible, hidden));
  float *h = memory(count(batch, hidden)), *step = memory(count(visible, hidden));
  cublasComputeType_t compute = tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  // out (m by n) = a b, by rows; `a` or `b` may lie transposed.
  auto product = [=](const float* a, bool turn_a, const float* b, bool turn_b, float* out, int m,
                     int k, int n) {
    return multiply(handle, turn_b ? CUBLAS_OP_T : CUBLAS_OP_N, turn_a ? CUBLAS_OP_T : CUBLAS_OP_N,
                    n, m, k, &kOne, b, CUDA_R_32F, turn_b ? k : n, a, CUDA_R_32F, turn_a ? m : k,
                    &kZero, out, CUDA_R_32F, n, compute,
                    CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
  };
  return {{"five products", 0, [=] {
             return product(v, false, w, false, h, batch, visible, hidden) &&
                    product(v, true, h, false, step, visible, batch, hidden) &&
                    product(h, false, w, true, v, batch, hidden, visible) &&
                    product(v, false, w, false, h, batch, visible, hidden) &&
                    product(v, true, h, false, step, visible, batch, hidden);
           }}};
}

std::vector<Way> ways_of(const std::vector<std::string>& words, bool tf32) {
  bool convolves = words[0] == "conv";
  std::vector<int> sizes;
  for (std::size_t i = convolves ? 2 : 1; i < words.size(); ++i)
    sizes.push_back(std::stoi(words[i]));
  if (convolves) {
    static Convolution convolution(words[1], sizes, tf32);
    return convolution.ways();
  }
  if (words[0] == "lstm") return lstm_ways(sizes, tf32);
  if (words[0] == "softmax") return softmax_ways(sizes);
  must(words[0] == "products", "no such row: " + words[0]);
  return product_ways(sizes, tf32);
}

void list(const std::vector<Way>& ways) {
  for (const Way& way : ways) {
    double seconds = time_of(way);
    std::printf("  %-28s %8.1f MB  ", way.name.c_str(), static_cast<double>(way.space) * 1e-6);
    std::printf(seconds < 0 ? "not supported\n" : "%9.1f us\n", seconds * 1e6);
    std::fflush(stdout);
  }
}

void answer(const std::vector<Way>& ways) {
  for (std::string line; std::getline(std::cin, line);) {
    double best = -1, cold = -1;
    for (const Way& way : ways) {
      double begin = now();
      way.queue();
      must(cudaDeviceSynchronize());
      if (cold < 0) cold = now() - begin;
      double seconds = time_of(way);
      if (seconds >= 0 && (best < 0 || seconds < best)) best = seconds;
    }
    must(best >= 0, "nothing is supported");
    std::printf("%s %.9f %.9f\n", line.c_str(), best, cold);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) try {
  bool lists = false, tf32 = false;
  std::vector<std::string> words;
  for (int i = 1; i < count; ++i) {
    std::string word = arguments[i];
    if (word == "--list") lists = true;
    if (word == "--tf32") tf32 = true;
    bool is_file = word.find('/') != std::string::npos;  // the program that other engines run
    if (!is_file && !word.starts_with("--")) words.push_back(word);
  }
  must(!words.empty(), "usage: cuda_nnet_floor [--list] [--tf32] ROW NUMBER...");
  std::vector<Way> ways = ways_of(words, tf32);
  lists ? list(ways) : answer(ways);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
