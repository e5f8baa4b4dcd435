// The contract of a backend's networks over the routines in host memory.
#include "kernels/backend/networks.h"
#include "kernels/network/adam.h"
#include "kernels/network/convolution.h"
#include "kernels/network/pooling.h"
#include "kernels/network/recurrent.h"
#include "kernels/network/response_norm.h"

namespace strider::nd {
namespace {

// Calls body(T{}) for float32 or float64.
template <class Body>
bool with_type(DType dtype, Body&& body) {
  if (dtype == DType::kFloat32)
    body(float{});
  else
    body(double{});
  return true;
}

template <class T>
const T* as(const std::byte* at, T) {
  return reinterpret_cast<const T*>(at);
}
template <class T>
T* as(std::byte* at, T) {
  return reinterpret_cast<T*>(at);
}

class HostNetworks : public Networks {
 public:
  bool convolve(DType dtype, const Convolution& shape, const std::byte* x, const std::byte* w,
                const std::byte* b, std::byte* y) override {
    return with_type(dtype,
                     [&](auto t) { nd::convolve(shape, as(x, t), as(w, t), as(b, t), as(y, t)); });
  }
  bool convolve_data_gradient(DType dtype, const Convolution& shape, const std::byte* dy,
                              const std::byte* w, std::byte* dx) override {
    return with_type(
        dtype, [&](auto t) { nd::convolve_data_gradient(shape, as(dy, t), as(w, t), as(dx, t)); });
  }
  bool convolve_weight_gradient(DType dtype, const Convolution& shape, const std::byte* dy,
                                const std::byte* x, std::byte* dw) override {
    return with_type(dtype, [&](auto t) {
      nd::convolve_weight_gradient(shape, as(dy, t), as(x, t), as(dw, t));
    });
  }

  bool pool(DType dtype, const Pooling& pooling, const std::byte* x, std::byte* y) override {
    return with_type(dtype, [&](auto t) { pool_planes(pooling, as(x, t), as(y, t)); });
  }
  bool pool_gradient(DType dtype, const Pooling& pooling, const std::byte* dy, const std::byte* x,
                     const std::byte* y, std::byte* dx) override {
    return with_type(dtype, [&](auto t) {
      pool_planes_gradient(pooling, as(dy, t), as(x, t), as(y, t), as(dx, t));
    });
  }

  bool normalize_response(DType dtype, const ResponseNorm& norm, const std::byte* x,
                          std::byte* y) override {
    return with_type(dtype, [&](auto t) { normalize_channels(norm, as(x, t), as(y, t)); });
  }
  bool normalize_response_gradient(DType dtype, const ResponseNorm& norm, const std::byte* dy,
                                   const std::byte* x, const std::byte* y, std::byte* dx) override {
    return with_type(dtype, [&](auto t) {
      normalize_channels_gradient(norm, as(dy, t), as(x, t), as(y, t), as(dx, t));
    });
  }

  std::int64_t trace_size(DType dtype, const Recurrent& shape) override {
    return dtype == DType::kFloat32 ? lstm_trace_size<float>(shape)
                                    : lstm_trace_size<double>(shape);
  }
  bool recur(DType dtype, const Recurrent& shape, const RecurrentOperands& operands,
             const RecurrentResults& results) override {
    return with_type(dtype, [&](auto t) { run_lstm<decltype(t)>(shape, operands, results); });
  }
  bool recur_gradient(DType dtype, const Recurrent& shape, const RecurrentOperands& operands,
                      const RecurrentOutcome& outcome,
                      const RecurrentGradients& gradients) override {
    return with_type(dtype, [&](auto t) {
      run_lstm_gradient<decltype(t)>(shape, operands, outcome, gradients);
    });
  }
  bool step_adam(DType dtype, const AdamStep& step, std::span<const AdamElements> parts) override {
    return with_type(dtype, [&](auto t) {
      for (const AdamElements& part : parts) move_by_adam<decltype(t)>(step, part);
    });
  }
};

}  // namespace

Networks& host_networks() {
  static HostNetworks networks;
  return networks;
}

}  // namespace strider::nd
