// LSTMs by cuDNN, which queues a few kernels for every step; with everything at the same addresses
// again, they are replayed as a graph. A trace is the weights as cuDNN wants them, one behind the
// other, and what it keeps for the gradient.
#pragma once

#include <cudnn.h>

#include <list>
#include <memory>
#include <vector>

#include "kernels/backend/cuda/device/replays.h"
#include "kernels/backend/cuda/library/cudnn/cudnn.h"
#include "kernels/backend/networks.h"

namespace strider::nd::cuda {

// What a plan depends on.
struct RecurrentKey {
  DType dtype = DType::kFloat32;
  bool tf32 = false;
  std::int64_t steps = 1, batch = 1, inputs = 1, hidden = 1;
  bool operator==(const RecurrentKey&) const = default;
};

// Bytes of w_x, w_h and b (from 0, in this order), and where cuDNN wants them.
struct WeightPiece {
  int of = 0;
  std::size_t from = 0, to = 0, bytes = 0;
  bool operator==(const WeightPiece&) const = default;
};

// Pieces that continue each other on both sides are one.
std::vector<WeightPiece> joined(const std::vector<WeightPiece>& pieces);

class CudnnRecurrent {
 public:
  explicit CudnnRecurrent(Cudnn& cudnn);
  ~CudnnRecurrent();

  // As the contract's.
  std::int64_t trace_size(DType dtype, const Recurrent& recurrent);
  bool run(DType dtype, const Recurrent& recurrent, const RecurrentOperands& operands,
           const RecurrentResults& results);
  bool gradient(DType dtype, const Recurrent& recurrent, const RecurrentOperands& operands,
                const RecurrentOutcome& outcome, const RecurrentGradients& gradients);

 private:
  struct Plan;

  static constexpr std::size_t kKept = 32;

  // Null where cuDNN has nothing for such sizes.
  Plan* find(DType dtype, bool tf32, const Recurrent& recurrent);
  void set_up(Plan& plan) const;
  std::vector<WeightPiece> ask_pieces(const Plan& plan) const;
  cudnnStatus_t queue_run(const Plan& plan, const RecurrentOperands& operands,
                          const RecurrentResults& results, std::byte* space) const;
  cudnnStatus_t queue_gradient(const Plan& plan, const RecurrentOperands& operands,
                               const RecurrentOutcome& outcome, const RecurrentGradients& gradients,
                               std::byte* weights, std::byte* space) const;
  // Queues what queue() does, or a graph of it.
  template <class Queue>
  cudnnStatus_t replay(Replay& kept, Queue&& queue);

  Cudnn& cudnn_;
  Recorder recorder_;
  std::list<std::unique_ptr<Plan>> plans_;  // the one used last comes first
};

}  // namespace strider::nd::cuda
