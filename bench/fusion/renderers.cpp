// The renderers of fused loops side by side on one thread: nanoseconds per element by tiles and by
// assembled code, and the microseconds that assembling takes. Best of many runs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include "kernels/backend/backend.h"
#include "kernels/backend/cpu/assembler/assembled.h"
#include "kernels/backend/cpu/fused/program.h"

using namespace strider::nd;

namespace {

// Builds loops step by step.
struct Builder {
  FusedLoop loop;
  std::vector<std::uint16_t> wanted;
  std::vector<Scalar> scalars;  // the last inputs
  int inputs = 0;

  explicit Builder(DType dtype, int arrays, const std::vector<double>& numbers) {
    for (int i = 0; i < arrays; ++i) loop.inputs.emplace_back().dtype = dtype;
    for (double value : numbers) {
      LoopInput& input = loop.inputs.emplace_back();
      input.kind = LoopInput::Kind::kScalar;
      input.dtype = dtype;
      scalars.push_back(Scalar(value).as(dtype));
    }
  }
  std::uint16_t operator()(Op op, std::uint16_t a, std::uint16_t b = 0xffff) {
    Step step;
    step.op = op;
    step.count = static_cast<std::uint8_t>(facts(op).inputs);
    step.arguments[0] = a;
    step.arguments[1] = b;
    for (int k = 0; k < step.count; ++k) step.types[k] = loop.type_of(a);
    step.result = facts(op).result == '?' ? DType::kBool : step.types[0];
    step.watched = 11;
    return add(step);
  }
  std::uint16_t select(std::uint16_t c, std::uint16_t a, std::uint16_t b) {
    Step step;
    step.kind = Step::Kind::kSelect;
    step.count = 3;
    step.types[0] = DType::kBool;
    step.types[1] = step.types[2] = step.result = loop.type_of(a);
    step.arguments[0] = c;
    step.arguments[1] = a;
    step.arguments[2] = b;
    return add(step);
  }
  std::uint16_t add(const Step& step) {
    loop.steps.push_back(step);
    return static_cast<std::uint16_t>(loop.inputs.size() + loop.steps.size() - 1);
  }
};

Builder sum(DType dtype) {
  Builder b(dtype, 2, {});
  b.wanted = {b(Op::kAdd, 0, 1)};
  return b;
}

Builder quad(DType dtype) {  // x*x + 2*x*y + y*y
  Builder b(dtype, 2, {2.0});
  auto middle = b(Op::kMultiply, b(Op::kMultiply, 2, 0), 1);
  auto sum = b(Op::kAdd, b(Op::kMultiply, 0, 0), middle);
  b.wanted = {b(Op::kAdd, sum, b(Op::kMultiply, 1, 1))};
  return b;
}

Builder choice(DType dtype) {  // where(x > y, x - 1, minimum(y, 0.5))
  Builder b(dtype, 2, {1.0, 0.5});
  auto greater = b(Op::kGreater, 0, 1);
  b.wanted = {b.select(greater, b(Op::kSubtract, 0, 2), b(Op::kMinimum, 1, 3))};
  return b;
}

Builder black_scholes(
    DType dtype) {  // the call's price, with the polynomial of the normal integral
  Builder b(dtype, 3,
            {0.05, 0.3, 0.095, 1.0, 0.2316419, 1.330274429, -1.821255978, 1.781477937, -0.356563782,
             0.319381530, 0.3989422804, -0.5, 0.0, -0.05});
  auto normal = [&](std::uint16_t d) {
    auto q = b(Op::kDivide, 6, b(Op::kAdd, 6, b(Op::kMultiply, 7, b(Op::kAbsolute, d))));
    auto p = b(Op::kMultiply, q, 8);
    for (std::uint16_t k = 9; k <= 12; ++k) p = b(Op::kMultiply, q, b(Op::kAdd, k, p));
    auto e = b(Op::kExp, b(Op::kMultiply, b(Op::kMultiply, 14, d), d));
    auto c = b(Op::kSubtract, 6, b(Op::kMultiply, b(Op::kMultiply, 13, e), p));
    return b.select(b(Op::kLess, d, 15), b(Op::kSubtract, 6, c), c);
  };
  auto spread = b(Op::kMultiply, 4, b(Op::kSqrt, 2));
  auto drift = b(Op::kAdd, b(Op::kLog, b(Op::kDivide, 0, 1)), b(Op::kMultiply, 5, 2));
  auto d1 = b(Op::kDivide, drift, spread);
  auto d2 = b(Op::kSubtract, d1, spread);
  auto now = b(Op::kMultiply, 0, normal(d1));
  auto later =
      b(Op::kMultiply, b(Op::kMultiply, 1, b(Op::kExp, b(Op::kMultiply, 16, 2))), normal(d2));
  b.wanted = {b(Op::kSubtract, now, later)};
  return b;
}

double best_seconds(std::int64_t count, const std::function<void()>& run) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  std::int64_t inner = std::max<std::int64_t>(1, 20000 / count);
  std::int64_t repeats = std::clamp<std::int64_t>(40'000'000 / count, 5, 400);
  for (std::int64_t i = 0; i < repeats; ++i) {
    auto start = Clock::now();
    for (std::int64_t k = 0; k < inner; ++k) run();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() /
                              static_cast<double>(inner));
  }
  return best;
}

void measure(const char* title, const Builder& built) {
  const FusedLoop& loop = built.loop;
  std::vector<bool> still;
  for (const LoopInput& input : loop.inputs) {
    still.push_back(input.kind == LoopInput::Kind::kScalar);
  }
  double compile =
      best_seconds(20000, [&] { Assembled::make(loop, built.wanted, still, best_target()); });
  std::printf("%s: %zu steps, assembled in %.1f us\n", title, loop.steps.size(), compile * 1e6);
  auto code = Assembled::make(loop, built.wanted, still, best_target());
  if (!code) return;
  auto streaming = Assembled::make(loop, built.wanted, still, best_target(), Stores::kPastCaches);
  TileProgram tiles(loop, built.wanted);
  std::vector<std::byte> scratch(tiles.scratch_bytes() + 64);
  DType dtype = loop.type_of(built.wanted[0]);
  int size = item_size(dtype);
  for (std::int64_t count : {1000, 10000, 100000, 1000000, 10000000}) {
    std::vector<std::vector<std::byte>> memory;
    for (std::size_t i = 0; i <= loop.inputs.size(); ++i) {
      bool scalar = i < still.size() && still[i];
      memory.emplace_back(static_cast<std::size_t>((scalar ? kTile : count) * size) + 128);
      for (std::int64_t k = 0; k < (scalar ? kTile : count); ++k) {
        Scalar value = scalar ? built.scalars[i + built.scalars.size() - loop.inputs.size()]
                              : Scalar(0.5 + static_cast<double>((k * 7 + 3) % 1000) / 1000);
        std::copy_n(static_cast<const std::byte*>(value.as(dtype).data()), size,
                    memory[i].data() + k * size);
      }
    }
    std::byte* result = memory.back().data();
    result += -reinterpret_cast<std::uintptr_t>(result) % 64;
    auto run =
        [&](std::int64_t span,
            const std::function<void(const std::byte* const*, std::byte* const*, std::int64_t)>&
                render) {
          for (std::int64_t begin = 0; begin < count; begin += span) {
            std::vector<const std::byte*> from;
            for (std::size_t i = 0; i < still.size(); ++i) {
              from.push_back(memory[i].data() + (still[i] ? 0 : begin * size));
            }
            std::byte* to[1] = {result + begin * size};
            render(from.data(), to, std::min(span, count - begin));
          }
        };
    double by_tiles = best_seconds(count, [&] {
      run(kTile, [&](auto from, auto to, std::int64_t part) {
        tiles.run(from, to, part, scratch.data(), nullptr);
      });
    });
    double by_code = best_seconds(count, [&] {
      run(1 << 14, [&](auto from, auto to, std::int64_t part) { code->run(from, to, part, true); });
    });
    double by_streams = count < 1000000 ? 0 : best_seconds(count, [&] {
      run(1 << 14,
          [&](auto from, auto to, std::int64_t part) { streaming->run(from, to, part, true); });
    });
    double scale = 1e9 / static_cast<double>(count);
    std::printf("  %9lld  tiles %7.3f  assembled %7.3f  %5.2fx", static_cast<long long>(count),
                by_tiles * scale, by_code * scale, by_tiles / by_code);
    if (by_streams > 0) std::printf("  past the caches %7.3f", by_streams * scale);
    std::printf("\n");
  }
}

}  // namespace

int main() {
  measure("x + y float64", sum(DType::kFloat64));
  measure("x*x + 2*x*y + y*y float64", quad(DType::kFloat64));
  measure("x*x + 2*x*y + y*y float32", quad(DType::kFloat32));
  measure("where(x > y, x - 1, minimum(y, 0.5)) float64", choice(DType::kFloat64));
  measure("Black-Scholes (polynomial) float64", black_scholes(DType::kFloat64));
  measure("Black-Scholes (polynomial) float32", black_scholes(DType::kFloat32));
}
