// lstm and lstm_gradient: operands are copied for the gradient, which is computed where the trace
// was made, or on the host, which runs forward again then.
#include <strider/nd/generate.h>
#include <strider/nd/network.h>

#include "kernels/backend/backend.h"
#include "kernels/network/operand.h"
#include "kernels/network/site.h"

namespace strider::nd {

class LstmTrace {
 public:
  DType dtype = DType::kFloat32;
  Recurrent shape;
  Array x, h, c, w_x, w_h, b;  // packed copies
  Array y;                     // null: nothing was computed
  Array elements;              // of the contract's trace
  Backend* maker = nullptr;    // null: the host
  bool used = false;           // a gradient has destroyed the elements
};

namespace {

constexpr const char* kForward = "lstm";
constexpr const char* kBackward = "lstm_gradient";

Recurrent shape_of(const Array& x, const Array& h, const Array& c, const LstmWeights& weights) {
  require_axes(kForward, {"x", &x}, 3, "time, batch, inputs");
  require_axes(kForward, {"w_h", &weights.w_h}, 2, "4 hidden, hidden");
  std::int64_t hidden = weights.w_h.shape()[1];
  Recurrent shape{x.shape()[0], x.shape()[1], x.shape()[2], hidden};
  std::string meaning = "x " + tuple_text(x.shape()) + " and hidden=" + std::to_string(hidden) +
                        " (the columns of w_h) want";
  require_shape(kForward, {"w_h", &weights.w_h}, {4 * hidden, hidden}, meaning);
  require_shape(kForward, {"w_x", &weights.w_x}, {4 * hidden, shape.inputs}, meaning);
  require_shape(kForward, {"b", &weights.b}, {4 * hidden}, meaning);
  require_shape(kForward, {"h0", &h}, {shape.batch, hidden}, meaning);
  require_shape(kForward, {"c0", &c}, {shape.batch, hidden}, meaning);
  if (shape.inputs == 0 || hidden == 0) fail_network(kForward, "there are no inputs, or no hidden");
  return shape;
}

double work_of(const Recurrent& shape) {
  return 4.0 * static_cast<double>(shape.steps * shape.batch) *
         static_cast<double>(shape.hidden * (shape.inputs + shape.hidden));
}

RecurrentOperands operands_at(const NetworkSite& site, const LstmTrace& trace) {
  return {site.read(trace.x),   site.read(trace.h),   site.read(trace.c),
          site.read(trace.w_x), site.read(trace.w_h), site.read(trace.b)};
}

struct Results {
  Array y, h, c, elements;
};

// Runs forward there; false where the networks refuse.
bool run_forward(const NetworkSite& site, const LstmTrace& trace, Results& results) {
  std::int64_t size = site.networks().trace_size(trace.dtype, trace.shape);
  if (size < 0) return false;
  const Recurrent& shape = trace.shape;
  results = {site.make({shape.steps, shape.batch, shape.hidden}, trace.dtype),
             site.make({shape.batch, shape.hidden}, trace.dtype),
             site.make({shape.batch, shape.hidden}, trace.dtype), site.make({size}, DType::kUInt8)};
  RecurrentResults to{site.write(results.y), site.write(results.h), site.write(results.c),
                      site.write(results.elements)};
  return site.networks().recur(trace.dtype, shape, operands_at(site, trace), to);
}

// At the best place, which the trace then knows.
Results run_anywhere(LstmTrace& trace) {
  Results results;
  trace.maker = place_network({&trace.x, &trace.w_x, &trace.w_h}, work_of(trace.shape));
  if (trace.maker && run_forward(NetworkSite(trace.maker), trace, results)) return results;
  trace.maker = nullptr;
  run_forward(NetworkSite(nullptr), trace, results);
  return results;
}

// The gradient by a result: as given, or zeros.
Array gradient_or_zeros(const char* name, const Array* given, const Dims& shape, DType dtype) {
  if (!given) return generate_zeros(shape, dtype);
  require_shape(kBackward, {name, given}, shape, "the result has");
  network_type(kBackward, {{name, given}});
  return given->contiguous(dtype);
}

struct Back {
  Array y, h, c;
};

// Runs backward there; false where the networks refuse.
bool run_backward(const NetworkSite& site, LstmTrace& trace, const Back& back,
                  LstmGradient& gradient) {
  auto alike = [&](const Array& array) { return site.make(array.shape(), trace.dtype); };
  gradient = {alike(trace.x),
              alike(trace.h),
              alike(trace.c),
              {alike(trace.w_x), alike(trace.w_h), alike(trace.b)}};
  RecurrentOperands operands = operands_at(site, trace);
  RecurrentOutcome outcome{site.read(trace.y), const_cast<std::byte*>(site.read(trace.elements)),
                           site.read(back.y), site.read(back.h), site.read(back.c)};
  RecurrentGradients to{site.write(gradient.x),           site.write(gradient.h),
                        site.write(gradient.c),           site.write(gradient.weights.w_x),
                        site.write(gradient.weights.w_h), site.write(gradient.weights.b)};
  return site.networks().recur_gradient(trace.dtype, trace.shape, operands, outcome, to);
}

// Makes the trace anew.
void run_again(LstmTrace& trace, Backend* maker) {
  Results results;
  trace.maker = maker;
  if (!run_forward(NetworkSite(maker), trace, results)) {
    trace.maker = nullptr;
    run_forward(NetworkSite(nullptr), trace, results);
  }
  trace.y = results.y;
  trace.elements = results.elements;
}

// There were no steps, or no sequences: the states stay what they are.
LstmGradient pass_back(const LstmTrace& trace, const Back& back) {
  auto zeros = [&](const Array& array) { return generate_zeros(array.shape(), trace.dtype); };
  return {zeros(trace.x),
          back.h.copy(),
          back.c.copy(),
          {zeros(trace.w_x), zeros(trace.w_h), zeros(trace.b)}};
}

}  // namespace

LstmResult lstm(const Array& x, const Array& h, const Array& c, const LstmWeights& weights) {
  const auto& [w_x, w_h, b] = weights;
  auto trace = std::make_shared<LstmTrace>();
  trace->dtype = network_type(
      kForward, {{"x", &x}, {"h0", &h}, {"c0", &c}, {"w_x", &w_x}, {"w_h", &w_h}, {"b", &b}});
  trace->shape = shape_of(x, h, c, weights);
  auto packed = [&](const Array& array) { return array.astype(trace->dtype, Order::kC, true); };
  trace->x = packed(x);
  trace->h = packed(h);
  trace->c = packed(c);
  trace->w_x = packed(w_x);
  trace->w_h = packed(w_h);
  trace->b = packed(b);
  if (x.size() == 0) {
    Dims shape = {trace->shape.steps, trace->shape.batch, trace->shape.hidden};
    return {generate_zeros(shape, trace->dtype), trace->h.copy(), trace->c.copy(), trace};
  }
  Results results = run_anywhere(*trace);
  trace->y = results.y.copy();
  trace->elements = results.elements;
  return {results.y, results.h, results.c, trace};
}

LstmGradient lstm_gradient(const Array* dy, const Array* dh, const Array* dc, LstmTrace& trace) {
  const Recurrent& shape = trace.shape;
  Dims state = {shape.batch, shape.hidden};
  Back back{gradient_or_zeros("dy", dy, {shape.steps, shape.batch, shape.hidden}, trace.dtype),
            gradient_or_zeros("dh", dh, state, trace.dtype),
            gradient_or_zeros("dc", dc, state, trace.dtype)};
  if (!trace.y) return pass_back(trace, back);
  if (trace.used) run_again(trace, trace.maker);
  trace.used = true;
  LstmGradient gradient;
  if (run_backward(NetworkSite(trace.maker), trace, back, gradient)) return gradient;
  run_again(trace, nullptr);
  run_backward(NetworkSite(nullptr), trace, back, gradient);
  return gradient;
}

}  // namespace strider::nd
