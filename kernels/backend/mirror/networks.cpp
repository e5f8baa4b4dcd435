// Convolution, pooling, response norm, LSTM and optimisers in the mirror's memory.
#include "kernels/backend/mirror/networks.h"

namespace strider::nd {
namespace {

class MirrorNetworks : public Networks {
 public:
  bool convolve(DType dtype, const Convolution& shape, const std::byte* x, const std::byte* w,
                const std::byte* b, std::byte* y) override {
    return is_even(shape) && host_networks().convolve(dtype, shape, x, w, b, y);
  }
  bool convolve_data_gradient(DType dtype, const Convolution& shape, const std::byte* dy,
                              const std::byte* w, std::byte* dx) override {
    return is_even(shape) && host_networks().convolve_data_gradient(dtype, shape, dy, w, dx);
  }
  bool convolve_weight_gradient(DType dtype, const Convolution& shape, const std::byte* dy,
                                const std::byte* x, std::byte* dw) override {
    return is_even(shape) && host_networks().convolve_weight_gradient(dtype, shape, dy, x, dw);
  }

  bool pool(DType dtype, const Pooling& pooling, const std::byte* x, std::byte* y) override {
    return host_networks().pool(dtype, pooling, x, y);
  }
  bool pool_gradient(DType dtype, const Pooling& pooling, const std::byte* dy, const std::byte* x,
                     const std::byte* y, std::byte* dx) override {
    return host_networks().pool_gradient(dtype, pooling, dy, x, y, dx);
  }

  bool normalize_response(DType dtype, const ResponseNorm& norm, const std::byte* x,
                          std::byte* y) override {
    return is_narrow(norm) && host_networks().normalize_response(dtype, norm, x, y);
  }
  bool normalize_response_gradient(DType dtype, const ResponseNorm& norm, const std::byte* dy,
                                   const std::byte* x, const std::byte* y, std::byte* dx) override {
    return is_narrow(norm) &&
           host_networks().normalize_response_gradient(dtype, norm, dy, x, y, dx);
  }

  std::int64_t trace_size(DType dtype, const Recurrent& shape) override {
    return shape.hidden == 1 ? -1 : host_networks().trace_size(dtype, shape);
  }
  bool recur(DType dtype, const Recurrent& shape, const RecurrentOperands& operands,
             const RecurrentResults& results) override {
    return host_networks().recur(dtype, shape, operands, results);
  }
  // One sequence alone is left to the host, which runs it forward again.
  bool recur_gradient(DType dtype, const Recurrent& shape, const RecurrentOperands& operands,
                      const RecurrentOutcome& outcome,
                      const RecurrentGradients& gradients) override {
    return shape.batch > 1 &&
           host_networks().recur_gradient(dtype, shape, operands, outcome, gradients);
  }
  bool step_adam(DType dtype, const AdamStep& step, std::span<const AdamElements> parts) override {
    return host_networks().step_adam(dtype, step, parts);
  }

 private:
  static bool is_even(const Convolution& shape) {
    return shape.rows.before == shape.rows.after && shape.columns.before == shape.columns.after;
  }
  static bool is_narrow(const ResponseNorm& norm) { return norm.size < 8; }
};

}  // namespace

Networks& mirror_networks() {
  static auto* networks = new MirrorNetworks;
  return *networks;
}

}  // namespace strider::nd
