// Maps: threads take points in the order of the loop, so that neighbouring threads touch
// neighbouring elements.
#include "kernels/backend/cuda/jit/prelude.h"
#include "kernels/backend/cuda/jit/shapes.h"

namespace strider::nd::cuda {
namespace {

// Work of a point (work_of) that is much, bytes of a point that leave registers for it, and threads
// of a processor that share such work.
constexpr int kMuchWork = 64, kFewBytes = 48, kThreads = 1024;

constexpr std::string_view kOpening = R"(
extern "C" __global__ void __launch_bounds__(BOUNDS)
map(const __grid_constant__ Arguments a) {
  Seen seen;
  const Index threads = static_cast<Index>(gridDim.x) * blockDim.x;
  const Index thread = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
  Inputs still;
  read_still(a, Place{}, still);
)";

// The blocks of a map follow those of the one before.
constexpr std::string_view kOpeningOfMany = R"(
struct Maps {
  unsigned ends[COUNT];
  Arguments each[COUNT];
};
extern "C" __global__ void __launch_bounds__(BOUNDS)
maps(const __grid_constant__ Maps all) {
  unsigned begin = 0, mine = 0;
  for (; blockIdx.x >= all.ends[mine]; ++mine) begin = all.ends[mine];
  const Arguments& a = all.each[mine];
  Seen seen;
  const Index threads = static_cast<Index>(all.ends[mine] - begin) * blockDim.x;
  const Index thread = static_cast<Index>(blockIdx.x - begin) * blockDim.x + threadIdx.x;
  Inputs still;
  read_still(a, Place{}, still);
)";

constexpr std::string_view kOne = R"(
  for (Index i = thread; i < a.points; i += threads) {
    const Place p = place(a, i);
    Inputs x = still;
    read(a, p, x);
    bool odd = false;
    Outputs r = compute(a, x, odd);
    settle(a, p, odd, r);
    write(a, p, r);
  }
)";

constexpr std::string_view kApart = R"(
  for (Index i = 2 * thread - threadIdx.x; i < a.points; i += 2 * threads) {
    const bool both = i + blockDim.x < a.points;
    const Place p = place(a, i), q = place(a, both ? i + blockDim.x : i);
    Inputs x = still, y = still;
    read(a, p, x);
    read(a, q, y);
    bool odd = false;
    Outputs r = compute(a, x, odd), s = compute(a, y, odd);
    settle(a, p, odd, r);
    settle(a, q, odd, s);
    write(a, p, r);
    if (both) write(a, q, s);
  }
)";

// Two lines of a band at a time.
constexpr std::string_view kBands = R"(
  for (Index tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
    const Index band = tile / a.strips;
    const Index column = (tile - band * a.strips) * blockDim.x + threadIdx.x;
    if (column >= a.columns) continue;
    const Index begin = band * BANDLINES, after = begin + BANDLINES;
    const Index end = after < a.lines ? after : a.lines;
    for (Index line = begin; line < end; line += 2) {
      const bool both = line + 1 < end;
      const Place p = place(a, line * a.columns + column);
      const Place q = place(a, (both ? line + 1 : line) * a.columns + column);
      Inputs x = still, y = still;
      read(a, p, x);
      read(a, q, y);
      bool odd = false;
      Outputs r = compute(a, x, odd), s = compute(a, y, odd);
      settle(a, p, odd, r);
      settle(a, q, odd, s);
      write(a, p, r);
      if (both) write(a, q, s);
    }
  }
)";

// Some points of a row at a time, all of them read before the first is computed, by all lanes
// together; then the rest, with those that there are not computed as the first: rows that few lanes
// share may have no more than one. The functions that a thread moves one point with, or two
// neighbours.
constexpr std::string_view kRow = R"(
inline constexpr int kApart = kWidth * kStep, kTogether = kPoints / kWidth;
template <unsigned kCount, bool kWhole>
inline void run_some(const Arguments& a, const Inputs& still, Index row, int first, int count) {
  const int left = count - first;
  const auto has = [&](int i) { return kWhole || i == 0 || i * kApart < left; };
  Some some[kCount];
#pragma unroll
  for (int i = 0; i < int(kCount); ++i) {
    if (i > 0) some[i] = some[0];
    if (has(i)) some[i].take(a, still, place(a, row_point(a, row, first + i * kApart)));
  }
  bool odd = false;
#pragma unroll
  for (int i = 0; i < int(kCount); ++i) some[i].find(a, odd);
  if (odd) {
#pragma unroll
    for (int i = 0; i < int(kCount); ++i) {
      if (has(i)) some[i].check(a);
    }
  }
#pragma unroll
  for (int i = 0; i < int(kCount); ++i) {
    if (has(i)) some[i].put(a);
  }
}
struct Standing {};
inline Standing stand(const Arguments&) { return {}; }
inline void run_row(const Arguments& a, Index row, bool active, Standing, Seen&) {
  constexpr int kRest = kTeam > 8 ? kTogether : 1;
  const int count = active ? a.row_points : 0, mine = kWidth * team_lane();
  Inputs still;
  read_still(a, place(a, row_point(a, row, 0)), still);
  int first = 0;
#pragma unroll 1
  for (; first + kTogether * kApart <= count; first += kTogether * kApart) {
    run_some<kTogether, true>(a, still, row, first + mine, count);
  }
#pragma unroll 1
  for (; first + mine < count; first += kRest * kApart) {
    run_some<kRest, kRest == 1>(a, still, row, first + mine, count);
  }
}
)";

constexpr std::string_view kOneOfRow = R"(
inline constexpr int kWidth = 1;
struct Some {
  Place p;
  Inputs x;
  Outputs r;
  inline void take(const Arguments& a, const Inputs& still, Place place) {
    p = place;
    x = still;
    read(a, p, x);
  }
  inline void find(const Arguments& a, bool& odd) { r = compute(a, x, odd); }
  inline void check(const Arguments& a) { settle(a, p, true, r); }
  inline void put(const Arguments& a) { write(a, p, r); }
};
)";

std::string pairs_text(int rank) {
  return R"(
inline constexpr int kWidth = 2;
struct Some {
  Place p, q;
  Inputs x, y;
  Outputs r, s;
  inline void take(const Arguments& a, const Inputs& still, Place place) {
    p = q = place;
    q.at)" +
         std::to_string(rank - 1) + R"( += 1;
    x = y = still;
    read_pair(a, p, q, x, y);
  }
  inline void find(const Arguments& a, bool& odd) {
    r = compute(a, x, odd);
    s = compute(a, y, odd);
  }
  inline void check(const Arguments& a) {
    settle(a, p, true, r);
    settle(a, q, true, s);
  }
  inline void put(const Arguments& a) { write_pair(a, p, q, r, s); }
};
)";
}

// Points of a row that a thread has under way, in no more registers than leave room for others.
int points_together(const FusedLoop& loop) {
  int widest = 1;
  for (const Step& step : loop.steps) {
    widest = std::max(widest, static_cast<int>(item_size(step.result)));
  }
  constexpr std::size_t kFewSteps = 4;
  return widest > 8 ? 2 : widest == 8 || loop.steps.size() > kFewSteps ? 4 : 8;
}

std::string with_number(std::string_view template_text, const std::string& name,
                        std::size_t number) {
  std::string text(template_text);
  for (std::size_t at; (at = text.find(name)) != text.npos;) {
    text.replace(at, name.size(), std::to_string(number));
  }
  return text;
}

// How threads share a map whose points take much work.
struct Crowd {
  // Of a processor, whose registers it must have room for, so that some compute while others wait
  // for memory; 0: what few registers leave room for.
  int threads = 0;
  int pairs = 1;  // of neighbours that a thread computes at once
};
Crowd find_crowd(const Request& request) {
  const LoopLayout& layout = request.layout;
  if (layout.grouping != Grouping::kPair || work_of(request.loop) < kMuchWork) return {};
  int bytes = 0, widest = 0;
  for (const auto* list : {&layout.inputs, &layout.outputs}) {
    for (const Operand& operand : *list) {
      if (operand.steps == Steps::kScalar || operand.steps == Steps::kRange) continue;
      bytes += item_size(operand.dtype);
    }
  }
  for (const Step& step : request.loop.steps) {
    widest = std::max(widest, static_cast<int>(item_size(step.result)));
  }
  if (widest > 8 || bytes > kFewBytes) return {};
  return {kThreads, widest == 8 ? 1 : 2};
}

std::string opening_text(const Request& request) {
  const LaunchShape& shape = request.facts.shape;
  bool many = request.maps > 1;
  std::string text = with_number(many ? kOpeningOfMany : kOpening, "COUNT", request.maps);
  std::string bounds = "256";
  if (shape.resident) {
    bounds += ", " + std::to_string(shape.resident);
  } else if (int threads = find_crowd(request).threads) {
    bounds = std::to_string(shape.threads) + ", " +
             std::to_string(static_cast<std::uint32_t>(threads) / shape.threads);
  }
  return text.replace(text.find("BOUNDS"), 6, bounds);
}

// The first pair of some is there, and stands for those that are not. A last point without a
// neighbour is computed as one that is odd.
constexpr std::string_view kNeighbours = R"(
  constexpr Index kBlockPoints = 2 * THREADS;
  const Index end = a.points / 2 * 2, step = PAIRS * 2 * threads;
  if (end < a.points && thread == threads - 1) write(a, place(a, end), check(a, place(a, end)));
  for (Index i = PAIRS * 2 * (thread - threadIdx.x) + 2 * threadIdx.x; i < end; i += step) {
    const auto has = [&](unsigned k) { return k == 0 || i + k * kBlockPoints < end; };
    Some some[PAIRS];
#pragma unroll
    for (unsigned k = 0; k < PAIRS; ++k) {
      some[k].take(a, still, place(a, has(k) ? i + k * kBlockPoints : i));
    }
    bool odd = false;
#pragma unroll
    for (unsigned k = 0; k < PAIRS; ++k) some[k].find(a, odd);
    if (odd) {
#pragma unroll
      for (unsigned k = 0; k < PAIRS; ++k) some[k].check(a);
    }
#pragma unroll
    for (unsigned k = 0; k < PAIRS; ++k) {
      if (has(k)) some[k].put(a);
    }
  }
)";

// Threads go along the cross axis while they fill a tile, and along the innermost one while they
// compute. All of a tile is read before any of it is written.
std::string tiles_text(const LoopLayout& layout) {
  std::string inner = std::to_string(layout.rank() - 1), cross = std::to_string(layout.cross);
  std::string text = R"(
  const unsigned x = threadIdx.x % 32, y = threadIdx.x / 32;
)",
              fill, take;
  for (std::size_t i = 0; i < layout.inputs.size(); ++i) {
    if (layout.inputs[i].steps != Steps::kTurned) continue;
    std::string n = std::to_string(i), type(type_name(layout.inputs[i].dtype));
    text += "  alignas(16) __shared__ char bytes" + n + "[32 * 33 * sizeof(" + type + ")];\n  " +
            type + "* tile" + n + " = reinterpret_cast<" + type + "*>(bytes" + n + ");\n";
    fill += "      tile" + n + "[33 * i + x] = turned" + n + "(a, p);\n";
    take += "      in.v" + n + " = tile" + n + "[33 * x + i];\n";
  }
  text += R"(  for (Index tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
    Index rest = tile / a.inner_tiles, part;
    const Index inner = 32 * (tile - rest * a.inner_tiles);
    part = rest / a.cross_tiles;
    const Index cross = 32 * (rest - part * a.cross_tiles);
    rest = part;
    Place p;
)";
  for (int axis = layout.rank() - 2; axis >= 0; --axis) {
    if (axis == layout.cross) continue;
    std::string k = std::to_string(axis);
    text += "    part = rest / a.x" + k + ";\n    p.at" + k + " = rest - part * a.x" + k +
            ";\n    rest = part;\n";
  }
  std::string end = "a.x" + std::to_string(layout.rank() - 1);
  return text + R"(    __syncthreads();
#pragma unroll
    for (unsigned i = y; i < 32; i += 8) {
      p.at)" +
         cross + " = cross + x;\n      p.at" + inner + " = inner + i;\n      if (cross + x >= a.x" +
         cross + " || inner + i >= " + end + ") continue;\n" + fill + R"(    }
    __syncthreads();
    for (unsigned i = y; i < 32; i += 8) {
      p.at)" +
         cross + " = cross + i;\n      p.at" + inner + " = inner + x;\n      if (cross + i >= a.x" +
         cross + " || inner + x >= " + end +
         ") continue;\n      Inputs in = still;\n      read(a, p, in);\n" + take +
         "      bool odd = false;\n      Outputs r = compute(a, in, odd);\n"
         "      settle(a, p, odd, r);\n      write(a, p, r);\n    }\n  }\n";
}

// The numbers of bands and of their pieces, each as wide as a block.
std::int64_t add_bands(const LoopLayout& layout, Arguments& arguments) {
  std::int64_t columns = layout.extents.back(), lines = layout.points / columns;
  std::int64_t strips = (columns + kBlock - 1) / kBlock;
  std::int64_t tiles = (lines + kBandLines - 1) / kBandLines * strips;
  arguments.add_index("columns", columns, layout.wide);
  arguments.add_index("lines", lines, layout.wide);
  arguments.add_index("strips", strips, layout.wide);
  arguments.add_index("tiles", tiles, layout.wide);
  return tiles;
}

// The numbers of tiles, and all extents.
std::int64_t add_tiles(const LoopLayout& layout, Arguments& arguments) {
  int inner = layout.rank() - 1;
  std::int64_t along = (layout.extents[inner] + kTileSide - 1) / kTileSide;
  std::int64_t across = (layout.extents[layout.cross] + kTileSide - 1) / kTileSide;
  std::int64_t tiles = along * across;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    if (axis != inner && axis != layout.cross) tiles *= layout.extents[axis];
    arguments.add_index("x", layout.extents[axis], layout.wide, axis);
  }
  arguments.add_index("tiles", tiles, layout.wide);
  arguments.add_index("inner_tiles", along, layout.wide);
  arguments.add_index("cross_tiles", across, layout.wide);
  return tiles;
}

}  // namespace

Arguments render_map_of_row(const Request& request, std::int64_t rows, std::string* text) {
  const LoopLayout& layout = request.layout;
  Arguments arguments(text != nullptr);
  add_body_arguments(request.loop, layout, request.conditions, arguments);
  arguments.add_index("row_points", layout.points / rows, layout.wide);
  if (text) {
    *text += arguments.text();
    *text += body_text(request.loop, layout, request.conditions != nullptr);
    *text += "inline Point row_point(const Arguments& a, Index row, int at) {\n  return ";
    *text += layout.rows > 1 ? "{row, at};\n}\n" : "row * a.row_points + at;\n}\n";
    bool pairs = layout.grouping == Grouping::kPair;
    *text +=
        "inline constexpr int kPoints = " + std::to_string(points_together(request.loop)) + ";\n";
    *text += pairs ? pairs_text(layout.rank()) : std::string(kOneOfRow);
    *text += kRow;
  }
  return arguments;
}

void render_map(const Request& request, Rendering* rendering, std::string* text) {
  const LoopLayout& layout = request.layout;
  if (layout.grouping == Grouping::kMarch) return render_march(request, rendering, text);
  Arguments arguments(text != nullptr);
  add_body_arguments(request.loop, layout, request.conditions, arguments);
  const Crowd crowd = find_crowd(request);
  bool bands = layout.grouping == Grouping::kBands;
  bool tiled = layout.grouping == Grouping::kTiles || bands;
  std::int64_t tiles = bands   ? add_bands(layout, arguments)
                       : tiled ? add_tiles(layout, arguments)
                               : 0;
  if (text) {
    *text += arguments.text();
    *text += body_text(request.loop, layout, request.conditions != nullptr);
    if (layout.grouping == Grouping::kPair) *text += pairs_text(layout.rank());
    *text += opening_text(request);
    switch (layout.grouping) {
      case Grouping::kOne:
        *text += kOne;
        break;
      case Grouping::kApart:
        *text += kApart;
        break;
      case Grouping::kPair:
        *text += with_number(with_number(kNeighbours, "THREADS", request.facts.shape.threads),
                             "PAIRS", static_cast<std::size_t>(crowd.pairs));
        break;
      case Grouping::kTiles:
        *text += tiles_text(layout);
        break;
      case Grouping::kBands:
        *text += with_number(kBands, "BANDLINES", kBandLines);
        break;
      case Grouping::kMarch:
        break;
    }
    *text += "  report(a, seen);\n}\n";
  }
  if (!rendering || layout.points == 0) return;
  bool single = layout.grouping == Grouping::kOne;
  std::int64_t threads = tiled    ? tiles * int{kBlock}
                         : single ? layout.points
                                  : (layout.points + 2 * crowd.pairs - 1) / (2 * crowd.pairs);
  KernelCall call;
  call.entry = "map";
  const LaunchShape& shape = request.facts.shape;
  call.block[0] = tiled ? kBlock : shape.threads;
  int waves = crowd.threads        ? shape.waves_heavy / crowd.pairs
              : request.conditions ? shape.waves_watched
                                   : shape.waves;
  call.grid[0] = block_count(threads, request.facts, waves, call.block[0]);
  call.arguments = arguments.take_bytes();
  rendering->calls.push_back(std::move(call));
  rendering->changing = arguments.take_changing();
}

}  // namespace strider::nd::cuda
