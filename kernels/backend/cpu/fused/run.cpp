// Spans go through machine code; where a watched condition may have been raised they are computed
// again by tiles, which know the steps that raise it.
#include "kernels/backend/cpu/fused/run.h"

#include <strider/nd/floating_errors.h>
#include <strider/nd/settings.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace strider::nd {
namespace {

// Spans that are computed again before the rest of a thread's part goes by tiles alone.
constexpr int kPatience = 8;

enum class Renderer { kBest, kTiles, kAssembler };

// STRIDER_RENDERER=tiles or assembler: the same one for every loop, for tests.
Renderer wanted_renderer() {
  std::string_view name = renderer_setting();
  if (name == "tiles") return Renderer::kTiles;
  if (name == "assembler") return Renderer::kAssembler;
  return Renderer::kBest;
}

const Renderer kRenderer = wanted_renderer();

// The work of a loop as far as it counts for compiling it.
std::int64_t countable_work(const FusedLoop& loop) {
  if (kRenderer == Renderer::kAssembler) return std::numeric_limits<std::int32_t>::max();
  return loop.point_count() * work_per_point(loop);
}

}  // namespace

bool renderer_is_forced() { return kRenderer != Renderer::kBest; }

Stores choose_stores(const FusedLoop& loop) {
  static const std::int64_t cache = std::max<long>(sysconf(_SC_LEVEL3_CACHE_SIZE), 1 << 24);
  std::int64_t bytes = 0;
  for (const LoopOutput& output : loop.outputs) bytes += item_size(output.dtype);
  bool large = loop.folds.empty() && bytes * loop.point_count() >= cache / 2;
  return large ? Stores::kPastCaches : Stores::kUsual;
}

std::shared_ptr<const Rendering> Rendering::of(const FusedLoop& loop, Stores stores) {
  auto kept = std::dynamic_pointer_cast<const Rendering>(loop.preparation);
  if (kept && kept->stores_ == stores) {
    Assembled::note_hit();
    return kept;
  }
  auto made = std::make_shared<const Rendering>(loop, stores);
  if (made->assembled()) loop.preparation = made;
  return made;
}

Rendering::Rendering(const FusedLoop& loop, Stores stores)
    : axes_(loop), stores_(stores), wanted_(wanted_values(loop)) {
  for (std::uint16_t value : wanted_) sizes_.push_back(item_size(loop.type_of(value)));
  for (const Step& step : loop.steps) watched_ |= step.watched;
  if (kRenderer == Renderer::kTiles || counts_short_rows(loop, axes_)) return;
  assembled_ =
      Assembled::find(loop, wanted_, find_still_inputs(loop, axes_), stores, countable_work(loop));
}

RendererChoice choose_cpu_renderer(const FusedLoop& loop) {
  if (kRenderer == Renderer::kTiles) return {"tiles", "STRIDER_RENDERER asks for them"};
  if (is_single(loop)) return {"one kernel", "one step on what lies in memory"};
  JointAxes axes(loop);
  if (counts_short_rows(loop, axes)) return {"tiles", "it counts along short rows"};
  std::string reason =
      Assembled::find_obstacle(loop, wanted_values(loop), find_still_inputs(loop, axes),
                               choose_stores(loop), countable_work(loop));
  return {reason.empty() ? "machine code" : "tiles", reason};
}

const TileProgram& Rendering::tiles(const FusedLoop& loop) const {
  std::call_once(made_, [&] { tiles_ = std::make_unique<TileProgram>(loop, wanted_); });
  return *tiles_;
}

void SharedConditions::add(const StepConditions& conditions) {
  std::lock_guard<std::mutex> guard(lock_);
  for (std::size_t i = 0; i < conditions.size(); ++i) all_[i] |= conditions[i];
}

SpanRunner::SpanRunner(const FusedLoop& loop, const Rendering& rendering, const LoopMemory& memory,
                       StepConditions& conditions, const KeptRows* rows)
    : loop_(loop),
      rendering_(rendering),
      memory_(memory),
      conditions_(conditions),
      assembled_(rendering.assembled()),
      rows_(rows) {
  targets_.resize(rendering.sizes().size());
  tile_targets_.resize(targets_.size());
  if (assembled_) {
    spans_ = std::make_unique<LinearReader>(loop, rendering.axes(), memory.inputs, true);
    leave_out(*spans_);
    replaces_ = rows && spans_->span(0, rows->width()) == rows->width() &&
                assembled_->replaces(rows->readings(), rows->width());
  } else {
    tile_reader();
  }
}

void SpanRunner::leave_out(LinearReader& reader) const {
  if (!rows_) return;
  for (const RowReading& reading : rows_->readings()) reader.leave_out(reading.input);
}

std::int64_t SpanRunner::span(std::int64_t begin, std::int64_t end) {
  return (assembled_ ? spans_ : tiles_)->span(begin, end);
}

void SpanRunner::compute(std::int64_t begin, std::int64_t count, std::byte* const* outputs) {
  for (std::int64_t done = 0; done < count;) {
    std::int64_t part = span(begin + done, begin + count);
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      targets_[i] = outputs[i] + done * rendering_.sizes()[i];
    }
    if (!assembled_ || !run_code(begin + done, part, targets_.data())) {
      compute_tiles(begin + done, part, targets_.data());
    }
    done += part;
  }
}

// A row that machine code cannot replace is computed from its copy.
void SpanRunner::replace_row() {
  std::int64_t width = rows_->width(), begin = rows_->row() * width;
  Replaced replaced = replace_by_code(begin);
  std::byte* place = rows_->place();
  if (replaced == Replaced::kKept) {
    compute(begin, width, &place);
  } else if (replaced == Replaced::kSuspicious) {
    compute_tiles(begin, width, &place);
  }
}

SpanRunner::Replaced SpanRunner::replace_by_code(std::int64_t begin) {
  std::int64_t width = rows_->width();
  if (assembled_ && replaces_) {
    const std::byte** inputs = spans_->read(begin, width);
    rows_->redirect(inputs, 0, true);
    std::optional<bool> suspicious =
        assembled_->replace(inputs, rows_->place(), rows_->room(), width);
    if (suspicious) {
      bool look = is_suspicious(*suspicious);
      rows_->keep_sides(look);
      return look ? Replaced::kSuspicious : Replaced::kYes;
    }
  }
  rows_->keep();
  return Replaced::kKept;
}

// What inputs are to be taken for: of those that read what is replaced, the elements of before.
const std::byte** SpanRunner::read(LinearReader& reader, std::int64_t begin, std::int64_t count) {
  const std::byte** inputs = reader.read(begin, count);
  if (rows_) rows_->redirect(inputs, begin - rows_->row() * rows_->width(), false);
  return inputs;
}

// False where the conditions have to be looked at.
bool SpanRunner::run_code(std::int64_t begin, std::int64_t count, std::byte* const* outputs) {
  const std::byte** inputs = read(*spans_, begin, count);
  return !is_suspicious(assembled_->run(inputs, outputs, count, true));
}

// Whether conditions have to be looked at after a call of code that says so.
bool SpanRunner::is_suspicious(bool suspicious) {
  if (rendering_.watched() == 0) return false;
  suspicious |= (take_floating_errors().flags & rendering_.watched()) != 0;
  if (suspicious && ++looked_again_ == kPatience) {
    assembled_ = nullptr;
    tile_reader();
  }
  return suspicious;
}

LinearReader& SpanRunner::tile_reader() {
  if (tiles_) return *tiles_;
  tiles_ = std::make_unique<LinearReader>(loop_, rendering_.axes(), memory_.inputs, false);
  leave_out(*tiles_);
  scratch_.reset(new std::byte[rendering_.tiles(loop_).scratch_bytes() + 64]);
  return *tiles_;
}

void SpanRunner::compute_tiles(std::int64_t begin, std::int64_t count, std::byte* const* outputs) {
  LinearReader& reader = tile_reader();
  StepConditions* conditions = rendering_.watched() ? &conditions_ : nullptr;
  for (std::int64_t done = 0; done < count;) {
    std::int64_t part = reader.span(begin + done, begin + count);
    for (std::size_t i = 0; i < tile_targets_.size(); ++i) {
      tile_targets_[i] = outputs[i] + done * rendering_.sizes()[i];
    }
    const std::byte** inputs = read(reader, begin + done, part);
    rendering_.tiles(loop_).run(inputs, tile_targets_.data(), part, scratch_.get(), conditions);
    done += part;
  }
}

}  // namespace strider::nd
