// Maps: threads take points in the order of the loop, so that neighbouring threads touch
// neighbouring elements.
#include "kernels/backend/cuda/jit/shapes.h"

namespace strider::nd::cuda {
namespace {

// Full loads of the device after which threads take further points; conditions are told once a
// thread, so that few threads are better where somebody listens.
constexpr int kWaves = 64;
constexpr int kWavesWatched = 4;

constexpr std::string_view kOpening = R"(
extern "C" __global__ void __launch_bounds__(256)
map(const __grid_constant__ Arguments a) {
  Seen seen;
  const Index threads = static_cast<Index>(gridDim.x) * blockDim.x;
  const Index thread = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
)";

constexpr std::string_view kOne = R"(
  for (Index i = thread; i < a.points; i += threads) {
    const Place p = place(a, i);
    Inputs x;
    read(a, p, x);
    write(a, p, compute(x, seen));
  }
)";

constexpr std::string_view kApart = R"(
  for (Index i = 2 * thread - threadIdx.x; i < a.points; i += 2 * threads) {
    const bool both = i + blockDim.x < a.points;
    const Place p = place(a, i), q = place(a, both ? i + blockDim.x : i);
    Inputs x, y;
    read(a, p, x);
    read(a, q, y);
    const Outputs r = compute(x, seen), s = compute(y, seen);
    write(a, p, r);
    if (both) write(a, q, s);
  }
)";

std::string pair_text(int rank) {
  std::string last = std::to_string(rank - 1);
  return R"(
  for (Index i = 2 * thread; i < a.points; i += 2 * threads) {
    const bool both = i + 1 < a.points;
    const Place p = place(a, i);
    Place q = p;
    q.at)" +
         last + R"( += 1;
    Inputs x, y;
    if (both) {
      read_pair(a, p, q, x, y);
    } else {
      read(a, p, x);
      y = x;
    }
    const Outputs r = compute(x, seen), s = compute(y, seen);
    if (both)
      write_pair(a, p, q, r, s);
    else
      write(a, p, r);
  }
)";
}

}  // namespace

void render_map(const Request& request, std::vector<KernelCall>* calls, std::string* text) {
  const LoopLayout& layout = request.layout;
  Arguments arguments(text != nullptr);
  add_body_arguments(request.loop, layout, request.conditions, arguments);
  if (text) {
    *text += arguments.text();
    *text += body_text(request.loop, layout, request.conditions != nullptr);
    *text += kOpening;
    switch (layout.grouping) {
      case Grouping::kOne:
        *text += kOne;
        break;
      case Grouping::kApart:
        *text += kApart;
        break;
      case Grouping::kPair:
        *text += pair_text(layout.rank());
    }
    *text += "  report(a, seen);\n}\n";
  }
  if (!calls || layout.points == 0) return;
  std::int64_t threads =
      layout.grouping == Grouping::kOne ? layout.points : (layout.points + 1) / 2;
  KernelCall call;
  call.entry = "map";
  call.block[0] = kBlock;
  call.grid[0] = block_count(threads, request.facts, request.conditions ? kWavesWatched : kWaves);
  call.arguments = arguments.take_bytes();
  calls->push_back(std::move(call));
}

}  // namespace strider::nd::cuda
