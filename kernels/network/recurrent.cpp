// One product with all x at once, then one product a step; rows of a step are what threads share.
#include "kernels/network/recurrent.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <memory>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/cpu/network_rows.h"
#include "kernels/linalg/product.h"

namespace strider::nd {
namespace {

// A packed matrix, or (transposed) one that is stored by columns.
template <class T>
Matrix matrix(const T* at, std::int64_t rows, std::int64_t columns, bool transposed = false) {
  constexpr std::int64_t kItem = sizeof(T);
  std::int64_t down = transposed ? kItem : columns * kItem;
  return {reinterpret_cast<const std::byte*>(at), rows, columns, down,
          transposed ? rows * kItem : kItem};
}

template <class T>
void multiply(const Matrix& a, const Matrix& b, T* out) {
  multiply_matrices(dtype_of<T>, a, b, reinterpret_cast<std::byte*>(out));
}

template <class T>
std::unique_ptr<T[]> room(std::int64_t count) {
  return std::unique_ptr<T[]>(new T[static_cast<std::size_t>(count)]);
}

template <class T>
const T* numbers(const std::byte* at) {
  return reinterpret_cast<const T*>(at);
}
template <class T>
T* numbers(std::byte* at) {
  return reinterpret_cast<T*>(at);
}

template <class T>
class Lstm {
 public:
  Lstm(const Recurrent& shape, const RecurrentOperands& operands, T* trace)
      : shape_(shape),
        steps_(shape.steps),
        batch_(shape.batch),
        hidden_(shape.hidden),
        state_(shape.batch * shape.hidden),
        x_(numbers<T>(operands.x)),
        h_(numbers<T>(operands.h)),
        c_(numbers<T>(operands.c)),
        w_x_(numbers<T>(operands.w_x)),
        w_h_(numbers<T>(operands.w_h)),
        b_(numbers<T>(operands.b)),
        gates_(trace),
        cells_(trace + 4 * steps_ * state_) {}

  void forward(const RecurrentResults& results) {
    T* y = numbers<T>(results.y);
    multiply(matrix(x_, steps_ * batch_, shape_.inputs),
             matrix(w_x_, shape_.inputs, 4 * hidden_, true), gates_);
    std::unique_ptr<T[]> more = room<T>(4 * state_);
    const T* h = h_;
    for (std::int64_t t = 0; t < steps_; ++t) {
      check_interrupt();
      multiply(matrix(h, batch_, hidden_), matrix(w_h_, hidden_, 4 * hidden_, true), more.get());
      T* to = y + t * state_;
      each_row([&](std::int64_t row) {
        GateRow<T> gates = gate_row(t, row, to + row * hidden_);
        loops_.join_gates(gates.gates, more.get() + row * 4 * hidden_, b_, hidden_);
        squash(gates.gates, gates.gates, 4 * hidden_);
        loops_.open_gates(gates);
        squash(gates.c, to + row * hidden_, hidden_);
        loops_.put_out(gates, to + row * hidden_);
      });
      h = to;
    }
    std::copy_n(h, state_, numbers<T>(results.h));
    std::copy_n(cells_ + (steps_ - 1) * state_, state_, numbers<T>(results.c));
  }

  void backward(const RecurrentOutcome& outcome, const RecurrentGradients& gradients) {
    T *dh = numbers<T>(gradients.h), *dc = numbers<T>(gradients.c);
    std::copy_n(numbers<T>(outcome.dh), state_, dh);
    std::copy_n(numbers<T>(outcome.dc), state_, dc);
    std::unique_ptr<T[]> squashed = room<T>(state_);
    for (std::int64_t t = steps_ - 1; t >= 0; --t) {
      check_interrupt();
      const T* dy = numbers<T>(outcome.dy) + t * state_;
      each_row([&](std::int64_t row) {
        std::int64_t at = row * hidden_;
        loops_.add(dh + at, dy + at, hidden_);
        GateRow<T> gates = gate_row(t, row, squashed.get() + at);
        squash(gates.c, squashed.get() + at, hidden_);
        loops_.close_gates(gates, dh + at, dc + at);
      });
      multiply(matrix(gates_ + t * 4 * state_, batch_, 4 * hidden_),
               matrix(w_h_, 4 * hidden_, hidden_), dh);
    }
    add_up(numbers<T>(outcome.y), gradients);
  }

 private:
  // The products of all steps' gradients by what went into the gates.
  void add_up(const T* y, const RecurrentGradients& gradients) {
    std::int64_t rows = steps_ * batch_, wide = 4 * hidden_;
    multiply(matrix(gates_, rows, wide), matrix(w_x_, wide, shape_.inputs),
             numbers<T>(gradients.x));
    multiply(matrix(gates_, wide, rows, true), matrix(x_, rows, shape_.inputs),
             numbers<T>(gradients.w_x));
    T* w_h = numbers<T>(gradients.w_h);
    multiply(matrix(gates_, wide, batch_, true), matrix(h_, batch_, hidden_), w_h);
    if (steps_ > 1) {
      std::unique_ptr<T[]> later = room<T>(wide * hidden_);
      multiply(matrix(gates_ + 4 * state_, wide, rows - batch_, true),
               matrix(y, rows - batch_, hidden_), later.get());
      loops_.add(w_h, later.get(), wide * hidden_);
    }
    T* b = numbers<T>(gradients.b);
    parallel_for(wide, worth_a_thread(1 << 16) / rows + 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   std::fill(b + begin, b + end, T(0));
                   for (std::int64_t row = 0; row < rows; ++row)
                     loops_.add(b + begin, gates_ + row * wide + begin, end - begin);
                 });
  }

  GateRow<T> gate_row(std::int64_t step, std::int64_t row, const T* squashed) const {
    std::int64_t at = step * batch_ + row;
    const T* before = step ? cells_ + (at - batch_) * hidden_ : c_ + row * hidden_;
    return {hidden_, gates_ + at * 4 * hidden_, before, cells_ + at * hidden_, squashed};
  }

  template <class Body>
  void each_row(Body&& body) const {
    parallel_for(batch_, 1 + worth_a_thread(1 << 12) / hidden_,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t row = begin; row < end; ++row) body(row);
                 });
  }

  void squash(const T* from, T* to, std::int64_t count) const {
    const std::byte* input = reinterpret_cast<const std::byte*>(from);
    std::byte* output = reinterpret_cast<std::byte*>(to);
    tanh_(&input, &output, count);
  }

  const Recurrent& shape_;
  std::int64_t steps_, batch_, hidden_;
  std::int64_t state_;  // numbers of h
  const T *x_, *h_, *c_, *w_x_, *w_h_, *b_;
  T *gates_, *cells_;
  const NetworkRows<T>& loops_ = network_rows<T>();
  const Kernel tanh_ = find_kernel(Op::kTanh, dtype_of<T>);
};

}  // namespace

template <class T>
std::int64_t lstm_trace_size(const Recurrent& shape) {
  return 5 * shape.steps * shape.batch * shape.hidden * static_cast<std::int64_t>(sizeof(T));
}

template <class T>
void run_lstm(const Recurrent& shape, const RecurrentOperands& operands,
              const RecurrentResults& results) {
  Lstm<T>(shape, operands, numbers<T>(results.trace)).forward(results);
}

template <class T>
void run_lstm_gradient(const Recurrent& shape, const RecurrentOperands& operands,
                       const RecurrentOutcome& outcome, const RecurrentGradients& gradients) {
  Lstm<T>(shape, operands, numbers<T>(outcome.trace)).backward(outcome, gradients);
}

template std::int64_t lstm_trace_size<float>(const Recurrent&);
template std::int64_t lstm_trace_size<double>(const Recurrent&);
template void run_lstm<float>(const Recurrent&, const RecurrentOperands&, const RecurrentResults&);
template void run_lstm<double>(const Recurrent&, const RecurrentOperands&, const RecurrentResults&);
template void run_lstm_gradient<float>(const Recurrent&, const RecurrentOperands&,
                                       const RecurrentOutcome&, const RecurrentGradients&);
template void run_lstm_gradient<double>(const Recurrent&, const RecurrentOperands&,
                                        const RecurrentOutcome&, const RecurrentGradients&);

}  // namespace strider::nd
