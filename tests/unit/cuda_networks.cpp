// What a GPU does for neural networks, beside plain loops over float64, for random shapes; twice,
// with the same bits. Says nothing without a GPU. And what can be known of cuDNN without one: that
// its functions are found, how plans are told apart, where weights go.
#include "kernels/backend/cuda/library/cuda_networks.h"

#include <doctest/doctest.h>
#include <strider/nd/precision.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <string>

#include "kernels/backend/cuda/device/errors.h"
#include "kernels/backend/cuda/library/cudnn/convolution.h"
#include "kernels/backend/cuda/library/cudnn/recurrent.h"
#include "kernels/backend/cuda/workspace.h"
#include "tests/unit/plain_networks.h"

using namespace strider::nd;
using namespace strider::nd::cuda;
using plain::Numbers;

namespace {

constexpr int kTrials = 60;

struct Bench {
  CudaDevice device{0};
  CudaNetworks networks{device};
};

Bench& bench() {
  static Bench* instance = new Bench;
  return *instance;
}

bool has_device() {
  std::string reason;
  return count_devices(reason) > 0;
}

bool has_cudnn() {
  if (!has_device()) return false;
  return bench().networks.trace_size(DType::kFloat32, {1, 1, 1, 1}) >= 0;
}

// Numbers on the device, of an element type.
class There {
 public:
  There(DType dtype, const Numbers& numbers) : There(dtype, numbers.size()) {
    Bytes bytes(space_.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      auto narrow = static_cast<float>(numbers[i]);
      if (dtype == DType::kFloat32) std::memcpy(&bytes[i * 4], &narrow, 4);
      if (dtype == DType::kFloat64) std::memcpy(&bytes[i * 8], &numbers[i], 8);
    }
    bench().device.upload(space_.start(), bytes.data(), bytes.size());
  }
  // Whose elements are not numbers as yet.
  There(DType dtype, std::size_t count)
      : dtype_(dtype), space_(bench().device, count * (dtype == DType::kFloat32 ? 4 : 8)) {
    Bytes bytes(space_.size(), std::byte{0xff});
    bench().device.upload(space_.start(), bytes.data(), bytes.size());
  }

  std::byte* start() const { return space_.start(); }
  std::vector<std::byte> bytes() const {
    Bytes bytes(space_.size());
    bench().device.download(bytes.data(), space_.start(), bytes.size());
    return bytes;
  }
  // The largest difference, by the largest number.
  double error(const Numbers& wanted) const {
    Bytes found = bytes();
    double worst = 0, largest = 1e-3;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      float narrow = 0;
      double value = 0;
      if (dtype_ == DType::kFloat32) std::memcpy(&narrow, &found[i * 4], 4), value = narrow;
      if (dtype_ == DType::kFloat64) std::memcpy(&value, &found[i * 8], 8);
      double difference = std::abs(value - wanted[i]);
      worst = std::isnan(difference) ? 1e300 : std::max(worst, difference);
      largest = std::max(largest, std::abs(wanted[i]));
    }
    return worst / largest;
  }

 private:
  using Bytes = std::vector<std::byte>;
  DType dtype_;
  Workspace space_;
};

double tolerance(DType dtype) { return dtype == DType::kFloat32 ? 2e-5 : 1e-12; }

// What work(place) writes, and that it does so twice.
template <class Work>
double check(DType dtype, const Numbers& wanted, Work&& work) {
  There first(dtype, wanted.size()), second(dtype, wanted.size());
  REQUIRE(work(first.start()));
  REQUIRE(work(second.start()));
  CHECK(first.bytes() == second.bytes());
  double error = first.error(wanted);
  CHECK(error < tolerance(dtype));
  return error;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::int64_t from(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  bool is(double chance) { return std::bernoulli_distribution(chance)(engine_); }
  DType dtype() { return is(0.5) ? DType::kFloat32 : DType::kFloat64; }
  // Multiples of 1/64, so that both element types have them, some of which are equal.
  Numbers numbers(std::size_t count, double scale = 1) {
    Numbers made(count);
    for (double& number : made) number = static_cast<double>(from(-64, 64)) / 64 * scale;
    return made;
  }
  WindowAxis axis(bool dilated) {
    for (;;) {
      WindowAxis axis{from(1, 20), from(1, 6), from(1, 3),
                      from(0, 3),  from(0, 3), dilated ? from(1, 2) : 1};
      if (is(0.5)) axis.after = axis.before;
      // Pooling wants an element in every window.
      bool covered = dilated || (axis.before < axis.size && axis.after < axis.size);
      if (axis.before + axis.extent + axis.after >= axis.reach() && covered) return axis;
    }
  }
  Convolution convolution() {
    Convolution made;
    made.groups = is(0.3) ? from(2, 3) : 1;
    made.batch = from(1, 5);
    made.channels = made.groups * from(1, 6);
    made.filters = made.groups * from(1, 6);
    made.rows = axis(true);
    made.columns = axis(true);
    return made;
  }

 private:
  std::mt19937 engine_;
};

std::string text(const WindowAxis& axis) {
  std::string made;
  for (std::int64_t number :
       {axis.extent, axis.size, axis.stride, axis.before, axis.after, axis.dilation})
    made += std::to_string(number) + ' ';
  return made;
}

}  // namespace

TEST_CASE("every function of cuDNN that is used is there") {
  ToolkitLibrary library("libcudnn.so.9");
  if (!library.is_open()) {
    MESSAGE(library.reason());
    return;
  }
  CudnnFunctions functions(library);
  CHECK(functions.are_there());
  CHECK(functions.runtime_version() / 1000 >= 12);
}

TEST_CASE("a missing cuDNN has no functions") {
  ToolkitLibrary library("libno-such-library.so");
  CHECK_FALSE(CudnnFunctions(library).are_there());
}

TEST_CASE("edges become elements only where they differ in what windows see") {
  WindowAxis same{28, 3, 1, 1, 1, 1};
  CHECK(with_equal_edges(same).extent == 28);
  CHECK(with_equal_edges(same).before == 1);
  WindowAxis unseen{28, 3, 2, 1, 0, 1};  // the last window ends before the edge
  CHECK(with_equal_edges(unseen).extent == 28);
  CHECK(with_equal_edges(unseen).places() == unseen.places());
  WindowAxis behind{28, 4, 1, 1, 2, 1};
  CHECK(with_equal_edges(behind).extent == 31);
  CHECK(with_equal_edges(behind).before == 0);
  CHECK(with_equal_edges(behind).places() == behind.places());
  WindowAxis small{1, 3, 1, 0, 2, 1};
  CHECK(with_equal_edges(small).extent == 3);
}

TEST_CASE("an axis that keeps its edges begins where it began, whatever the other does") {
  Convolution original;
  original.batch = 2;
  original.channels = 3;
  original.rows = {28, 3, 1, 1, 1, 1};
  original.columns = {28, 4, 1, 1, 2, 1};
  Convolution equal = original;
  equal.rows = with_equal_edges(original.rows);
  equal.columns = with_equal_edges(original.columns);
  PlaneEdges edges = edges_of(original, equal, 2);
  CHECK(edges.planes == 6);
  CHECK(edges.top == 0);
  CHECK(edges.left == 1);
  CHECK(edges.whole_height == 28);
  CHECK(edges.whole_width == 31);
}

TEST_CASE("plans of convolutions differ in all that is described") {
  Convolution convolution;
  convolution.channels = 3;
  convolution.filters = 5;
  convolution.rows = {28, 3, 1, 1, 1, 1};
  convolution.columns = {30, 5, 2, 2, 2, 1};
  auto key = [&](ConvolutionWork work = ConvolutionWork::kForward, DType dtype = DType::kFloat32,
                 bool tf32 = false,
                 std::int64_t batch = 8) { return key_of(work, dtype, tf32, convolution, batch); };
  ConvolutionKey first = key();
  CHECK(first == key());
  CHECK_FALSE(first == key(ConvolutionWork::kData));
  CHECK_FALSE(first == key(ConvolutionWork::kForward, DType::kFloat64));
  CHECK_FALSE(first == key(ConvolutionWork::kForward, DType::kFloat32, true));
  CHECK_FALSE(first == key(ConvolutionWork::kForward, DType::kFloat32, false, 9));
  CHECK(key(ConvolutionWork::kData, DType::kFloat64, true) ==
        key(ConvolutionWork::kData, DType::kFloat64, false));
  convolution.columns.dilation = 2;
  CHECK_FALSE(first == key());
}

TEST_CASE("choices of engines are written down and read") {
  std::vector<EngineChoice> choices{{70, {{2, 12}, {18, 0}}}, {3, {}}, {18, {{11, 2}}}};
  CHECK(to_text(choices) == "70:2=12,18=0 3 18:11=2");
  CHECK(to_choices(to_text(choices)) == choices);
  CHECK(to_choices("").empty());
  CHECK(to_choices("-1 x 4: 4:2 4:2= 4:2=1, 4,2=1 4:2=1;3=1 4x 5:2=1") ==
        std::vector<EngineChoice>{{5, {{2, 1}}}});
  ConvolutionKey key;
  CHECK(to_text(key) == "0 " + std::to_string(static_cast<int>(DType::kFloat32)) +
                            " 0 0 16 1 1 1 1 0 0 0 0 0 0 0 0 0 0");
}

TEST_CASE("a key knows the sizes of results") {
  ConvolutionKey key;
  key.batch = 2, key.channels = 4, key.filters = 6, key.groups = 2;
  key.extent[0] = 28, key.size[0] = 3, key.stride[0] = 1, key.edge[0] = 1, key.dilation[0] = 1;
  key.extent[1] = 30, key.size[1] = 5, key.stride[1] = 2, key.edge[1] = 0, key.dilation[1] = 3;
  CHECK(key.places(0) == 28);
  CHECK(key.places(1) == 9);
  CHECK(key.result_bytes() == 2 * 6 * 28 * 9 * 4);
  key.work = ConvolutionWork::kData;
  CHECK(key.result_bytes() == 2 * 4 * 28 * 30 * 4);
  key.work = ConvolutionWork::kWeights;
  key.dtype = DType::kFloat64;
  CHECK(key.result_bytes() == 6 * 2 * 3 * 5 * 8);
}

TEST_CASE("tiles cover a result, and what they see fits") {
  ConvolutionKey key;
  key.work = ConvolutionWork::kData;
  key.batch = 8, key.channels = 3, key.filters = 16;
  for (int axis = 0; axis < 2; ++axis) {
    key.extent[axis] = 256, key.size[axis] = 20;
    key.stride[axis] = key.dilation[axis] = 1;
  }
  std::optional<ConvolutionTiles> tiles = cut_into_tiles(key, 128);
  REQUIRE(tiles);
  CHECK(tiles->key.batch == 8 * 9);
  CHECK(tiles->step[0] == 86);
  CHECK(tiles->key.extent[1] == 86);
  CHECK(tiles->key.edge[1] == 19);
  CHECK(tiles->key.places(0) == 86 + 19);
  CHECK_FALSE(cut_into_tiles(key, 64));  // little but what is seen
  key.work = ConvolutionWork::kForward;
  CHECK_FALSE(cut_into_tiles(key, 128));  // cuDNN takes the whole
  key.extent[1] = 300;
  tiles = cut_into_tiles(key, 128);
  REQUIRE(tiles);
  CHECK(tiles->count[0] == 3);
  CHECK(tiles->step[0] == 79);
  CHECK(tiles->key.places(1) == tiles->step[1]);
  key.stride[0] = 2;
  CHECK_FALSE(cut_into_tiles(key, 128));
}

TEST_CASE("large stacks of images are convolved in parts") {
  Convolution convolution;
  convolution.batch = 100;
  convolution.rows = convolution.columns = {16384, 1, 1, 0, 0, 1};
  CHECK(most_images(convolution) == 7);
  convolution.channels = 8;
  CHECK(most_images(convolution) == 0);
  convolution.rows.extent = 16;
  CHECK(most_images(convolution) == 100);
}

TEST_CASE("weights that lie alike are copied at once") {
  std::vector<WeightPiece> pieces{{0, 0, 0, 8}, {0, 8, 8, 8}, {1, 0, 16, 4}, {1, 4, 32, 4}};
  CHECK(joined(pieces) == std::vector<WeightPiece>{{0, 0, 0, 16}, {1, 0, 16, 4}, {1, 4, 32, 4}});
  CHECK(joined({}).empty());
}

TEST_CASE("a GPU convolves as plain loops do") {
  if (!has_cudnn()) return;
  Networks& networks = bench().networks;
  for (unsigned seed = 0; seed < kTrials; ++seed) {
    Random random(seed);
    DType dtype = random.dtype();
    Convolution c = random.convolution();
    INFO("seed " << seed << ": " << c.batch << ' ' << c.channels << ' ' << c.filters << ' '
                 << c.groups << " rows " << text(c.rows) << "columns " << text(c.columns));
    Numbers x = random.numbers(plain::images_size(c)), w = random.numbers(plain::weights_size(c));
    Numbers b = random.numbers(plain::at(c.filters)), y(plain::results_size(c));
    bool has_b = random.is(0.5);
    std::size_t inner = y.size() / plain::at(c.batch * c.filters);
    for (std::size_t i = 0; i < y.size() && has_b; ++i) y[i] = b[i / inner % plain::at(c.filters)];
    There there_x(dtype, x), there_w(dtype, w), there_b(dtype, b);
    plain::for_products(
        c, [&](auto i, auto j, auto k) { y[plain::at(k)] += x[plain::at(i)] * w[plain::at(j)]; });
    check(dtype, y, [&](std::byte* place) {
      return networks.convolve(dtype, c, there_x.start(), there_w.start(),
                               has_b ? there_b.start() : nullptr, place);
    });
    Numbers dy = random.numbers(y.size()), dx(x.size()), dw(w.size());
    plain::for_products(c, [&](auto i, auto j, auto k) {
      dx[plain::at(i)] += dy[plain::at(k)] * w[plain::at(j)];
      dw[plain::at(j)] += dy[plain::at(k)] * x[plain::at(i)];
    });
    There there_dy(dtype, dy);
    check(dtype, dx, [&](std::byte* place) {
      return networks.convolve_data_gradient(dtype, c, there_dy.start(), there_w.start(), place);
    });
    check(dtype, dw, [&](std::byte* place) {
      return networks.convolve_weight_gradient(dtype, c, there_dy.start(), there_x.start(), place);
    });
  }
}

TEST_CASE("a convolution that comes again and again reads what its operands hold by then") {
  if (!has_cudnn()) return;
  Networks& networks = bench().networks;
  CudaDevice& device = bench().device;
  Convolution c;
  c.batch = 16, c.channels = 32, c.filters = 64;
  c.rows = c.columns = {14, 3, 1, 1, 1, 1};
  Random random(5);
  DType dtype = DType::kFloat32;
  There x(dtype, random.numbers(plain::images_size(c)));
  There w(dtype, random.numbers(plain::weights_size(c)));
  There dy(dtype, random.numbers(plain::results_size(c)));
  There y(dtype, plain::results_size(c)), dx(dtype, plain::images_size(c)),
      dw(dtype, plain::weights_size(c));
  auto compute = [&](There& to_y, There& to_dx, There& to_dw) {
    REQUIRE(networks.convolve(dtype, c, x.start(), w.start(), nullptr, to_y.start()));
    REQUIRE(networks.convolve_data_gradient(dtype, c, dy.start(), w.start(), to_dx.start()));
    REQUIRE(networks.convolve_weight_gradient(dtype, c, dy.start(), x.start(), to_dw.start()));
  };
  std::deque<There> elsewhere;  // each in a place of its own, where nothing is replayed
  for (int round = 0; round < 7; ++round) {
    CAPTURE(round);
    There& other_y = elsewhere.emplace_back(dtype, plain::results_size(c));
    There& other_dx = elsewhere.emplace_back(dtype, plain::images_size(c));
    There& other_dw = elsewhere.emplace_back(dtype, plain::weights_size(c));
    if (round % 3 == 0) {
      There fresh(dtype, random.numbers(plain::images_size(c)));
      device.upload(x.start(), fresh.bytes().data(), fresh.bytes().size());
    }
    compute(y, dx, dw);
    compute(other_y, other_dx, other_dw);
    CHECK(y.bytes() == other_y.bytes());
    CHECK(dx.bytes() == other_dx.bytes());
    CHECK(dw.bytes() == other_dw.bytes());
  }
}

TEST_CASE("an LSTM that comes again and again reads what its operands hold by then") {
  if (!has_cudnn()) return;
  Networks& networks = bench().networks;
  CudaDevice& device = bench().device;
  Recurrent sizes{7, 5, 24, 32};
  DType dtype = DType::kFloat32;
  Random random(6);
  std::size_t states = 5 * 32, outputs = 7 * states, inputs = 7 * 5 * 24;
  There x(dtype, random.numbers(inputs)), h(dtype, random.numbers(states)),
      c(dtype, random.numbers(states)), w_x(dtype, random.numbers(4 * 32 * 24)),
      w_h(dtype, random.numbers(4 * 32 * 32)), b(dtype, random.numbers(4 * 32)),
      dy(dtype, random.numbers(outputs)), dh(dtype, random.numbers(states)),
      dc(dtype, random.numbers(states));
  RecurrentOperands operands{x.start(), h.start(), c.start(), w_x.start(), w_h.start(), b.start()};
  auto trace_bytes = static_cast<std::size_t>(networks.trace_size(dtype, sizes));
  struct Made {
    Made(DType dtype, std::size_t outputs, std::size_t states, std::size_t inputs,
         std::size_t trace)
        : y(dtype, outputs),
          h(dtype, states),
          c(dtype, states),
          trace(dtype, trace / 4),
          dx(dtype, inputs),
          dh(dtype, states),
          dc(dtype, states),
          dw_x(dtype, 4 * 32 * 24),
          dw_h(dtype, 4 * 32 * 32),
          db(dtype, 4 * 32) {}
    There y, h, c, trace, dx, dh, dc, dw_x, dw_h, db;
  };
  auto compute = [&](Made& to) {
    REQUIRE(networks.recur(dtype, sizes, operands,
                           {to.y.start(), to.h.start(), to.c.start(), to.trace.start()}));
    REQUIRE(networks.recur_gradient(
        dtype, sizes, operands,
        {to.y.start(), to.trace.start(), dy.start(), dh.start(), dc.start()},
        {to.dx.start(), to.dh.start(), to.dc.start(), to.dw_x.start(), to.dw_h.start(),
         to.db.start()}));
  };
  Made here(dtype, outputs, states, inputs, trace_bytes);
  std::deque<Made> elsewhere;  // each in a place of its own, where nothing is replayed
  for (int round = 0; round < 7; ++round) {
    CAPTURE(round);
    Made& other = elsewhere.emplace_back(dtype, outputs, states, inputs, trace_bytes);
    for (There* operand : {&x, &w_x, &w_h, &dy}) {
      There fresh(dtype, random.numbers(operand->bytes().size() / 4));
      device.upload(operand->start(), fresh.bytes().data(), fresh.bytes().size());
    }
    compute(here);
    compute(other);
    for (There Made::*part : {&Made::y, &Made::h, &Made::c, &Made::dx, &Made::dh, &Made::dc,
                              &Made::dw_x, &Made::dw_h, &Made::db}) {
      CHECK((here.*part).bytes() == (other.*part).bytes());
    }
  }
}

TEST_CASE("steps of Adam are the host's to the bit") {
  if (!has_device()) return;
  for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
    Random random(9);
    AdamStep step{0.1, 0.001, 0.01, 1.2, 1e-6, dtype == DType::kFloat32 ? 0.01 : 0.0};
    std::vector<There> there;
    std::vector<std::vector<std::byte>> here;
    std::vector<AdamElements> on_device, on_host;
    there.reserve(160);
    here.reserve(160);
    for (std::size_t part = 0; part < 40; ++part) {
      std::size_t count = part == 7 ? 0 : part * part * 37 + 1;
      for (int i = 0; i < 4; ++i) {
        Numbers numbers = random.numbers(count);
        if (i == 3)
          for (double& number : numbers) number = number * number;
        here.push_back(there.emplace_back(dtype, numbers).bytes());
      }
      There* at = &there[there.size() - 4];
      auto* same = &here[here.size() - 4];
      auto length = static_cast<std::int64_t>(count);
      on_device.push_back({at[0].start(), at[1].start(), at[2].start(), at[3].start(), length});
      on_host.push_back({same[0].data(), same[1].data(), same[2].data(), same[3].data(), length});
    }
    for (int round = 0; round < 3; ++round) {
      REQUIRE(bench().networks.step_adam(dtype, step, on_device));
      REQUIRE(host_networks().step_adam(dtype, step, on_host));
    }
    for (std::size_t i = 0; i < there.size(); ++i) CHECK(there[i].bytes() == here[i]);
  }
}

TEST_CASE("a GPU convolves in tiles as plain loops do") {
  if (!has_cudnn()) return;
  Cudnn cudnn(bench().device);
  CudnnChoices choices(cudnn, nullptr);
  ConvolutionPlans plans(cudnn, choices);
  TiledConvolution tiled(cudnn, choices, plans);
  Convolution c;
  c.batch = 2, c.channels = 2, c.filters = 3;
  c.rows = {40, 5, 1, 1, 1, 1};
  c.columns = {270, 7, 1, 8, 8, 1};
  Random random(7);
  for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
    Numbers x = random.numbers(plain::images_size(c)), w = random.numbers(plain::weights_size(c));
    Numbers dy = random.numbers(plain::results_size(c));
    Numbers y(dy.size()), dx(x.size()), dw(w.size());
    plain::for_products(c, [&](auto i, auto j, auto k) {
      y[plain::at(k)] += x[plain::at(i)] * w[plain::at(j)];
      dx[plain::at(i)] += dy[plain::at(k)] * w[plain::at(j)];
      dw[plain::at(j)] += dy[plain::at(k)] * x[plain::at(i)];
    });
    There there_x(dtype, x), there_w(dtype, w), there_dy(dtype, dy);
    auto run = [&](ConvolutionWork work, const std::byte* from_x, const std::byte* from_w,
                   const std::byte* from_y) {
      return [&, work, from_x, from_w, from_y](std::byte* place) {
        ConvolutionKey key = key_of(work, dtype, false, c, c.batch);
        std::optional<ConvolutionTiles> tiles = cut_into_tiles(key, 64);
        return tiles && tiled.run_in_tiles(key, *tiles, {from_x, from_w, from_y, place});
      };
    };
    check(dtype, y, run(ConvolutionWork::kForward, there_x.start(), there_w.start(), nullptr));
    check(dtype, dx, run(ConvolutionWork::kData, nullptr, there_w.start(), there_dy.start()));
    check(dtype, dw, run(ConvolutionWork::kWeights, there_x.start(), nullptr, there_dy.start()));
  }
}

TEST_CASE("a GPU pools as plain loops do") {
  if (!has_device()) return;
  Networks& networks = bench().networks;
  for (unsigned seed = 0; seed < kTrials; ++seed) {
    Random random(1000 + seed);
    DType dtype = random.dtype();
    Pooling p{static_cast<PoolKind>(random.from(0, 2)), random.from(1, 7), random.axis(false),
              random.axis(false)};
    INFO("seed " << seed << " rows " << text(p.rows) << "columns " << text(p.columns));
    Numbers x = random.numbers(plain::elements_count(p));
    if (random.is(0.3))
      for (double& each : x) each = std::max(each, 0.0);  // equal maxima
    Numbers y = plain::pool(p, x), dy = random.numbers(y.size());
    There there_x(dtype, x), there_y(dtype, y), there_dy(dtype, dy);
    check(dtype, y,
          [&](std::byte* place) { return networks.pool(dtype, p, there_x.start(), place); });
    check(dtype, plain::pool_gradient(p, dy, x), [&](std::byte* place) {
      bool maximum = p.kind == PoolKind::kMaximum;
      return networks.pool_gradient(dtype, p, there_dy.start(), maximum ? there_x.start() : nullptr,
                                    maximum ? there_y.start() : nullptr, place);
    });
  }
}

TEST_CASE("a GPU normalises responses as plain loops do") {
  if (!has_device()) return;
  Networks& networks = bench().networks;
  for (unsigned seed = 0; seed < kTrials; ++seed) {
    Random random(2000 + seed);
    DType dtype = random.dtype();
    ResponseNorm r{random.from(1, 4),         random.from(1, 12),          random.from(1, 30),
                   random.from(1, 7),         random.is(0.5) ? 1e-4 : 0.5, 0.75,
                   random.is(0.5) ? 2.0 : 1.0};
    INFO("seed " << seed);
    Numbers x = random.numbers(plain::at(r.batch * r.channels * r.inner));
    Numbers y = plain::normalize(r, x), dy = random.numbers(y.size());
    There there_x(dtype, x), there_y(dtype, y), there_dy(dtype, dy);
    check(dtype, y, [&](std::byte* place) {
      return networks.normalize_response(dtype, r, there_x.start(), place);
    });
    check(dtype, plain::normalize_gradient(r, dy, x), [&](std::byte* place) {
      return networks.normalize_response_gradient(dtype, r, there_dy.start(), there_x.start(),
                                                  there_y.start(), place);
    });
  }
}

TEST_CASE("a GPU runs LSTMs as plain loops do") {
  if (!has_cudnn()) return;
  Networks& networks = bench().networks;
  for (unsigned seed = 0; seed < kTrials; ++seed) {
    Random random(3000 + seed);
    DType dtype = random.dtype();
    Recurrent r{random.from(1, 8), random.from(1, 9), random.from(1, 20), random.from(1, 24)};
    INFO("seed " << seed << ": " << r.steps << ' ' << r.batch << ' ' << r.inputs << ' '
                 << r.hidden);
    auto states = plain::at(r.batch * r.hidden), gates = plain::at(4 * r.hidden);
    plain::Lstm lstm;
    lstm.sizes = r;
    lstm.x = random.numbers(plain::at(r.steps * r.batch * r.inputs));
    lstm.h = random.numbers(states);
    lstm.c = random.numbers(states);
    lstm.w_x = random.numbers(gates * plain::at(r.inputs), 0.5);
    lstm.w_h = random.numbers(gates * plain::at(r.hidden), 0.5);
    lstm.b = random.numbers(gates);
    lstm.run();
    Numbers dy = random.numbers(lstm.y.size());
    Numbers dh = random.numbers(states), dc = random.numbers(states);
    lstm.differentiate(dy, dh, dc);

    There x(dtype, lstm.x), h(dtype, lstm.h), c(dtype, lstm.c);
    There w_x(dtype, lstm.w_x), w_h(dtype, lstm.w_h), b(dtype, lstm.b);
    RecurrentOperands operands{x.start(),   h.start(),   c.start(),
                               w_x.start(), w_h.start(), b.start()};
    std::int64_t trace_size = networks.trace_size(dtype, r);
    REQUIRE(trace_size >= 0);
    Workspace trace(bench().device, static_cast<std::size_t>(trace_size));
    There last_h(dtype, states), last_c(dtype, states), y(dtype, dy.size());
    check(dtype, lstm.y, [&](std::byte* place) {
      return networks.recur(dtype, r, operands,
                            {place, last_h.start(), last_c.start(), trace.start()});
    });
    CHECK(last_h.error(lstm.last_h) < tolerance(dtype));
    CHECK(last_c.error(lstm.last_c) < tolerance(dtype));
    There there_dy(dtype, dy), there_dh(dtype, dh), there_dc(dtype, dc);
    There dx(dtype, lstm.x.size()), first_h(dtype, states), first_c(dtype, states);
    There dw_x(dtype, lstm.w_x.size()), dw_h(dtype, lstm.w_h.size()), db(dtype, gates);
    REQUIRE(networks.recur(dtype, r, operands,
                           {y.start(), last_h.start(), last_c.start(), trace.start()}));
    REQUIRE(networks.recur_gradient(
        dtype, r, operands,
        {y.start(), trace.start(), there_dy.start(), there_dh.start(), there_dc.start()},
        {dx.start(), first_h.start(), first_c.start(), dw_x.start(), dw_h.start(), db.start()}));
    CHECK(dx.error(lstm.dx) < tolerance(dtype));
    CHECK(first_h.error(lstm.dh) < tolerance(dtype));
    CHECK(first_c.error(lstm.dc) < tolerance(dtype));
    CHECK(dw_x.error(lstm.dw_x) < tolerance(dtype));
    CHECK(dw_h.error(lstm.dw_h) < tolerance(dtype));
    CHECK(db.error(lstm.db) < tolerance(dtype));
  }
}

TEST_CASE("a convolution finds an algorithm that needs little where memory is short") {
  if (!has_cudnn()) return;
  CudaDevice& device = bench().device;
  Convolution c;
  c.batch = 16, c.channels = 64, c.filters = 64;
  c.rows = c.columns = {56, 3, 1, 1, 1, 1};
  Random random(1);
  Numbers w = random.numbers(plain::weights_size(c)), x = random.numbers(plain::images_size(c));
  DType dtype = DType::kFloat32;
  There there_w(dtype, w), there_x(dtype, x), y(dtype, plain::results_size(c));
  There again(dtype, plain::results_size(c));
  bench().networks.convolve(dtype, c, there_x.start(), there_w.start(), nullptr, y.start());
  device.release_cached();
  device.limit_memory(device.memory().used + (4u << 20));
  bool done =
      bench().networks.convolve(dtype, c, there_x.start(), there_w.start(), nullptr, again.start());
  device.limit_memory(0);
  CHECK(done);
  std::vector<std::byte> bytes = y.bytes();
  Numbers wanted(plain::results_size(c));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    float value = 0;
    std::memcpy(&value, &bytes[i * 4], 4);
    wanted[i] = static_cast<double>(value);
  }
  CHECK(again.error(wanted) < tolerance(dtype));
}

TEST_CASE("TF32 is used on request and not otherwise") {
  if (!has_cudnn()) return;
  Convolution c;
  c.batch = 8, c.channels = 64, c.filters = 64;
  c.rows = c.columns = {28, 3, 1, 1, 1, 1};
  Random random(2);
  Numbers w = random.numbers(plain::weights_size(c)), x = random.numbers(plain::images_size(c));
  for (double& each : x) each += 1.0 / 8192;  // what TF32 does not hold
  DType dtype = DType::kFloat32;
  There there_w(dtype, w), there_x(dtype, x), y(dtype, plain::results_size(c));
  Numbers wanted(plain::results_size(c));
  plain::for_products(c, [&](auto i, auto j, auto k) {
    wanted[plain::at(k)] += x[plain::at(i)] * w[plain::at(j)];
  });
  auto error = [&] {
    REQUIRE(
        bench().networks.convolve(dtype, c, there_x.start(), there_w.start(), nullptr, y.start()));
    return y.error(wanted);
  };
  CHECK(error() < tolerance(dtype));
  allow_tf32(true);
  double rough = error();
  allow_tf32(false);
  CHECK(rough < 1e-2);
  MESSAGE("error with TF32: " << rough);
  CHECK(error() < tolerance(dtype));
}
