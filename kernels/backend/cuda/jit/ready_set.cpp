// Loops are made as unfuse() makes them, and rendered by the emitter as all others are.
#include "kernels/backend/cuda/jit/ready_set.h"

#include <cctype>
#include <optional>
#include <set>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/cuda/jit/prelude.h"
#include "kernels/backend/cuda/jit/shapes.h"
#include "kernels/backend/cuda/jit/unplaced.h"
#include "kernels/core/node.h"

namespace strider::nd::cuda {
namespace {

// Axes of copies between layouts, at least; those of more have to be compiled.
constexpr int kReadyAxes = 4;
constexpr std::int64_t kPoints = 1000;

DType dtype_at(int index) { return static_cast<DType>(index); }

DType dtype_of_code(char code) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (facts(dtype_at(i)).code == code) return dtype_at(i);
  }
  return DType::kBool;
}

DType result_of(const OpFacts& op, DType dtype) {
  if (op.result == '=') return dtype;
  return op.result == 'r' ? real_of(dtype) : dtype_of_code(op.result);
}

Step operation(Op op, std::initializer_list<DType> types, DType result) {
  Step step;
  step.op = op;
  for (DType type : types) {
    step.arguments[step.count] = step.count;
    step.types[step.count++] = type;
  }
  step.result = result;
  step.watched = may_raise(step) ? kUsuallyWatched : 0;
  return step;
}

Step operation(const OpFacts& op, DType dtype) {
  DType result = result_of(op, dtype);
  if (op.op == Op::kLdexp) return operation(op.op, {dtype, DType::kInt64}, result);
  if (op.inputs == 1) return operation(op.op, {dtype}, result);
  if (op.inputs == 2) return operation(op.op, {dtype, dtype}, result);
  return operation(op.op, {dtype, dtype, dtype}, result);
}

Step special(Step::Kind kind, Step step) {
  step.kind = kind;
  step.op = Op();
  step.watched = may_raise(step) ? kUsuallyWatched : 0;
  return step;
}
Step selection(DType dtype) {
  return special(Step::Kind::kSelect, operation(Op(), {DType::kBool, dtype, dtype}, dtype));
}
Step conversion(DType from, DType to) {
  return special(Step::Kind::kConvert, operation(Op(), {from}, to));
}

LoopInput dense_input(DType dtype) {
  LoopInput input;
  input.dtype = dtype;
  input.strides = {item_size(dtype)};
  return input;
}
LoopInput scalar_input(DType dtype) {
  LoopInput input;
  input.kind = LoopInput::Kind::kScalar;
  input.dtype = dtype;
  input.strides = {0};
  return input;
}

FusedLoop loop_of(const Step& step, unsigned scalars) {
  FusedLoop loop;
  loop.extents = {kPoints};
  for (int i = 0; i < step.count; ++i) {
    bool scalar = scalars >> i & 1;
    loop.inputs.push_back(scalar ? scalar_input(step.types[i]) : dense_input(step.types[i]));
  }
  loop.steps.push_back(step);
  loop.outputs.push_back({step.count, step.result, Dims{item_size(step.result)}});
  return loop;
}

FusedLoop move_of(LoopInput input) {
  FusedLoop loop;
  loop.extents = {kPoints};
  loop.outputs.push_back({0, input.dtype, Dims{item_size(input.dtype)}});
  loop.inputs.push_back(std::move(input));
  return loop;
}

// The names of a text's kernels: what stands before their parameters.
std::set<std::string> entries_of(const std::string& text) {
  constexpr std::string_view kParameters = "(const __grid_constant__";
  std::set<std::string> entries;
  for (std::size_t at = 0; (at = text.find(kParameters, at)) != text.npos; ++at) {
    std::size_t start = at;
    while (start > 0 && (std::isalnum(text[start - 1]) || text[start - 1] == '_')) --start;
    entries.insert(text.substr(start, at - start));
  }
  return entries;
}

// The loops of a module, and its text.
class Module {
 public:
  explicit Module(bool arranges = false) {
    if (arranges) facts_.shape.axes = kReadyAxes;
  }

  void add(const FusedLoop& loop) {
    std::uint32_t nothing = 0;
    LoopMemory memory = unplaced(loop);
    NoScratch scratch;
    Rendering rendering = render(loop, memory, &nothing, facts_, scratch);
    if (!known_.insert(rendering.key).second) return;
    bool watched = watches(loop);
    Request request{
        loop,   memory,  watched ? &nothing : nullptr,
        facts_, nullptr, LoopLayout(loop, memory, facts_.shape.work_alone, facts_.shape.axes)};
    std::string text = "namespace strider::nd::device {\n";
    loop.folds.empty() ? render_map(request, nullptr, &text) : render_fold(request, nullptr, &text);
    text += "}\n";
    append(text, rendering);
    watched_ |= watched;
    all_.steps.insert(all_.steps.end(), loop.steps.begin(), loop.steps.end());
    all_.folds.insert(all_.folds.end(), loop.folds.begin(), loop.folds.end());
  }
  // With every choice of scalars that leaves something to go through.
  void add_step(const Step& step) {
    for (unsigned scalars = 0; scalars < (1u << step.count) - 1; ++scalars) {
      if (step.count < 3 || !(scalars & 1)) add(loop_of(step, scalars));
    }
  }
  bool empty() const { return keys_.empty(); }
  ReadyModule take() { return {prelude_text(all_, watched_, false) + texts_, std::move(keys_)}; }

 private:
  void append(const std::string& text, const Rendering& rendering) {
    std::string prefix = ready_prefix(keys_.size()), before, after;
    for (const std::string& entry : entries_of(text)) {
      before += "#define " + entry + " " + prefix + entry + "\n";
      after += "#undef " + entry + "\n";
    }
    texts_ += before + move_text(text, "ready" + std::to_string(keys_.size())) + after;
    keys_.push_back(rendering.key);
  }

  DeviceFacts facts_;
  FusedLoop all_;  // what the prelude must have
  bool watched_ = false;
  std::string texts_;
  std::vector<std::string> keys_;
  std::set<std::string> known_;
};

class Modules {
 public:
  void add(Module module) {
    if (!module.empty()) list_.push_back(module.take());
  }
  std::vector<ReadyModule> take() { return std::move(list_); }

 private:
  std::vector<ReadyModule> list_;
};

void add_operations(Modules& modules) {
  for (int row = 0; row < kOpCount; ++row) {
    const OpFacts& op = facts(static_cast<Op>(row));
    if (op.outputs != 1) continue;
    for (char code : op.types) {
      DType dtype = dtype_of_code(code);
      if (!find_kernel(op.op, dtype)) continue;
      Module module;
      module.add_step(operation(op, dtype));
      modules.add(std::move(module));
    }
    if (op.group != OpGroup::kComparison || op.inputs != 2 || op.result != '?') continue;
    Module mixed;
    mixed.add_step(operation(op.op, {DType::kInt64, DType::kUInt64}, DType::kBool));
    mixed.add_step(operation(op.op, {DType::kUInt64, DType::kInt64}, DType::kBool));
    modules.add(std::move(mixed));
  }
}

void add_conversions(Modules& modules) {
  for (int from = 0; from < kDTypeCount; ++from) {
    Module module;
    for (int to = 0; to < kDTypeCount; ++to) {
      if (from != to) module.add_step(conversion(dtype_at(from), dtype_at(to)));
    }
    modules.add(std::move(module));
  }
}

void add_moves(Modules& modules) {
  Module moves, arranged(true);
  for (int i = 0; i < kDTypeCount; ++i) {
    DType dtype = dtype_at(i);
    moves.add(move_of(dense_input(dtype)));
    moves.add(move_of(scalar_input(dtype)));
    bool carries = dtype == carrier_of(dtype);
    if (carries) arranged.add(move_of(dense_input(dtype)));
    Module selections;
    selections.add_step(selection(dtype));
    modules.add(std::move(selections));
  }
  LoopInput counted = dense_input(DType::kInt64);
  counted.kind = LoopInput::Kind::kRange;
  arranged.add(move_of(counted));
  modules.add(std::move(moves));
  modules.add(std::move(arranged));
}

// Rows that are so many are summed by a thread each when they are short.
constexpr std::int64_t kShortRows = 1 << 15;

// The ways in which the axes of a fold lie: kept and folded ones in turn, the innermost last.
struct FoldAxes {
  Dims extents;
  std::uint64_t folded;
};

FusedLoop fold_of(const LoopFold& fold, const FoldAxes& axes) {
  FusedLoop loop;
  loop.extents = axes.extents;
  LoopInput input = dense_input(fold.type);
  input.strides = dense_strides(axes.extents, item_size(fold.type));
  loop.inputs.push_back(std::move(input));
  loop.folds.push_back(fold);
  loop.folds[0].axes = axes.folded;
  return loop;
}

void add_folds(Modules& modules, Op op, DType type) {
  LoopFold fold;
  fold.op = op;
  fold.type = type;
  std::optional<Scalar> identity = identity_of(op, type);
  fold.from_first = !identity;
  if (identity) fold.start = *identity;
  Module along_rows, others;
  for (std::int64_t chunk : {0, 100}) {
    fold.chunk = chunk;
    along_rows.add(fold_of(fold, {{kPoints}, 1}));
    along_rows.add(fold_of(fold, {{kPoints, kPoints}, 2}));
  }
  fold.chunk = 0;
  along_rows.add(fold_of(fold, {{kShortRows, 10}, 2}));
  others.add(fold_of(fold, {{kPoints, kPoints}, 1}));
  others.add(fold_of(fold, {{100, 100, 100}, 2}));
  others.add(fold_of(fold, {{100, 100, 100}, 5}));
  others.add(fold_of(fold, {{1, kPoints}, 1}));
  modules.add(std::move(along_rows));
  modules.add(std::move(others));
}

void add_lines(Modules& modules, LoopFold::Kind kind, Op op, DType type) {
  LoopFold fold;
  fold.kind = kind;
  fold.op = op;
  fold.type = type;
  Module module;
  for (std::int64_t count : {1000, 10000}) {
    module.add(fold_of(fold, {{count}, 1}));
    module.add(fold_of(fold, {{100, count}, 2}));
  }
  modules.add(std::move(module));
}

void add_combinations(Modules& modules) {
  for (int i = 0; i < kDTypeCount; ++i) {
    DType type = dtype_at(i);
    for (int row = 0; row < kOpCount; ++row) {
      Op op = static_cast<Op>(row);
      // Products of halves and the like are folded at once.
      bool half = type == DType::kFloat16 && op != Op::kAdd && !is_idempotent(op);
      if (!half && kernels().folds[row][i]) add_folds(modules, op, type);
      if (kernels().scans[row][i]) add_lines(modules, LoopFold::Kind::kScan, op, type);
    }
    for (Op op : {Op::kMaximum, Op::kMinimum}) {
      add_lines(modules, LoopFold::Kind::kFind, op, type);
    }
  }
}

}  // namespace

std::string ready_prefix(std::size_t number) { return "r" + std::to_string(number) + "_"; }

std::vector<ReadyModule> make_ready_modules() {
  Modules modules;
  add_operations(modules);
  add_conversions(modules);
  add_moves(modules);
  add_combinations(modules);
  return modules.take();
}

LaunchShape ready_shape(const SingleLoop& single, LaunchShape shape) {
  shape.axes = single.arranges ? kReadyAxes : 0;
  return shape;
}

}  // namespace strider::nd::cuda
