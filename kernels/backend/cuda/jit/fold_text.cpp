// How many elements a thread has under way, what combinations are told, and which of the texts that
// stand as code a shape needs.
#include "kernels/backend/cuda/jit/fold_text.h"

#include <algorithm>
#include <bit>

#include "kernels/backend/cuda/jit/fold_hooks.h"
#include "kernels/backend/cuda/jit/fold_places.h"
#include "kernels/backend/cuda/jit/prelude.h"
#include "kernels/backend/cuda/jit/texts.h"

namespace strider::nd::cuda {
namespace {

// What a thread has under way.
constexpr int kBatchBytes = 128, kLargeBatch = 8, kSmallBatch = 4;
// The same of columns of a byte or two.
constexpr int kTinyBytes = 2, kTinyBatch = 16;
constexpr int kFewBytes = 4;
constexpr int kDearWork = 16;
// The same of sums, whose lanes add up to 16 elements of a leaf.
constexpr int kSumBatchBytes = 192, kSumBatch = 16;
// Blocks of sums whose registers a processor must have room for.
constexpr int kSumBlocks = 3;
// The same of columns of halves, in which each addition waits for the last one's rounding.
constexpr int kRoundedBatch = 32;
// Blocks that share a processor, at least, so that what a lane has under way stays in registers: of
// columns of halves, of work that needs registers itself, of others.
constexpr int kRoundedBlocks = 2, kDearBlocks = 1, kFoldBlocks = 4;

class FoldText {
 public:
  FoldText(const Request& request, const FoldPlan& plan, bool in_pass)
      : request_(request), fold_(request.loop.folds[0]), plan_(plan), in_pass_(in_pass) {}

  std::string write(const Arguments& arguments) {
    bool watched = request_.conditions != nullptr, raises = watched && fold_raises(fold_);
    bool tells = raises && plan_.shape == Shape::kSums;
    text_ += arguments.text();
    int axis = folded_axis(plan_, request_.layout);
    text_ += body_text(request_.loop, request_.layout, watched, tells, axis);
    text_ += fold_places_text(plan_, request_.layout);
    add_facts(raises, tells);
    text_ += raises ? kNote : kNoNote;
    text_ += request_.layout.fold_slot >= 0 ? kKeep : kNoKeep;
    text_ += "}\n";
    add("totals");
    add_kernels();
    text_ += "namespace strider::nd::device {\n";
    return std::move(text_);
  }

 private:
  // Whether what is combined is what is read.
  bool adds_as_they_are() const {
    const FusedLoop& loop = request_.loop;
    if (!loop.steps.empty() || loop.inputs.size() != 1) return false;
    const Operand& input = request_.layout.inputs[0];
    return input.steps != Steps::kScalar && input.steps != Steps::kRange &&
           !request_.layout.is_still(input);
  }

  bool is_dear() const { return work_of(request_.loop) >= kDearWork; }

  // Elements that a thread reads before it computes the first: enough bytes to be under way, in
  // no more registers than leave room for other threads.
  int batch() const {
    int bytes = 0;
    bool far = false;
    for (const Operand& input : request_.layout.inputs) {
      if (input.steps == Steps::kScalar || input.steps == Steps::kRange) continue;
      if (in_pass_ && request_.layout.is_still(input)) continue;
      bytes += item_size(input.dtype);
      far |= input.slot < 0 && input.steps != Steps::kStill;
    }
    bool dear = is_dear();
    if (plan_.shape == Shape::kColumns && fold_.type == DType::kFloat16 && far && !dear)
      return kRoundedBatch;
    if (plan_.shape == Shape::kSums && far && !dear && !in_pass_)
      return std::clamp(kSumBatchBytes / std::max(1, bytes), 1, kSumBatch);
    bool tiny = bytes <= kTinyBytes && plan_.shape == Shape::kColumns;
    int most = !far || dear ? kSmallBatch : tiny ? kTinyBatch : kLargeBatch;
    return static_cast<int>(std::bit_floor(
        static_cast<unsigned>(std::clamp(kBatchBytes / std::max(1, bytes), 1, most))));
  }

  int fold_blocks() const {
    return is_dear() ? kDearBlocks : batch() > kTinyBatch ? kRoundedBlocks : kFoldBlocks;
  }

  // Of a row that is kept near, as many as from afar where registers have room for them and no few
  // lanes share it.
  std::string batch_text() const {
    int most = is_dear() ? kFewBytes : 2 * kFewBytes;
    bool fits = in_pass_ && item_size(fold_.type) <= most;
    for (const Operand& input : request_.layout.inputs) {
      bool moves = input.steps != Steps::kScalar && input.steps != Steps::kRange &&
                   !request_.layout.is_still(input);
      fits &= !moves || (input.slot >= 0 && item_size(input.dtype) <= most);
    }
    std::string usual = std::to_string(batch());
    return fits ? "kBlockThreads > 8 ? " + std::to_string(kLargeBatch) + " : " + usual : usual;
  }

  void add_flag(std::string_view name, bool value) {
    text_ += "inline constexpr bool " + std::string(name) + (value ? " = true;\n" : " = false;\n");
  }

  // What the kernels are told of the fold.
  void add_facts(bool raises, bool tells) {
    text_ += "using Element = " + std::string(type_name(fold_.type)) + ";\n";
    text_ += "inline constexpr Op kFoldOp = " + std::string(op_name(fold_.op)) + ";\n";
    add_flag("kFinds", fold_.kind == LoopFold::Kind::kFind);
    add_flag("kPlaced", has_places(fold_));
    add_flag("kFromFirst", fold_.kind != LoopFold::Kind::kFold || fold_.from_first);
    add_flag("kNotes", raises);
    add_flag("kTells", tells);
    add_flag("kNear", in_pass_);
    add_flag("kAsTheyAre", adds_as_they_are());
    text_ += std::string("inline constexpr unsigned kBlockThreads = ") +
             (in_pass_ ? "kTeam" : "256") + ";\n";
    text_ += "inline constexpr unsigned kBatch = " + batch_text() + ";\n";
    if (plan_.shape == Shape::kRows || plan_.shape == Shape::kColumns)
      text_ += "inline constexpr unsigned kFoldBlocks = " + std::to_string(fold_blocks()) + ";\n";
    if (plan_.shape == Shape::kSums)
      text_ += "inline constexpr unsigned kSumBlocks = " + std::to_string(kSumBlocks) + ";\n";
  }

  void add(const std::string& name) {
    text_ += embedded_text("kernels/backend/cuda/jit/text/" + name + ".h");
  }

  void add_kernels() {
    switch (plan_.shape) {
      case Shape::kRows:
        add(in_pass_ ? "pass_fold" : "rows");
        if (!in_pass_) add("parts");
        break;
      case Shape::kColumns:
        add("columns");
        add("parts");
        break;
      case Shape::kSums:
        add("sum");
        add(in_pass_ ? "pass_sum" : "sums");
        if (plan_.lines > 1) add("lines");
        break;
      case Shape::kScans:
        add("scan");
        break;
      case Shape::kShortSums:
        add("short_sum");
        break;
      case Shape::kShortScans:
        add("short_scan");
    }
  }

  const Request& request_;
  const LoopFold& fold_;
  const FoldPlan& plan_;
  bool in_pass_;
  std::string text_;
};

}  // namespace

std::string fold_text(const Request& request, const FoldPlan& plan, const Arguments& arguments,
                      bool in_pass) {
  return FoldText(request, plan, in_pass).write(arguments);
}

}  // namespace strider::nd::cuda
