// Stencils in place: how bands are cut, and what text/march.h needs of the loop.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "kernels/backend/cuda/jit/prelude.h"
#include "kernels/backend/cuda/jit/shapes.h"
#include "kernels/backend/cuda/jit/texts.h"

namespace strider::nd::cuda {
namespace {

constexpr std::int64_t kStrip = kMarchStrip;
constexpr std::uint64_t kLine = 128;  // bytes of a cache line
constexpr std::int64_t kHighestBand = 256;

std::string number(std::int64_t value) { return std::to_string(value); }

struct Reach {
  std::int64_t lines = 1, columns = 1;
  MarchRing ring;

  explicit Reach(const LoopLayout& layout) {
    for (const Operand& input : layout.inputs) {
      if (input.steps != Steps::kNear) continue;
      lines = std::max<std::int64_t>(lines, std::abs(input.line));
      columns = std::max<std::int64_t>(columns, std::abs(input.column));
    }
    ring = MarchRing(lines, columns, item_size(layout.outputs[0].dtype));
  }
};

struct Cut {
  Reach reach;
  std::int64_t lines, columns;
  std::int64_t shift;  // columns that the first strip lacks, so that others begin with a cache line
  std::int64_t strips, band, bands;

  // Bands that give every processor some blocks and are high enough to be worth their borders.
  Cut(const LoopLayout& layout, const DeviceFacts& facts)
      : reach(layout),
        lines(layout.extents[0]),
        columns(layout.extents[1]),
        shift(reinterpret_cast<std::uintptr_t>(layout.outputs[0].address) % kLine /
              static_cast<std::uint64_t>(item_size(layout.outputs[0].dtype))),
        strips((columns + shift + kStrip - 1) / kStrip) {
    std::int64_t full = facts.processors * (facts.threads_per_processor / kStrip);
    std::int64_t step = reach.ring.step;
    band = (lines * strips / full + step - 1) / step * step;
    band = std::clamp(band, step, kHighestBand);
    bands = (lines + band - 1) / band;
  }
  std::int64_t saved() const {
    return (bands - 1) * 2 * reach.lines * (columns + 2 * reach.columns) +
           (strips - 1) * 2 * reach.columns * lines;
  }
};

std::string march_text(const LoopLayout& layout) {
  Reach reach(layout);
  std::string text = "using Near = " + std::string(type_name(layout.outputs[0].dtype)) + ";\n";
  text += "inline constexpr int kReach = " + number(reach.lines) +
          ", kSide = " + number(reach.columns) + ", kStrip = " + number(kStrip) +
          ", kStep = " + number(reach.ring.step) + ", kSteps = " + number(reach.ring.steps) + ";\n";
  text +=
      "inline bool is_inside(const Arguments& a, int line, int column) {\n"
      "  return line >= 0 && column >= 0 && static_cast<Index>(line) < a.lines && "
      "static_cast<Index>(column) < a.columns;\n}\n"
      "inline bool is_beside(const Arguments& a, int line, int column) {\n  return false";
  for (const Operand& input : layout.inputs) {
    if (input.steps != Steps::kNear) continue;
    text += " || is_inside(a, line - (" + number(input.line) + "), column - (" +
            number(input.column) + "))";
  }
  return text + ";\n}\n";
}

}  // namespace

void render_march(const Request& request, Rendering* rendering, std::string* text) {
  const LoopLayout& layout = request.layout;
  Cut cut(layout, request.facts);
  Arguments arguments(text != nullptr);
  add_body_arguments(request.loop, layout, request.conditions, arguments);
  std::int64_t tiles = cut.bands * cut.strips;
  for (auto [name, value] : {std::pair<const char*, std::int64_t>{"lines", cut.lines},
                             {"columns", cut.columns},
                             {"shift", cut.shift},
                             {"strips", cut.strips},
                             {"tiles", tiles},
                             {"band", cut.band},
                             {"bands", cut.bands}}) {
    arguments.add_index(name, value, layout.wide);
  }
  std::byte* saved = nullptr;
  auto size = static_cast<std::size_t>(item_size(layout.outputs[0].dtype));
  if (rendering && request.scratch && cut.saved() > 0) {
    saved = request.scratch->take(static_cast<std::size_t>(cut.saved()) * size);
  }
  arguments.add("char*", "saved", saved);
  if (text) {
    *text += arguments.text();
    *text += "struct Place;\n";
    *text += "inline " + std::string(type_name(layout.outputs[0].dtype)) +
             " near(const Place& p, int line, int column);\n";
    *text += body_text(request.loop, layout, request.conditions != nullptr);
    *text += march_text(layout);
    *text += "}\n";
    *text += embedded_text("kernels/backend/cuda/jit/text/march.h");
    *text += "namespace strider::nd::device {\n";
  }
  if (!rendering || layout.points == 0) return;
  std::vector<std::byte> bytes = arguments.take_bytes();
  auto add = [&](const char* entry, std::int64_t threads) {
    KernelCall call;
    call.entry = entry;
    call.block[0] = kBlock;
    call.grid[0] = block_count(threads, request.facts, request.facts.shape.waves_watched);
    call.arguments = bytes;
    rendering->calls.push_back(std::move(call));
  };
  if (cut.saved() > 0) add("save", cut.saved());
  add("map", tiles * kStrip);
}

}  // namespace strider::nd::cuda
