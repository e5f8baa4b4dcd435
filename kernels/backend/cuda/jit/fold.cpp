// Folds, searches and scans: which kernels are launched, how many threads each result gets, and the
// numbers that place results and elements. Everything that the order of combinations depends on
// follows from extents alone, so that results are the same on every device.
#include <bit>
#include <cstring>

#include "kernels/backend/cuda/jit/fold_places.h"
#include "kernels/backend/cuda/jit/fold_plan.h"
#include "kernels/backend/cuda/jit/fold_text.h"
#include "kernels/backend/cuda/jit/prelude.h"
#include "kernels/backend/cuda/jit/shapes.h"
#include "kernels/backend/cuda/jit/sum_tree.h"

namespace strider::nd::cuda {
namespace {

// Threads that fill any device; fewer results than that are folded in parts.
constexpr std::int64_t kColumnThreads = 1 << 17;
constexpr std::int64_t kColumnsAlone = 1 << 14;
constexpr std::int64_t kShortColumn = 512;
constexpr std::int64_t kFewColumns = 64;  // of which a block folds several parts
constexpr std::int64_t kRowBlocks = 2048;
constexpr std::int64_t kPartElements = 4096;  // of a row, at least
constexpr std::int64_t kSegmentElements = 8192;

// Elements that a lane folds of a row, at least, and lanes that share a row's cache lines. Lanes of
// a warp wait for no others, which is worth more elements.
constexpr std::int64_t kLaneElements = 16, kFewLanes = 8;
constexpr std::int64_t kWarp = 32, kWarpElements = 32 * kWarp;

// Nodes of a sum's tree that a group of lanes takes in a pass, at most.
constexpr std::int64_t kMostNodes = 4;

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::size_t total_size(const LoopFold& fold, bool wide) {
  std::size_t number =
      fold.type == DType::kFloat16 ? 4 : static_cast<std::size_t>(item_size(fold.type));
  if (!has_places(fold)) return number;
  std::size_t place = wide ? 8 : 4, alignment = std::max(place, std::min<std::size_t>(number, 8));
  return (number + place + alignment - 1) / alignment * alignment;
}

// Parts in a slice, as text/sums.h has it. Blocks that only leave parts begin without much ado, so
// that there may be more of them than of those that end rows.
constexpr std::int64_t kSlice = 2048;
constexpr int kPartWaves = 4;

class FoldRender {
 public:
  FoldRender(const Request& request, Rendering* rendering, std::string* text, bool in_pass = false)
      : request_(request),
        fold_(request.loop.folds[0]),
        plan_(request.loop, in_pass),
        wide_(request.layout.wide),
        rendering_(rendering),
        text_(text),
        arguments_(text != nullptr),
        in_pass_(in_pass) {}

  // The fold's arguments; `run` queues the launches with them.
  Arguments prepare() {
    add_body_arguments(request_.loop, request_.layout, request_.conditions, arguments_);
    add_groups();
    const auto& outputs = request_.memory.outputs;
    arguments_.add("char*", "out", outputs.empty() ? nullptr : outputs.back());
    if (!outputs.empty()) arguments_.changes(ChangingField::Kind::kOutput, outputs.size() - 1);
    add_start();
    index("results", plan_.results);
    index("count", plan_.count);
    switch (plan_.shape) {
      case Shape::kRows:
        rows();
        break;
      case Shape::kColumns:
        columns();
        break;
      case Shape::kSums:
        sums();
        break;
      case Shape::kScans:
        scans();
        break;
      case Shape::kShortSums:
        launch("sum_short", plan_.results);
        break;
      case Shape::kShortScans:
        launch("short_scan", plan_.results * 32);
    }
    if (text_) *text_ += fold_text(request_, plan_, arguments_, in_pass_);
    return std::move(arguments_);
  }

  void run() {
    Arguments arguments = prepare();
    std::vector<std::byte> bytes = arguments.take_bytes();
    if (!rendering_ || plan_.results == 0) return;
    for (KernelCall& call : launches_) {
      call.arguments = bytes;
      rendering_->calls.push_back(std::move(call));
    }
    rendering_->changing = arguments.take_changing();
  }

 private:
  void index(std::string_view name, std::int64_t value) {
    arguments_.add_index(name, value, wide_);
  }
  std::byte* take(std::int64_t values) {
    if (!request_.scratch || !rendering_) return nullptr;
    ++taken_;
    return request_.scratch->take(static_cast<std::size_t>(values) * total_size(fold_, wide_));
  }
  // A field for memory that the request of this number, or the last one, has got; null: for none.
  void add_scratch(std::string_view name, std::byte* address, std::size_t request) {
    arguments_.add("char*", name, address);
    if (address) arguments_.changes(ChangingField::Kind::kScratch, request);
  }
  void add_scratch(std::string_view name, std::byte* address) {
    add_scratch(name, address, taken_ - 1);
  }
  void launch(const char* entry, std::int64_t threads) {
    launch(entry, threads, request_.facts.shape.waves_folding);
  }
  void launch(const char* entry, std::int64_t threads, int waves) {
    KernelCall call;
    call.entry = entry;
    call.block[0] = kBlock;
    call.grid[0] = block_count(threads, request_.facts, waves);
    launches_.push_back(std::move(call));
  }

  // Kept groups are "k", folded ones "d"; the outermost needs no division.
  void add_groups() {
    int counts[2] = {};
    for (const AxisGroup& group : plan_.groups) {
      std::string prefix = group.folded ? "d" : "k";
      int number = counts[group.folded]++;
      Divisor divisor = find_divisor(group.extent, wide_);
      arguments_.add_index(prefix + "w", group.points, wide_, number);
      arguments_.add_index(prefix + "e", group.extent, wide_, number);
      arguments_.add_index(prefix + "m", static_cast<std::int64_t>(divisor.factor), wide_, number);
      arguments_.add("unsigned", prefix + "h", divisor.shift, number);
    }
  }

  void add_start() {
    auto size = static_cast<std::size_t>(item_size(fold_.type));
    Scalar start = fold_.start;
    bool no_start = fold_.kind != LoopFold::Kind::kFold || fold_.from_first;
    if (no_start) start = Scalar(std::complex<double>(-0.0, -0.0)).as(fold_.type);
    arguments_.add(type_name(fold_.type), "start", -1, -1, start.data(), size,
                   is_complex(fold_.type) ? size / 2 : size);
  }

  // The launch that joins the parts of results, where there are any.
  void add_parts(std::int64_t parts) {
    auto lanes = std::min(kBlock, std::bit_ceil(static_cast<std::uint32_t>(parts)));
    index("part_count", parts);
    arguments_.add("unsigned", "part_lanes", lanes);
    if (parts > 1) launch("fold_parts", plan_.results * lanes);
  }

  void rows() {
    std::int64_t parts = 1;
    if (plan_.results < kRowBlocks) {
      std::int64_t most = kRowBlocks / std::max<std::int64_t>(1, plan_.results);
      parts = std::clamp<std::int64_t>(plan_.count / kPartElements, 1, most);
    }
    std::int64_t length = divide_up(plan_.count, parts);
    if (length > 0) parts = divide_up(plan_.count, length);
    std::int64_t few = std::min(kFewLanes, length / kFewLanes);
    std::int64_t most = length <= kWarpElements ? kWarp : int{kBlock};
    auto wanted = std::clamp<std::int64_t>(std::max(length / kLaneElements, few), 1, most);
    auto lanes = static_cast<std::uint32_t>(std::bit_ceil(static_cast<std::uint64_t>(wanted)));
    index("tasks", plan_.results * parts);
    index("parts", parts);
    index("length", length);
    index("part_result", parts);
    index("part_step", 1);
    arguments_.add("unsigned", "lanes", lanes);
    add_scratch("scratch", parts > 1 ? take(plan_.results * parts) : nullptr);
    launch(parts > 1 ? "fold_long_rows" : "fold_rows", plan_.results * parts * lanes);
    add_parts(parts);
  }

  void columns() {
    std::int64_t parts = 1;
    // Halves round after each element, which parts of a column would not.
    bool rounds = fold_.type == DType::kFloat16;
    if (plan_.results < kColumnsAlone && plan_.count >= 32 && !rounds) {
      std::int64_t most = kColumnThreads / std::max<std::int64_t>(1, plan_.results);
      parts = std::clamp<std::int64_t>(plan_.count / 8, 1, most);
    }
    bool at_once = parts > 1 && plan_.count <= kShortColumn;
    if (at_once) parts = 1;
    bool few = parts > 1 && plan_.results <= kFewColumns;
    std::int64_t kept = parts;
    if (few) kept = divide_up(parts, int{kBlock} / plan_.results);
    index("tasks", plan_.results * parts);
    index("parts", parts);
    index("length", plan_.count);
    index("part_result", 1);
    index("part_step", plan_.results);
    arguments_.add("unsigned", "lanes", std::uint32_t{1});
    add_scratch("scratch", kept > 1 ? take(plan_.results * kept) : nullptr);
    if (at_once)
      launch("fold_short_columns", divide_up(plan_.results, 32) * kBlock);
    else if (few)
      launch("fold_few_columns", kept * kBlock);
    else
      launch("fold_columns", plan_.results * parts);
    add_parts(kept);
  }

  // The numbers of text/sum.h: lines are rows, or chunks of them, that have a tree of their own.
  void sums() {
    std::int64_t groups = group_count(fold_);
    std::uint32_t levels = level_count(fold_, plan_.chunk);
    std::int64_t nodes = node_count(levels);
    std::int64_t lines = plan_.lines, all = plan_.results * lines;
    bool parts = nodes > groups;
    std::int64_t per_line = parts ? nodes / groups : 1;
    std::int64_t slices = std::max<std::int64_t>(1, per_line / kSlice);
    index("tasks", all * nodes);
    index("row", plan_.row);
    index("lines", lines);
    index("chunks", plan_.chunks);
    index("chunk", plan_.chunk);
    index("nodes", nodes);
    index("per_line", per_line);
    arguments_.add("unsigned", "levels", levels);
    arguments_.add("unsigned", "depth", levels > 0 ? levels - 1 : 0);
    std::byte* first = parts || lines > 1 ? take(all * per_line) : nullptr;
    add_scratch("scratch", first, 0);
    add_scratch("slices", slices > 1 ? take(all * slices) : nullptr);
    bool apart = parts && lines > 1;
    std::byte* second = apart ? take(all) : first;
    add_scratch("sums", second, apart ? taken_ - 1 : 0);
    int waves = request_.facts.shape.waves_folding;
    launch("sum_rows", all * nodes * (kBlock / groups), parts ? kPartWaves * waves : waves);
    if (slices > 1) launch("sum_slices", all * slices * kBlock);
    if (parts) launch("sum_parts", all * kBlock);
    if (lines > 1) launch("sum_lines", plan_.results * 32);
  }

  void scans() {
    std::int64_t parts = 1;
    if (plan_.results < kRowBlocks) {
      std::int64_t most = kRowBlocks / std::max<std::int64_t>(1, plan_.results);
      parts = std::clamp<std::int64_t>(plan_.count / kSegmentElements, 1, most);
    }
    std::int64_t length = divide_up(plan_.count, parts);
    if (length > 0) parts = divide_up(plan_.count, length);
    index("tasks", plan_.results * parts);
    index("parts", parts);
    index("length", length);
    add_scratch("scratch", parts > 1 ? take(plan_.results * parts) : nullptr);
    if (parts > 1) {
      launch("scan_totals", plan_.results * parts * kBlock);
      launch("scan_carries", plan_.results);
    }
    launch("scan_rows", plan_.results * parts * kBlock);
  }

  const Request& request_;
  const LoopFold& fold_;
  FoldPlan plan_;
  bool wide_;
  Rendering* rendering_;
  std::string* text_;
  Arguments arguments_;
  std::vector<KernelCall> launches_;
  bool in_pass_;
  std::size_t taken_ = 0;  // requests for memory in between
};

}  // namespace

void render_fold(const Request& request, Rendering* rendering, std::string* text) {
  FoldRender(request, rendering, text).run();
}

bool folds_rows(const FusedLoop& loop, std::int64_t rows, std::int64_t team) {
  FoldPlan plan(loop, true);
  if (plan.results != rows || plan.count == 0) return false;
  const LoopFold& fold = loop.folds[0];
  if (plan.shape == Shape::kSums) {
    std::int64_t groups = team * group_count(fold) / int{kBlock};
    return plan.lines == 1 && node_count(level_count(fold, plan.chunk)) <= kMostNodes * groups;
  }
  return plan.shape == Shape::kRows;
}

bool adds_along_rows(const FusedLoop& loop) {
  return !loop.folds.empty() && FoldPlan(loop, true).shape == Shape::kSums;
}

Arguments render_fold_of_row(const Request& request, std::string* text) {
  return FoldRender(request, nullptr, text, true).prepare();
}

void append_fold_key(const FusedLoop& loop, const LoopLayout& layout, bool in_pass,
                     std::string& key) {
  const LoopFold& fold = loop.folds[0];
  FoldPlan plan(loop, in_pass);
  int folded = 0;
  for (const AxisGroup& group : plan.groups) folded += group.folded;
  key += static_cast<char>(plan.shape);
  key += "fxn"[static_cast<int>(fold.kind)];
  key += fold.from_first ? '1' : '0';
  if (plan.shape == Shape::kSums && plan.lines > 1) key += 'l';
  key += facts(fold.type).code;
  for (int number : {static_cast<int>(fold.op), static_cast<int>(fold.value), folded,
                     static_cast<int>(plan.groups.size()), folded_axis(plan, layout)}) {
    key += std::to_string(number);
    key += ',';
  }
}

}  // namespace strider::nd::cuda
