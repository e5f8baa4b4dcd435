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

#include "kernels/backend/cuda/library/cudnn/graph.h"
#include "kernels/backend/cuda/toolkit.h"

namespace {

using strider::nd::cuda::ConvolutionGraph;
using strider::nd::cuda::ConvolutionKey;
using strider::nd::cuda::ConvolutionWork;
using strider::nd::cuda::CudnnFunctions;
using strider::nd::cuda::EngineChoice;
using strider::nd::cuda::ExecutionPlan;
using strider::nd::cuda::to_text;
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
      : key_(key_of(work, sizes, tf32)), graph_(dnn().functions, dnn().handle, key_) {
    must(graph_.is_good(), "cuDNN does not take the graph");
    auto planes = [](std::int64_t count, std::int64_t rows, std::int64_t columns) {
      return memory(static_cast<std::size_t>(count * rows * columns));
    };
    x_ = planes(key_.batch * key_.channels, key_.extent[0], key_.extent[1]);
    w_ = planes(key_.filters * key_.channels, key_.size[0], key_.size[1]);
    y_ = planes(key_.batch * key_.filters, key_.places(0), key_.places(1));
  }

  std::vector<Way> ways() {
    std::vector<Way> made;
    for (const EngineChoice& choice : graph_.list_choices()) {
      std::shared_ptr<ExecutionPlan> plan = graph_.build(choice);
      if (plan)
        made.push_back(
            {to_text(std::vector{choice}), plan->space(), [this, plan] { return run(*plan); }});
    }
    if (!made.empty()) made.front().name += " (suggested)";
    return made;
  }

 private:
  static ConvolutionKey key_of(const std::string& work, const std::vector<int>& sizes, bool tf32) {
    ConvolutionKey key;
    key.work = work == "forward" ? ConvolutionWork::kForward
               : work == "data"  ? ConvolutionWork::kData
                                 : ConvolutionWork::kWeights;
    key.tf32 = tf32;
    key.batch = sizes[0], key.channels = sizes[1], key.filters = sizes[3];
    for (int axis = 0; axis < 2; ++axis) {
      key.extent[axis] = sizes[2], key.size[axis] = sizes[4], key.edge[axis] = sizes[5];
      key.stride[axis] = key.dilation[axis] = 1;
    }
    return key;
  }
  bool run(ExecutionPlan& plan) {
    if (plan.space() > space_size_) {
      must(cudaDeviceSynchronize());
      if (space_) must(cudaFree(space_));
      space_ = nullptr, space_size_ = 0;
      if (cudaMalloc(&space_, plan.space()) != cudaSuccess) return false;
      space_size_ = plan.space();
    }
    auto bytes = [](float* numbers) { return reinterpret_cast<std::byte*>(numbers); };
    return plan.execute(dnn().handle, {bytes(x_), bytes(w_), bytes(y_), nullptr},
                        static_cast<std::byte*>(space_)) == CUDNN_STATUS_SUCCESS;
  }

  ConvolutionKey key_;
  ConvolutionGraph graph_;
  float *x_, *w_, *y_;
  void* space_ = nullptr;
  std::size_t space_size_ = 0;
};

// lstm STEPS BATCH HIDDEN: the run and both gradients; as many inputs as are hidden.
class Lstm {
 public:
  Lstm(const std::vector<int>& sizes, bool tf32, cudnnRNNAlgo_t algorithm, bool packed,
       cudaStream_t stream)
      : stream_(stream) {
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
    return f.set_stream(handle, stream_) == CUDNN_STATUS_SUCCESS &&
           f.recur(handle, recurrent_, CUDNN_FWD_MODE_TRAINING, nullptr, x_, at_x_, y_, at_y_,
                   state_, s[0], s[1], state_, s[2], s[3], weights_, at_weights_, space_, at_space_,
                   kept_, at_kept_) == CUDNN_STATUS_SUCCESS &&
           f.recur_data(handle, recurrent_, nullptr, y_, at_y_, at_dy_, x_, at_dx_, state_, s[0],
                        s[4], s[5], state_, s[2], s[6], s[7], weights_, at_weights_, space_,
                        at_space_, kept_, at_kept_) == CUDNN_STATUS_SUCCESS &&
           cudaMemsetAsync(at_dweights_, 0, weights_, stream_) == cudaSuccess &&
           f.recur_weights(handle, recurrent_, CUDNN_WGRAD_MODE_ADD, nullptr, x_, at_x_, state_,
                           s[0], y_, at_y_, weights_, at_dweights_, space_, at_space_, kept_,
                           at_kept_) == CUDNN_STATUS_SUCCESS;
  }

 private:
  cudaStream_t stream_;
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
  cudaStream_t own = nullptr, apart = nullptr;
  must(cudaStreamCreate(&own));
  must(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
  struct Kind {
    const char* name;
    cudnnRNNAlgo_t algorithm;
    bool packed;
    cudaStream_t stream;
  };
  for (const Kind& kind : {Kind{"standard, packed", CUDNN_RNN_ALGO_STANDARD, true, nullptr},
                           Kind{"standard, unpacked", CUDNN_RNN_ALGO_STANDARD, false, nullptr},
                           Kind{"standard, packed, stream", CUDNN_RNN_ALGO_STANDARD, true, own},
                           Kind{"standard, packed, apart", CUDNN_RNN_ALGO_STANDARD, true, apart},
                           Kind{"standard, unpacked, apart", CUDNN_RNN_ALGO_STANDARD, false, apart},
                           Kind{"persistent", CUDNN_RNN_ALGO_PERSIST_STATIC, true, nullptr}}) {
    auto lstm = std::make_shared<Lstm>(sizes, tf32, kind.algorithm, kind.packed, kind.stream);
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
    if (line == "ready") {
      std::puts("ready");
      std::fflush(stdout);
      continue;
    }
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
