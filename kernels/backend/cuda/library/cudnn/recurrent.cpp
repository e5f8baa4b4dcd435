// One bias, in the product of the inputs; gates in cuDNN's order, which is the contract's.
#include "kernels/backend/cuda/library/cudnn/recurrent.h"

#include <strider/nd/error.h>
#include <strider/nd/precision.h>

#include <algorithm>
#include <array>
#include <climits>

#include "kernels/backend/cuda/library/elements.h"

namespace strider::nd::cuda {
namespace {

constexpr int kGates = 4;
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kReplays = 8;  // of a plan, in each direction

// Of everything that is read or written.
using Addresses = std::array<const std::byte*, 13>;

std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

RecurrentKey key_of(DType dtype, bool tf32, const Recurrent& recurrent) {
  return {dtype,
          tf32 && dtype == DType::kFloat32,
          recurrent.steps,
          recurrent.batch,
          recurrent.inputs,
          recurrent.hidden};
}

// Whether cuDNN can count the elements.
bool is_countable(const Recurrent& recurrent) {
  std::int64_t widest = std::max(recurrent.inputs, kGates * recurrent.hidden);
  return widest <= INT_MAX && recurrent.batch <= INT_MAX / widest &&
         recurrent.steps <= INT_MAX / (recurrent.batch * widest) &&
         recurrent.inputs + recurrent.hidden <= INT_MAX / (kGates * recurrent.hidden);
}

}  // namespace

std::vector<WeightPiece> joined(const std::vector<WeightPiece>& pieces) {
  std::vector<WeightPiece> result;
  for (const WeightPiece& piece : pieces) {
    if (!result.empty()) {
      WeightPiece& last = result.back();
      if (last.of == piece.of && last.from + last.bytes == piece.from &&
          last.to + last.bytes == piece.to) {
        last.bytes += piece.bytes;
        continue;
      }
    }
    result.push_back(piece);
  }
  return result;
}

struct CudnnRecurrent::Plan {
  Plan(const Cudnn& cudnn, const RecurrentKey& asked);

  RecurrentKey key;
  Descriptor<cudnnDropoutDescriptor_t> dropout;
  Descriptor<cudnnRNNDescriptor_t> recurrent;
  Descriptor<cudnnRNNDataDescriptor_t> x, y;
  TensorDescriptor state;
  std::size_t weights = 0, space = 0, kept = 0;  // bytes
  std::vector<WeightPiece> pieces;
  bool is_possible = false;
  Replays<Addresses> runs{kReplays}, gradients{kReplays};

  std::byte* kept_in(std::byte* trace) const { return trace + aligned(weights); }
};

CudnnRecurrent::Plan::Plan(const Cudnn& cudnn, const RecurrentKey& asked)
    : key(asked),
      dropout(cudnn, cudnn.functions().create_dropout, cudnn.functions().destroy_dropout),
      recurrent(cudnn, cudnn.functions().create_recurrent, cudnn.functions().destroy_recurrent),
      x(cudnn, cudnn.functions().create_sequence, cudnn.functions().destroy_sequence),
      y(cudnn, cudnn.functions().create_sequence, cudnn.functions().destroy_sequence),
      state(cudnn, cudnn.functions().create_tensor, cudnn.functions().destroy_tensor) {}

CudnnRecurrent::CudnnRecurrent(Cudnn& cudnn) : cudnn_(cudnn) {}

CudnnRecurrent::~CudnnRecurrent() = default;

CudnnRecurrent::Plan* CudnnRecurrent::find(DType dtype, bool tf32, const Recurrent& recurrent) {
  if (!is_countable(recurrent)) return nullptr;
  RecurrentKey key = key_of(dtype, tf32, recurrent);
  auto found = std::find_if(plans_.begin(), plans_.end(),
                            [&](const auto& plan) { return plan->key == key; });
  if (found != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, found);
  } else {
    auto plan = std::make_unique<Plan>(cudnn_, key);
    set_up(*plan);
    if (plans_.size() == kKept) plans_.pop_back();
    plans_.push_front(std::move(plan));
  }
  Plan& plan = *plans_.front();
  return plan.is_possible ? &plan : nullptr;
}

void CudnnRecurrent::set_up(Plan& plan) const {
  const CudnnFunctions& functions = cudnn_.functions();
  const RecurrentKey& key = plan.key;
  const char* doing = "describing an LSTM";
  auto narrow = [](std::int64_t value) { return static_cast<int>(value); };
  cudnnDataType_t type = cudnn_type(key.dtype);
  int steps = narrow(key.steps), batch = narrow(key.batch), hidden = narrow(key.hidden);

  std::size_t states = 0;
  cudnn_.check(functions.dropout_size(cudnn_.handle(), &states), doing);
  cudnn_.check(functions.set_dropout(plan.dropout, cudnn_.handle(), 0, nullptr, states, 0), doing);
  cudnnStatus_t status = functions.set_recurrent(
      plan.recurrent, CUDNN_RNN_ALGO_STANDARD, CUDNN_LSTM, CUDNN_RNN_SINGLE_INP_BIAS,
      CUDNN_UNIDIRECTIONAL, CUDNN_LINEAR_INPUT, type, type, cudnn_math(key.dtype, key.tf32),
      narrow(key.inputs), hidden, hidden, 1, plan.dropout, CUDNN_RNN_PADDED_IO_DISABLED);
  if (status != CUDNN_STATUS_SUCCESS) return;

  std::vector<int> lengths(static_cast<std::size_t>(batch), steps);
  auto describe = [&](cudnnRNNDataDescriptor_t sequence, int width) {
    cudnn_.check(functions.set_sequence(sequence, type, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED,
                                        steps, batch, width, lengths.data(), nullptr),
                 doing);
  };
  describe(plan.x, narrow(key.inputs));
  describe(plan.y, hidden);
  int extents[] = {1, batch, hidden}, strides[] = {batch * hidden, hidden, 1};
  cudnn_.check(functions.set_tensor(plan.state, type, 3, extents, strides), doing);

  plan.is_possible =
      functions.recurrent_weights_size(cudnn_.handle(), plan.recurrent, &plan.weights) ==
          CUDNN_STATUS_SUCCESS &&
      functions.recurrent_sizes(cudnn_.handle(), plan.recurrent, CUDNN_FWD_MODE_TRAINING, plan.x,
                                &plan.space, &plan.kept) == CUDNN_STATUS_SUCCESS;
  if (plan.is_possible) plan.pieces = joined(ask_pieces(plan));
}

// The matrices and biases of the gates; of the recurrent ones, there are no biases.
std::vector<WeightPiece> CudnnRecurrent::ask_pieces(const Plan& plan) const {
  const CudnnFunctions& functions = cudnn_.functions();
  TensorDescriptor matrix(cudnn_, functions.create_tensor, functions.destroy_tensor);
  TensorDescriptor bias(cudnn_, functions.create_tensor, functions.destroy_tensor);
  // Addresses are computed from one that is not read.
  auto* start = reinterpret_cast<std::byte*>(kAlignment);
  std::size_t item = elements_of(plan.key.dtype).size;
  auto hidden = static_cast<std::size_t>(plan.key.hidden);
  std::vector<WeightPiece> matrices, biases;
  for (int layer = 0; layer < 2 * kGates; ++layer) {
    void *at_matrix = nullptr, *at_bias = nullptr;
    cudnn_.check(functions.recurrent_weights(cudnn_.handle(), plan.recurrent, 0, plan.weights,
                                             start, layer, matrix, &at_matrix, bias, &at_bias),
                 "placing the weights of an LSTM");
    auto gate = static_cast<std::size_t>(layer % kGates);
    auto add = [&](std::vector<WeightPiece>& pieces, int of, const void* at, std::size_t bytes) {
      if (!at) return;
      auto to = static_cast<std::size_t>(static_cast<const std::byte*>(at) - start);
      pieces.push_back({of, gate * bytes, to, bytes});
    };
    bool recurs = layer >= kGates;
    auto width = static_cast<std::size_t>(recurs ? plan.key.hidden : plan.key.inputs);
    add(matrices, recurs ? 1 : 0, at_matrix, hidden * width * item);
    add(biases, 2, at_bias, hidden * item);
  }
  matrices.insert(matrices.end(), biases.begin(), biases.end());
  return matrices;
}

std::int64_t CudnnRecurrent::trace_size(DType dtype, const Recurrent& recurrent) {
  std::size_t most = 0;
  for (bool tf32 : {false, true}) {  // which may change before the gradient is asked for
    Plan* plan = find(dtype, tf32, recurrent);
    if (!plan) return -1;
    most = std::max(most, aligned(plan->weights) + plan->kept);
  }
  return static_cast<std::int64_t>(most);
}

template <class Queue>
cudnnStatus_t CudnnRecurrent::replay(Replay& kept, Queue&& queue) {
  auto go_to = [&](cudaStream_t stream) {
    return cudnn_.functions().set_stream(cudnn_.handle(), stream);
  };
  return kept.run(cudnn_.device(), recorder_, go_to, queue);
}

cudnnStatus_t CudnnRecurrent::queue_run(const Plan& plan, const RecurrentOperands& operands,
                                        const RecurrentResults& results, std::byte* space) const {
  return cudnn_.functions().recur(
      cudnn_.handle(), plan.recurrent, CUDNN_FWD_MODE_TRAINING, nullptr, plan.x, operands.x, plan.y,
      results.y, plan.state, operands.h, results.h, plan.state, operands.c, results.c, plan.weights,
      results.trace, plan.space, space, plan.kept, plan.kept_in(results.trace));
}

bool CudnnRecurrent::run(DType dtype, const Recurrent& recurrent, const RecurrentOperands& operands,
                         const RecurrentResults& results) {
  Plan* plan = find(dtype, is_tf32_allowed(), recurrent);
  if (!plan) return false;
  CudaDevice& device = cudnn_.device();
  const std::byte* weights[] = {operands.w_x, operands.w_h, operands.b};
  for (const WeightPiece& piece : plan->pieces)
    device.copy(results.trace + piece.to, weights[piece.of] + piece.from, piece.bytes);
  Workspace space(device, plan->space);
  Replay& kept = plan->runs.find({operands.x, operands.h, operands.c, results.y, results.h,
                                  results.c, results.trace, space.start()});
  cudnn_.check(replay(kept, [&] { return queue_run(*plan, operands, results, space.start()); }),
               "running an LSTM");
  return true;
}

// The weights' gradient is added to what is there.
cudnnStatus_t CudnnRecurrent::queue_gradient(const Plan& plan, const RecurrentOperands& operands,
                                             const RecurrentOutcome& outcome,
                                             const RecurrentGradients& gradients,
                                             std::byte* weights, std::byte* space) const {
  const CudnnFunctions& functions = cudnn_.functions();
  std::byte* kept = plan.kept_in(outcome.trace);
  cudnnStatus_t status = functions.recur_data(
      cudnn_.handle(), plan.recurrent, nullptr, plan.y, outcome.y, outcome.dy, plan.x, gradients.x,
      plan.state, operands.h, outcome.dh, gradients.h, plan.state, operands.c, outcome.dc,
      gradients.c, plan.weights, outcome.trace, plan.space, space, plan.kept, kept);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  return functions.recur_weights(cudnn_.handle(), plan.recurrent, CUDNN_WGRAD_MODE_ADD, nullptr,
                                 plan.x, operands.x, plan.state, operands.h, plan.y, outcome.y,
                                 plan.weights, weights, plan.space, space, plan.kept, kept);
}

bool CudnnRecurrent::gradient(DType dtype, const Recurrent& recurrent,
                              const RecurrentOperands& operands, const RecurrentOutcome& outcome,
                              const RecurrentGradients& gradients) {
  Plan* plan = find(dtype, is_tf32_allowed(), recurrent);
  if (!plan) return false;
  CudaDevice& device = cudnn_.device();
  Workspace space(device, plan->space), weights(device, plan->weights);
  device.clear(weights.start(), plan->weights);
  Replay& kept = plan->gradients.find({operands.x, operands.h, operands.c, outcome.y, outcome.trace,
                                       outcome.dy, outcome.dh, outcome.dc, gradients.x, gradients.h,
                                       gradients.c, weights.start(), space.start()});
  auto queue = [&] {
    return queue_gradient(*plan, operands, outcome, gradients, weights.start(), space.start());
  };
  cudnn_.check(replay(kept, queue), "computing the gradient of an LSTM");
  std::byte* places[] = {gradients.w_x, gradients.w_h, gradients.b};
  for (const WeightPiece& piece : plan->pieces)
    device.copy(places[piece.of] + piece.from, weights.start() + piece.to, piece.bytes);
  return true;
}

}  // namespace strider::nd::cuda
