// Convolution against plain sums for every instruction set, and bits that threads do not change.
#include <doctest/doctest.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/backend/networks.h"
#include "kernels/network/convolution.h"

using namespace strider::nd;

namespace {

template <class T>
std::vector<T> draw(std::mt19937& bits, std::int64_t count) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> numbers(static_cast<std::size_t>(count));
  for (T& number : numbers) number = static_cast<T>(uniform(bits));
  return numbers;
}

std::int64_t pick(std::mt19937& bits, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(bits);
}

Convolution pick_convolution(std::mt19937& bits) {
  Convolution shape;
  shape.groups = pick(bits, 0, 2) ? 1 : pick(bits, 2, 3);
  shape.batch = pick(bits, 1, 4);
  shape.channels = shape.groups * pick(bits, 1, 5);
  shape.filters = shape.groups * pick(bits, 1, 20);
  for (WindowAxis* axis : {&shape.rows, &shape.columns}) {
    *axis = {pick(bits, 1, 30), pick(bits, 1, 7), pick(bits, 1, 3),
             pick(bits, 0, 4),  pick(bits, 0, 4), pick(bits, 1, 2)};
    std::int64_t around = axis->before + axis->after;
    axis->extent = std::max(axis->extent, axis->reach() - around);
  }
  return shape;
}

// Many channels and filters, and images not much larger than windows.
Convolution pick_deep_convolution(std::mt19937& bits) {
  Convolution shape = pick_convolution(bits);
  shape.channels = shape.groups * pick(bits, 5, 60);
  shape.filters = shape.groups * pick(bits, 10, 70);
  for (WindowAxis* axis : {&shape.rows, &shape.columns}) {
    std::int64_t places = pick(bits, 1, 5), around = axis->before + axis->after;
    axis->extent = std::max<std::int64_t>(1, axis->reach() + (places - 1) * axis->stride - around);
  }
  return shape;
}

// The numbers of a convolution and of its gradients.
template <class T>
struct Numbers {
  Numbers(std::mt19937& bits, const Convolution& s)
      : x(draw<T>(bits, s.batch * s.channels * s.rows.extent * s.columns.extent)),
        w(draw<T>(bits, s.filters * s.channels / s.groups * s.rows.size * s.columns.size)),
        dy(draw<T>(bits, s.batch * s.filters * s.rows.places() * s.columns.places())),
        y(dy.size()),
        dx(x.size()),
        dw(w.size()) {}

  void compute(const Convolution& shape) {
    convolve(shape, x.data(), w.data(), static_cast<const T*>(nullptr), y.data());
    convolve_data_gradient(shape, dy.data(), w.data(), dx.data());
    convolve_weight_gradient(shape, dy.data(), x.data(), dw.data());
  }

  std::vector<T> x, w, dy, y, dx, dw;
};

// Calls meet(y, x, w) for the places of the numbers that meet in a sum.
template <class Meet>
void for_each_meeting(const Convolution& s, Meet&& meet) {
  std::int64_t channels = s.channels / s.groups, filters = s.filters / s.groups, y = 0;
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t f = 0; f < s.filters; ++f)
      for (std::int64_t p = 0; p < s.rows.places(); ++p)
        for (std::int64_t q = 0; q < s.columns.places(); ++q, ++y)
          for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t i = 0; i < s.rows.size; ++i)
              for (std::int64_t j = 0; j < s.columns.size; ++j) {
                auto along = [](const WindowAxis& axis, std::int64_t place, std::int64_t tap) {
                  return place * axis.stride + tap * axis.dilation - axis.before;
                };
                std::int64_t row = along(s.rows, p, i), column = along(s.columns, q, j);
                if (row < 0 || column < 0 || row >= s.rows.extent || column >= s.columns.extent)
                  continue;
                std::int64_t plane = n * s.channels + f / filters * channels + c;
                meet(y, (plane * s.rows.extent + row) * s.columns.extent + column,
                     ((f * channels + c) * s.rows.size + i) * s.columns.size + j);
              }
}

template <class T>
double difference(const std::vector<T>& found, const std::vector<double>& wanted) {
  double most = 0, far = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    most = std::max(most, std::fabs(wanted[i]));
    far = std::max(far, std::isnan(found[i]) ? 1e9 : std::fabs(found[i] - wanted[i]));
  }
  return far / std::max(most, 1e-30);
}

template <class T>
void check_convolution(std::mt19937& bits, const Convolution& shape, double bound) {
  Numbers<T> numbers(bits, shape);
  numbers.compute(shape);
  std::vector<double> y(numbers.y.size()), dx(numbers.x.size()), dw(numbers.w.size());
  for_each_meeting(shape, [&](auto at_y, auto at_x, auto at_w) {
    auto to = static_cast<std::size_t>(at_y), from = static_cast<std::size_t>(at_x),
         by = static_cast<std::size_t>(at_w);
    y[to] += double(numbers.x[from]) * numbers.w[by];
    dx[from] += double(numbers.dy[to]) * numbers.w[by];
    dw[by] += double(numbers.dy[to]) * numbers.x[from];
  });
  CHECK(difference(numbers.y, y) < bound);
  CHECK(difference(numbers.dx, dx) < bound);
  CHECK(difference(numbers.dw, dw) < bound);
}

// On the calling thread alone.
template <class Work>
void run_alone(Work&& work) {
  parallel_for(2, 1, [&](std::int64_t begin, std::int64_t) {
    if (begin == 0) work();
  });
}

}  // namespace

TEST_CASE("convolutions of random shapes and their gradients are plain sums") {
  std::mt19937 bits(7);
  for (int i = 0; i < 60; ++i) {
    check_convolution<float>(bits, pick_convolution(bits), 1e-5);
    check_convolution<double>(bits, pick_convolution(bits), 1e-13);
  }
}

TEST_CASE("so are those of deep images with few places") {
  std::mt19937 bits(10);
  for (int i = 0; i < 30; ++i) {
    check_convolution<float>(bits, pick_deep_convolution(bits), 1e-5);
    check_convolution<double>(bits, pick_deep_convolution(bits), 1e-13);
  }
}

TEST_CASE("one thread computes the bits of a convolution that several compute") {
  std::mt19937 bits(8);
  Convolution shape;
  shape.batch = 9;
  shape.channels = 12;
  shape.filters = 40;
  shape.rows = {30, 3, 1, 1, 1, 1};
  shape.columns = {45, 5, 2, 2, 2, 1};
  Numbers<float> shared(bits, shape), alone = shared;
  shared.compute(shape);
  run_alone([&] { alone.compute(shape); });
  CHECK(shared.y == alone.y);
  CHECK(shared.dx == alone.dx);
  CHECK(shared.dw == alone.dw);
}

TEST_CASE("one thread computes the bits of an LSTM that several compute") {
  std::mt19937 bits(9);
  Recurrent shape{5, 70, 90, 110};
  std::int64_t state = shape.batch * shape.hidden, gates = 4 * shape.hidden;
  auto x = draw<float>(bits, shape.steps * shape.batch * shape.inputs),
       h = draw<float>(bits, state), c = draw<float>(bits, state),
       w_x = draw<float>(bits, gates * shape.inputs), w_h = draw<float>(bits, gates * shape.hidden),
       b = draw<float>(bits, gates), dy = draw<float>(bits, shape.steps * state);
  auto bytes = [](auto& numbers) { return reinterpret_cast<std::byte*>(numbers.data()); };
  auto compute = [&] {
    Networks& networks = host_networks();
    DType dtype = DType::kFloat32;
    std::vector<float> y(dy.size()), last_h(h.size()), last_c(c.size()), dx(x.size()), dh(h.size()),
        dc(c.size()), dw_x(w_x.size()), dw_h(w_h.size()), db(b.size());
    std::vector<std::byte> trace(static_cast<std::size_t>(networks.trace_size(dtype, shape)));
    RecurrentOperands operands{bytes(x), bytes(h), bytes(c), bytes(w_x), bytes(w_h), bytes(b)};
    networks.recur(dtype, shape, operands, {bytes(y), bytes(last_h), bytes(last_c), trace.data()});
    networks.recur_gradient(dtype, shape, operands,
                            {bytes(y), trace.data(), bytes(dy), bytes(last_h), bytes(last_c)},
                            {bytes(dx), bytes(dh), bytes(dc), bytes(dw_x), bytes(dw_h), bytes(db)});
    std::vector<std::vector<float>> all{y, last_h, last_c, dx, dh, dc, dw_x, dw_h, db};
    return all;
  };
  auto shared = compute(), alone = shared;
  run_alone([&] { alone = compute(); });
  CHECK(shared == alone);
}
