// Passes: the loops' texts stand in namespaces of their own, and one kernel runs them for a row.
// Rows that several loops touch are kept in the block's shared memory meanwhile.
#include "kernels/backend/cuda/jit/kept_rows.h"
#include "kernels/backend/cuda/jit/prelude.h"
#include "kernels/backend/cuda/jit/shapes.h"
#include "kernels/backend/cuda/jit/texts.h"

namespace strider::nd::cuda {
namespace {

constexpr std::size_t kMostArguments = 4000;  // bytes that any device takes
// Rows for which a block is neither too large nor too small, and the blocks that are worth it.
constexpr std::int64_t kShortRow = 512, kLongRow = 16384;
constexpr std::int64_t kFewRows = 64;
// Blocks whose registers a processor must have room for.
constexpr int kBlocksAtOnce = 4;
// Shared memory for kept rows, so that a processor has room for several blocks, and what kernels
// take of it besides.
constexpr std::int64_t kMostKept = 64 << 10, kOtherShared = 16 << 10;

bool fits(std::span<const PassLoop> pass, std::int64_t rows) {
  if (rows < kFewRows || pass.size() < 2) return false;
  std::int64_t longest = 0;
  for (const PassLoop& each : pass) {
    std::int64_t points = each.loop->point_count();
    if (points == 0 || points % rows != 0 || points / rows > kLongRow) return false;
    longest = std::max(longest, points / rows);
    if (!each.loop->folds.empty() && !folds_rows(*each.loop, rows)) return false;
  }
  return longest >= kShortRow;
}

struct Prepared {
  std::vector<Request> requests;
  KeptRows kept;
};

Prepared prepare(std::span<const PassLoop> pass, std::int64_t rows, const DeviceFacts& facts) {
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
  KeptRows kept = keep_rows(requests, std::min(kMostKept, room));
  return {std::move(requests), std::move(kept)};
}

std::string key_of(const Prepared& prepared) {
  std::string key = "p";
  for (const RowCopy& copy : prepared.kept.copies) {
    key += std::to_string(copy.loop) + "." + std::to_string(copy.input) + ",";
  }
  const Request& first = prepared.requests[0];
  if (int resident = first.facts.shape.resident) key += 'R' + std::to_string(resident);
  for (const Request& request : prepared.requests) {
    key += '|';
    request.layout.append_key(key);
    append_steps_key(request.loop, request.conditions != nullptr, key);
    if (!request.loop.folds.empty()) append_fold_key(request.loop, key);
  }
  return key;
}

std::vector<std::byte> render_row(const Request& request, std::int64_t rows, std::string* text) {
  return request.loop.folds.empty() ? render_map_of_row(request, rows, text)
                                    : render_fold_of_row(request, text);
}

// Copies the rows that a loop is the first to read.
std::string copies_text(const Prepared& prepared, std::size_t loop) {
  std::string text, from = "a.l" + std::to_string(loop) + ".";
  for (const RowCopy& copy : prepared.kept.copies) {
    if (copy.loop != loop) continue;
    const Operand& input = prepared.requests[loop].layout.inputs[copy.input];
    std::string n = std::to_string(copy.input);
    text += "    keep_row<" + std::string(type_name(input.dtype)) + ">(row_memory() + " + from +
            "r" + n + ", " + from + "p" + n + " + offset_of(row, " + from + "s" + n +
            "_0), a.points);\n";
  }
  return text.empty() ? text : text + "    __syncthreads();\n";
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
  for (const Request& request : requests) {
    for (const Operand& input : request.layout.inputs) {
      if (input.steps == Steps::kTurned) return std::nullopt;
    }
    std::vector<std::byte> bytes = render_row(request, rows, nullptr);
    call.arguments.insert(call.arguments.end(), bytes.begin(), bytes.end());
  }
  for (std::int64_t number : {rows, prepared.kept.points}) {
    for (int i = 0; i < 8; ++i) call.arguments.push_back(static_cast<std::byte>(number >> 8 * i));
  }
  if (call.arguments.size() > kMostArguments) return std::nullopt;
  rendering.key = key_of(prepared);
  call.entry = "pass";
  call.block[0] = kBlock;
  call.shared_bytes = static_cast<std::uint32_t>(prepared.kept.bytes);
  call.grid[0] = block_count(rows * int{kBlock}, facts, facts.shape.waves_folding);
  rendering.calls.push_back(std::move(call));
  return rendering;
}

std::string pass_text(std::span<const PassLoop> pass, std::int64_t rows, const DeviceFacts& facts) {
  Prepared prepared = prepare(pass, rows, facts);
  const std::vector<Request>& requests = prepared.requests;
  FusedLoop all;  // what the prelude must have
  bool watched = false;
  std::string loops, fields, seen, calls, reports;
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
    calls +=
        "    " + name + "::run_row(a." + name + ", row, s" + name + ");\n    __syncthreads();\n";
    reports += "  " + name + "::report(a." + name + ", s" + name + ");\n";
  }
  std::string bound;
  int resident = facts.shape.resident ? facts.shape.resident : kBlocksAtOnce;
  bound = ", " + std::to_string(resident);
  std::string keep(embedded_text("kernels/backend/cuda/jit/text/keep.h"));
  return prelude_text(all, watched, requests[0].layout.wide) + keep + loops +
         "namespace strider::nd::device {\nstruct Pass {\n" + fields +
         "  unsigned long rows, points;\n};\n"
         "extern \"C\" __global__ void __launch_bounds__(256" +
         bound +
         ")\n"
         "pass(const __grid_constant__ Pass a) {\n" +
         seen + "  for (Index row = blockIdx.x; row < a.rows; row += gridDim.x) {\n" + calls +
         "  }\n" + reports + "}\n}\n";
}

}  // namespace strider::nd::cuda
