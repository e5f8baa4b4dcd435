// Passes: the loops' texts stand in namespaces of their own, and one kernel runs them for a row, by
// a team of threads as large as the row needs: some lanes of a warp, or a block. Rows that several
// loops touch are kept in shared memory meanwhile.
#include <bit>

#include "kernels/backend/cuda/jit/kept_rows.h"
#include "kernels/backend/cuda/jit/prelude.h"
#include "kernels/backend/cuda/jit/shapes.h"
#include "kernels/backend/cuda/jit/texts.h"

namespace strider::nd::cuda {
namespace {

constexpr std::size_t kMostArguments = 4000;  // bytes that any device takes
// Rows that a team runs, and those of which it runs any number.
constexpr std::int64_t kLongRow = 16384, kShortRow = 1024, kFewRows = 64;
// Shorter rows leave lanes without elements, which only few points make up for.
constexpr std::int64_t kTinyRow = 16, kFewPoints = 1 << 20;
// Elements of a lane, so that its work is long beside what lanes tell each other.
constexpr std::int64_t kLaneElements = 32, kWideLaneElements = 16;
constexpr std::int64_t kLeastTeam = 8, kWarp = 32;
// Threads whose registers a processor must have room for.
constexpr std::int64_t kThreadsAtOnce = 1024;
// Full loads of the device that leave blocks enough to take turns.
constexpr int kEnoughWaves = 4;
// Shared memory for kept rows, so that a processor has room for several blocks, and what kernels
// take of it besides.
constexpr std::int64_t kMostKept = 64 << 10, kOtherShared = 16 << 10;

// The elements of the longest row, and the bytes of the widest value.
struct Sizes {
  std::int64_t longest = 0, widest = 1;

  Sizes(std::span<const PassLoop> pass, std::int64_t rows) {
    auto widen = [&](DType dtype) { widest = std::max<std::int64_t>(widest, item_size(dtype)); };
    for (const PassLoop& each : pass) {
      longest = std::max(longest, each.loop->point_count() / rows);
      for (const LoopInput& input : each.loop->inputs) {
        if (input.kind == LoopInput::Kind::kMemory) widen(input.dtype);
      }
      for (const Step& step : each.loop->steps) widen(step.result);
    }
  }
};

// The threads of a row, a power of two, and those of a block.
struct Teams {
  std::int64_t size, block;

  explicit Teams(const Sizes& sizes) {
    std::int64_t each = sizes.widest < 8 ? kLaneElements : kWideLaneElements;
    auto wanted = static_cast<std::uint64_t>((sizes.longest + each - 1) / each);
    size = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::bit_ceil(wanted)), kLeastTeam,
                                    kBlock);
    block = size > kWarp ? size : int{kBlock};
  }
  std::int64_t count() const { return block / size; }
};

bool fits(std::span<const PassLoop> pass, std::int64_t rows) {
  if (rows < 2 || pass.size() < 2) return false;
  Sizes sizes(pass, rows);
  Teams teams(sizes);
  if (sizes.longest > (rows < kFewRows ? kShortRow : kLongRow)) return false;
  if (sizes.longest < kTinyRow && sizes.longest * rows > kFewPoints) return false;
  for (const PassLoop& each : pass) {
    std::int64_t points = each.loop->point_count();
    if (points == 0 || points % rows != 0) return false;
    if (!each.loop->folds.empty() && !folds_rows(*each.loop, rows, teams.size)) return false;
  }
  return true;
}

struct Prepared {
  std::vector<Request> requests;
  Teams teams;
  KeptRows kept;
};

Prepared prepare(std::span<const PassLoop> pass, std::int64_t rows, const DeviceFacts& facts) {
  Teams teams{Sizes(pass, rows)};
  std::vector<Request> requests;
  bool wide = false;
  for (const PassLoop& each : pass) {
    LoopLayout layout(*each.loop, *each.memory, facts.shape.work_alone, 0, rows);
    bool even = layout.points / rows % 2 == 0;
    if (layout.grouping != Grouping::kPair || !even) layout.separate();
    wide |= layout.wide;
    std::uint32_t* conditions = watches(*each.loop) ? each.conditions : nullptr;
    requests.push_back({*each.loop, *each.memory, conditions, facts, nullptr, std::move(layout)});
  }
  for (Request& request : requests) request.layout.wide = wide;
  std::int64_t room = static_cast<std::int64_t>(facts.shared_bytes) - kOtherShared;
  KeptRows kept = keep_rows(requests, std::min(kMostKept, room) / teams.count(), teams.size);
  return {std::move(requests), teams, std::move(kept)};
}

// Blocks of a pass. What stands for all rows of a sum takes a block some time to find, so it runs a
// row for each sum, where there are rows enough.
std::uint32_t blocks_of(const Prepared& prepared, std::int64_t rows, const DeviceFacts& facts) {
  const Teams& teams = prepared.teams;
  std::int64_t threads = rows * teams.size, sums = 0;
  auto blocks = [&](std::int64_t count, int waves) {
    return block_count(count, facts, waves, teams.block);
  };
  for (const Request& request : prepared.requests) sums += adds_along_rows(request.loop);
  std::uint32_t enough = blocks(threads, kEnoughWaves);
  std::uint32_t each = blocks(threads / std::max<std::int64_t>(sums, 1), facts.shape.waves_watched);
  return std::max(each, enough);
}

std::string key_of(const Prepared& prepared) {
  std::string key = "p" + std::to_string(prepared.teams.size) + ':';
  for (const RowCopy& copy : prepared.kept.copies) {
    key += std::to_string(copy.loop) + "." + std::to_string(copy.input) + ",";
  }
  const Request& first = prepared.requests[0];
  if (int resident = first.facts.shape.resident) key += 'R' + std::to_string(resident);
  for (const Request& request : prepared.requests) {
    key += '|';
    request.layout.append_key(key);
    append_steps_key(request.loop, request.conditions != nullptr, key);
    if (!request.loop.folds.empty()) append_fold_key(request.loop, request.layout, true, key);
  }
  return key;
}

Arguments render_row(const Request& request, std::int64_t rows, std::string* text) {
  return request.loop.folds.empty() ? render_map_of_row(request, rows, text)
                                    : render_fold_of_row(request, text);
}

// The arrays that a loop touches.
void add_reaches(const Request& request, std::size_t loop, std::vector<OperandReach>& reaches) {
  const LoopLayout& layout = request.layout;
  for (bool writes : {false, true}) {
    const std::vector<Operand>& operands = writes ? layout.outputs : layout.inputs;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Operand& operand = operands[i];
      if (operand.steps == Steps::kScalar || operand.steps == Steps::kRange) continue;
      auto [low, high] = layout.reach(operand);
      auto at = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(operand.address));
      reaches.push_back({loop, i, writes, low - at, high - at});
    }
  }
}

// A warp without a row is done, but a part of one has the others to go along with.
constexpr std::string_view kEachRow = R"(
  for (Index first = blockIdx.x * kTeams; first < a.rows; first += gridDim.x * kTeams) {
    const Index mine = first + threadIdx.x / kTeam;
    if (kTeam >= 32 && mine >= a.rows) break;
    const bool active = kTeam >= 32 || mine < a.rows;
    const Index row = active ? mine : first;
)";

// Copies the rows that a loop is the first to read.
std::string copies_text(const Prepared& prepared, std::size_t loop) {
  std::string text, from = "a.l" + std::to_string(loop) + ".";
  for (const RowCopy& copy : prepared.kept.copies) {
    if (copy.loop != loop) continue;
    const Operand& input = prepared.requests[loop].layout.inputs[copy.input];
    std::string n = std::to_string(copy.input);
    text += "    keep_row<" + std::string(type_name(input.dtype)) + ">(row_memory(" + from +
            "row_bytes) + " + from + "r" + n + ", " + from + "p" + n + " + offset_of(row, " + from +
            "s" + n + "_0), active ? a.points : 0);\n";
  }
  return text.empty() ? text : text + "    wait_for_team();\n";
}

}  // namespace

std::string move_text(std::string text, const std::string& name) {
  constexpr std::string_view kOpens = "namespace strider::nd::device {";
  for (std::size_t at = 0; (at = text.find(kOpens, at)) != text.npos; at += kOpens.size()) {
    text.insert(at + kOpens.size() - 2, "::" + name);
  }
  return text;
}

std::optional<Rendering> render_pass(std::span<const PassLoop> pass, std::int64_t rows,
                                     const DeviceFacts& facts) {
  if (!fits(pass, rows)) return std::nullopt;
  Prepared prepared = prepare(pass, rows, facts);
  const std::vector<Request>& requests = prepared.requests;
  // A turned input is read through tiles, which a row has not.
  Rendering rendering;
  KernelCall call;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    for (const Operand& input : requests[i].layout.inputs) {
      if (input.steps == Steps::kTurned) return std::nullopt;
    }
    Arguments arguments = render_row(requests[i], rows, nullptr);
    for (ChangingField field : arguments.take_changing()) {
      field.loop = static_cast<std::uint8_t>(i);
      field.at += static_cast<std::uint32_t>(call.arguments.size());
      rendering.changing.push_back(field);
    }
    add_reaches(requests[i], i, rendering.reaches);
    std::vector<std::byte> bytes = arguments.take_bytes();
    call.arguments.insert(call.arguments.end(), bytes.begin(), bytes.end());
  }
  for (std::int64_t number : {rows, prepared.kept.points}) {
    for (int i = 0; i < 8; ++i) call.arguments.push_back(static_cast<std::byte>(number >> 8 * i));
  }
  if (call.arguments.size() > kMostArguments) return std::nullopt;
  rendering.key = key_of(prepared);
  call.entry = "pass";
  const Teams& teams = prepared.teams;
  call.block[0] = static_cast<std::uint32_t>(teams.block);
  call.shared_bytes = static_cast<std::uint32_t>(prepared.kept.bytes * teams.count());
  call.grid[0] = blocks_of(prepared, rows, facts);
  rendering.calls.push_back(std::move(call));
  return rendering;
}

std::string pass_text(std::span<const PassLoop> pass, std::int64_t rows, const DeviceFacts& facts) {
  Prepared prepared = prepare(pass, rows, facts);
  const std::vector<Request>& requests = prepared.requests;
  FusedLoop all;  // what the prelude must have
  bool watched = false;
  std::string loops, fields, seen, standing, calls, reports;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    std::string name = "l" + std::to_string(i), text = "namespace strider::nd::device {\n";
    all.steps.insert(all.steps.end(), request.loop.steps.begin(), request.loop.steps.end());
    all.folds.insert(all.folds.end(), request.loop.folds.begin(), request.loop.folds.end());
    watched |= request.conditions != nullptr;
    render_row(request, rows, &text);
    loops += move_text(text + "}\n", name);
    fields += "  " + name + "::Arguments " + name + ";\n";
    seen += "  " + name + "::Seen s" + name + ";\n";
    calls += copies_text(prepared, i);
    standing += "  const auto t" + name + " = " + name + "::stand(a." + name + ");\n";
    calls += "    " + name + "::run_row(a." + name + ", row, active, t" + name + ", s" + name +
             ");\n    wait_for_team();\n";
    reports += "  " + name + "::report(a." + name + ", s" + name + ");\n";
  }
  const Teams& teams = prepared.teams;
  std::int64_t at_once = facts.shape.resident ? facts.shape.resident * int{kBlock} : kThreadsAtOnce;
  std::string bounds = std::to_string(teams.block) + ", " + std::to_string(at_once / teams.block);
  std::string meet = watched ? "  __syncthreads();\n" : "";
  std::string keep(embedded_text("kernels/backend/cuda/jit/text/keep.h"));
  return prelude_text(all, watched, requests[0].layout.wide) +
         "namespace strider::nd::device {\ninline constexpr unsigned kTeam = " +
         std::to_string(teams.size) + ", kTeams = " + std::to_string(teams.count()) + ";\n}\n" +
         keep + loops + "namespace strider::nd::device {\nstruct Pass {\n" + fields +
         "  unsigned long rows, points;\n};\n"
         "extern \"C\" __global__ void __launch_bounds__(" +
         bounds + ")\npass(const __grid_constant__ Pass a) {\n" + seen + meet + standing +
         std::string(kEachRow) + calls + "  }\n" + meet + reports + "}\n}\n";
}

}  // namespace strider::nd::cuda
