// Every value is a variable "v" + its number; operands are fields "p" (inputs) and "q" (outputs)
// with strides "s" and "t"; scalars "c", ranges "f" with steps "g".
#include "kernels/backend/cuda/jit/body.h"

#include <algorithm>
#include <cstring>

#include "kernels/backend/cuda/jit/prelude.h"
#include "kernels/backend/cuda/jit/quick_steps.h"
#include "kernels/backend/cuda/jit/watching.h"

namespace strider::nd::cuda {
namespace {

std::string number(std::size_t value) { return std::to_string(value); }
std::string number(int value) { return std::to_string(value); }

bool strides_matter(const Operand& operand) {
  return operand.steps == Steps::kStrided || operand.steps == Steps::kTurned ||
         operand.steps == Steps::kUnaligned || operand.steps == Steps::kPairs ||
         operand.steps == Steps::kDense;
}
bool is_dense(const Operand& operand) {
  return operand.steps == Steps::kPairs || operand.steps == Steps::kDense;
}

// The axes along which an operand's strides are arguments.
int stride_count(const Operand& operand, int rank) {
  return !strides_matter(operand) ? 0 : is_dense(operand) ? rank - 1 : rank;
}

void add_operand(const Operand& operand, int index, bool wide, bool writes, Arguments& arguments) {
  using Kind = ChangingField::Kind;
  auto place = static_cast<std::size_t>(index);
  if (operand.steps == Steps::kScalar) {
    auto size = static_cast<std::size_t>(item_size(operand.dtype));
    std::byte value[16];
    if (operand.address)
      std::memcpy(value, operand.address, size);
    else
      std::memset(value, 0, size);
    arguments.add(type_name(operand.dtype), "c", index, -1, value, size,
                  is_complex(operand.dtype) ? size / 2 : size);
    return arguments.changes(Kind::kScalar, place);
  }
  if (operand.steps == Steps::kRange) {
    arguments.add("long", "f", operand.first, index);
    for (int axis = 0; axis < operand.strides.size(); ++axis) {
      arguments.add("long", "g", operand.strides[axis], index, axis);
    }
    return;
  }
  arguments.add(writes ? "char*" : "const char*", writes ? "q" : "p", operand.address, index);
  arguments.changes(writes ? Kind::kOutput : Kind::kInput, place);
  if (operand.slot >= 0) {
    arguments.add("unsigned", writes ? "w" : "r", static_cast<std::uint32_t>(operand.slot), index);
  }
  for (int axis = 0; axis < stride_count(operand, operand.strides.size()); ++axis) {
    std::string_view name = writes ? "t" : "s";
    if (wide)
      arguments.add("Stride", name, operand.strides[axis], index, axis);
    else
      arguments.add("Stride", name, static_cast<std::int32_t>(operand.strides[axis]), index, axis);
  }
}

// A point of a row of a pass. Places in a row are signed, so that what is constant of a sum of them
// can become part of an address.
constexpr std::string_view kRowPoint = R"(struct Point {
  Index row;
  int at;
};
inline Point operator+(Point point, int points) { return {point.row, point.at + points}; }
)";

constexpr std::string_view kSeen = R"(inline unsigned* met() {
  __shared__ unsigned words[kMet];
  return words;
}
STRIDER_APART void note(unsigned step, unsigned bits) {
  if (bits & ~met()[step]) atomicOr(met() + step, bits);
}
struct Seen {
  Seen() {
    for (unsigned i = threadIdx.x; i < kMet; i += blockDim.x) met()[i] = 0;
    meet();
  }
};
inline void report(const Arguments& a, const Seen&) {
  meet();
  for (unsigned i = threadIdx.x; i < kMet; i += blockDim.x) tell(a.conditions + i, met()[i]);
}
inline void note_fold(Seen&, unsigned bits) { note(kMet - 1, bits); }
)";
// The threads of a block meet before they note and before they report; those of a pass do so once
// for all its loops.
constexpr std::string_view kMeet = "inline void meet() { __syncthreads(); }\n",
                           kMeetElsewhere = "inline void meet() {}\n";
constexpr std::string_view kNothingSeen = R"(struct Seen {};
inline void report(const Arguments&, const Seen&) {}
inline void note_fold(Seen&, unsigned) {}
)";

class BodyText {
 public:
  BodyText(const FusedLoop& loop, const LoopLayout& layout, bool watched, bool fold_tells,
           int last_axis)
      : loop_(loop),
        layout_(layout),
        watched_(watched),
        fold_tells_(fold_tells),
        last_axis_(last_axis),
        quick_(loop, layout) {}

  std::string text() {
    write_place();
    write_seen();
    write_inputs();
    write_outputs();
    write_check();
    write_compute();
    return std::move(text_);
  }

 private:
  void write_place() {
    int rank = layout_.rank(), outer = layout_.rows > 1 ? 1 : 0;
    text_ += outer ? kRowPoint : "using Point = Index;\n";
    text_ += "struct Place {\n  Index ";
    for (int axis = 0; axis < rank; ++axis) {
      text_ += axis == 0 ? "at0" : (outer && axis == 1 ? ";\n  int at" : ", at") + number(axis);
    }
    if (layout_.grouping == Grouping::kMarch)
      text_ += ";\n  int row, first;\n  const char *near, *before";
    text_ += ";\n};\ninline Place place(const Arguments& a, Point point) {\n  Place p;\n";
    text_ += outer ? "  p.at0 = point.row;\n  " + std::string(rank > 2 ? "Index" : "int") +
                         " rest = point.at;\n"
                   : "  Index rest = point;\n";
    if (rank > outer + 1) text_ += "  Index whole;\n";
    for (int axis = rank - 1; axis > outer; --axis) {
      std::string k = number(axis);
      text_ += "  whole = divide_index(rest, a.m" + k + ", a.h" + k + ");\n  p.at" + k +
               " = rest - whole * a.e" + k + ";\n  rest = whole;\n";
    }
    if (rank > outer) text_ += "  p.at" + number(outer) + " = rest;\n";
    text_ += "  return p;\n}\n";
  }

  Tests find_own_tests() const {
    Known known = quick_.known();
    known.watched = watched_;
    if (fold_tells_) known.finite[loop_.folds[0].value] = true;
    return find_tests(loop_, known);
  }

  // What was met is gathered by blocks, a word for every step and one for the fold.
  void write_seen() {
    bool fold = watched_ && !loop_.folds.empty() && fold_raises(loop_.folds[0]);
    tests_ = find_own_tests();
    bool any = fold || (watched_ && (quick_.any() || tests_.any()));
    std::string count = number(any ? loop_.steps.size() + 1 : 0);
    text_ += "inline constexpr unsigned kMet = " + count + ";\n";
    if (any) text_ += layout_.rows > 1 ? kMeetElsewhere : kMeet;
    text_ += any ? kSeen : kNothingSeen;
  }

  // Where an element lies: in memory, or in the row that the block keeps.
  std::string at(std::size_t operand, bool writes, bool in_row) const {
    const Operand& it = writes ? layout_.outputs[operand] : layout_.inputs[operand];
    std::string text = (writes ? "a.q" : "a.p") + number(operand);
    if (in_row)
      text = "row_memory(a.row_bytes) + " + std::string(writes ? "a.w" : "a.r") + number(operand);
    int strides = stride_count(it, layout_.rank());
    if (in_row && layout_.is_still(it)) return text;
    const auto along = [&](int axis) {
      std::string stride = (writes ? "a.t" : "a.s") + number(operand) + "_" + number(axis);
      if (axis == strides) stride = "Stride(" + number(item_size(it.dtype)) + ")";
      return " + offset_of(p.at" + number(axis) + ", " + stride + ")";
    };
    std::string last;
    for (int axis = in_row ? 1 : 0; axis < strides + is_dense(it); ++axis) {
      (axis == last_axis_ ? last : text) += along(axis);
    }
    return text + last;
  }

  std::string input(std::size_t index) const {
    const Operand& it = layout_.inputs[index];
    std::string type(type_name(it.dtype));
    if (it.steps == Steps::kScalar) return "a.c" + number(index);
    if (it.steps == Steps::kRange) {
      std::string text = "a.f" + number(index);
      for (int axis = 0; axis < layout_.rank(); ++axis) {
        text += " + static_cast<long>(p.at" + number(axis) + ") * a.g" + number(index) + "_" +
                number(axis);
      }
      return text;
    }
    if (it.steps == Steps::kNear)
      return "near(p, " + number(it.line) + ", " + number(it.column) + ")";
    std::string load = it.steps == Steps::kUnaligned ? "load_bytes<" : "load<";
    return load + type + ">(" + at(index, false, it.slot >= 0) + ")";
  }

  bool is_still(std::size_t index) const { return layout_.is_still(layout_.inputs[index]); }

  // Whether what is one number for many points makes all of them odd; empty: nothing is asked.
  std::string still_test_text() const {
    std::string text;
    const auto ask = [&](const char* test, std::uint16_t i) {
      bool scalar = layout_.inputs[i].steps == Steps::kScalar;
      text += std::string(text.empty() ? "!" : " | !") + test + "(" +
              (scalar ? input(i) : value(i)) + ")";
    };
    for (std::uint16_t i : tests_.addends) ask("is_addend", i);
    for (std::uint16_t i : quick_.numerators()) ask("is_numerator", i);
    return text;
  }

  void write_inputs() {
    text_ += "struct Inputs {\n";
    for (std::size_t i = 0; i < loop_.inputs.size(); ++i) {
      text_ += "  " + std::string(type_name(loop_.inputs[i].dtype)) + " v" + number(i) + ";\n";
    }
    const std::string still_is_odd = still_test_text();
    if (!still_is_odd.empty()) text_ += "  bool odd;\n";
    std::string turned, still, moving;
    const std::string end = still_is_odd.empty() ? "" : "  x.odd = " + still_is_odd + ";\n";
    for (std::size_t i = 0; i < loop_.inputs.size(); ++i) {
      if (layout_.inputs[i].steps == Steps::kTurned) {
        turned += "inline auto turned" + number(i) +
                  "(const Arguments& a, const Place& p) { return " + input(i) + "; }\n";
      } else {
        (is_still(i) ? still : moving) += "  x.v" + number(i) + " = " + input(i) + ";\n";
      }
    }
    constexpr std::string_view kTakes = "(const Arguments& a, const Place& p, Inputs& x) {\n";
    text_ += "};\ninline void read_still" + std::string(kTakes) + still + end + "}\n";
    text_ += "inline void read" + std::string(kTakes) + moving + "}\n" + turned;
    if (layout_.grouping != Grouping::kPair) return;
    text_ +=
        "inline void read_pair(const Arguments& a, const Place& p, const Place& next, Inputs& x, "
        "Inputs& y) {\n";
    for (std::size_t i = 0; i < loop_.inputs.size(); ++i) {
      if (layout_.inputs[i].steps != Steps::kPairs) continue;
      std::string type(type_name(loop_.inputs[i].dtype)), v = number(i);
      text_ += "  const auto b" + v + " = load<Pair<" + type + ">>(" +
               at(i, false, layout_.inputs[i].slot >= 0) + ");\n  x.v" + v + " = b" + v +
               ".first;\n  y.v" + v + " = b" + v + ".second;\n";
    }
    std::string rest, other;
    for (std::size_t i = 0; i < loop_.inputs.size(); ++i) {
      if (layout_.inputs[i].steps == Steps::kPairs || is_still(i)) continue;
      rest += "  x.v" + number(i) + " = " + input(i) + ";\n";
      other += "    y.v" + number(i) + " = " + input(i) + ";\n";
    }
    text_ += rest + "  {\n    const Place& p = next;\n" + other + "  }\n}\n";
  }

  void write_outputs() {
    text_ += "struct Outputs {\n";
    std::string single, pair;
    for (std::size_t i = 0; i < loop_.outputs.size(); ++i) {
      const Operand& it = layout_.outputs[i];
      std::string type(type_name(it.dtype)), o = ".o" + number(i);
      text_ += "  " + type + " o" + number(i) + ";\n";
      std::string store = it.steps == Steps::kUnaligned ? "store_bytes<" : "store<";
      for (bool in_row : {true, false}) {
        if (in_row ? it.slot < 0 : !it.kept) continue;
        std::string to = at(i, true, in_row);
        single += "  " + store + type + ">(" + to + ", x" + o + ");\n";
        if (it.steps == Steps::kPairs) {
          pair += "  store<Pair<" + type + ">>(" + to + ", {x" + o + ", y" + o + "});\n";
        } else {
          pair += "  " + store + type + ">(" + to + ", x" + o +
                  ");\n  {\n    const Place& p = next;" + "\n    " + store + type + ">(" + to +
                  ", y" + o + ");\n  }\n";
        }
      }
    }
    if (!loop_.folds.empty()) {
      text_ += "  " + std::string(type_name(loop_.folds[0].type)) + " folded;\n";
    }
    text_ += "};\ninline void write(const Arguments& a, const Place& p, const Outputs& x) {\n" +
             single + "}\n";
    if (layout_.grouping != Grouping::kPair) return;
    text_ +=
        "inline void write_pair(const Arguments& a, const Place& p, const Place& next, const "
        "Outputs& x, const Outputs& y) {\n" +
        pair + "}\n";
  }

  std::string value(std::uint16_t index) const {
    return (index < loop_.inputs.size() ? "x.v" : "v") + number(std::size_t{index});
  }

  std::string step_text(const Step& step) const {
    std::string x = value(step.arguments[0]), y = value(step.arguments[step.count > 1 ? 1 : 0]);
    std::string z = value(step.arguments[step.count > 2 ? 2 : 0]);
    if (step.kind == Step::Kind::kSelect) return x + " ? " + y + " : " + z;
    if (step.kind == Step::Kind::kConvert) {
      return "convert<" + std::string(type_name(step.result)) + ">(" + x + ")";
    }
    std::string op(op_name(step.op)), row = "Row<" + op + ">";
    bool mixed = step.count == 2 && step.types[0] != step.types[1] && step.op != Op::kLdexp;
    if (mixed) return row + "::first(order(" + x + ", " + y + "), 0, 0)";
    return "compute_row<" + row + ", " + op + ", " + std::string(type_name(step.types[0])) + ">(" +
           x + ", " + y + ", " + z + ")";
  }

  // The template arguments and operands of a watched step's conditions.
  std::string watch_text(const Step& step, std::size_t index) const {
    std::string watched = number(int{step.watched}), x = value(step.arguments[0]);
    std::string result = "v" + number(loop_.inputs.size() + index);
    if (step.kind != Step::Kind::kOperation) return "<" + watched + ">(" + x + ", " + result + ")";
    std::string op(op_name(step.op)), y = value(step.arguments[step.count > 1 ? 1 : 0]);
    constexpr std::string_view kFrom[] = {"kNone", "kHardware", "kDerived", "kInteger"};
    std::string from(kFrom[static_cast<int>(facts(step.op).conditions)]);
    return "<" + watched + ", Row<" + op + ">, " + op + ", Conditions::" + from + ", " +
           std::string(type_name(step.types[0])) + ">(" + x + ", " + y + ", " + result + ")";
  }
  std::string conditions_text(const Step& step, std::size_t index) const {
    bool row = step.kind == Step::Kind::kOperation;
    std::string mask = row ? "" : " & " + number(int{step.watched});
    return (row ? "row_conditions" : "cast_conditions") + watch_text(step, index) + mask;
  }
  std::string test_text(const Step& step, std::size_t index) const {
    bool row = step.kind == Step::Kind::kOperation;
    return (row ? "row_is_odd" : "cast_is_odd") + watch_text(step, index);
  }

  void write_step(std::size_t i, bool quick) {
    const Step& step = loop_.steps[i];
    std::string result = "v" + number(loop_.inputs.size() + i);
    std::string x = value(step.arguments[0]), y = value(step.arguments[step.count > 1 ? 1 : 0]);
    text_ += "  const " + std::string(type_name(step.result)) + " " + result + " = " +
             (quick && quick_[i] ? quick_.text(step, x, y) : step_text(step)) + ";\n";
  }

  // All steps of a point again, for any operands and with the conditions of each.
  void write_check() {
    bool settles = quick_.any() || tests_.any() || fold_tells_;
    if (settles || layout_.grouping == Grouping::kPair) write_steps_again();
    text_ +=
        "inline void settle(const Arguments& a, const Place& p, bool odd, Outputs& results) {\n";
    text_ += settles ? "  if (odd) results = check(a, p);\n}\n" : "}\n";
  }
  void write_steps_again() {
    text_ +=
        "STRIDER_APART Outputs check(const Arguments& a, Place p) {\n  Inputs x;\n"
        "  read_still(a, p, x);\n  read(a, p, x);\n";
    for (std::size_t i = 0; i < loop_.inputs.size(); ++i) {
      if (layout_.inputs[i].steps != Steps::kTurned) continue;
      text_ += "  x.v" + number(i) + " = turned" + number(i) + "(a, p);\n";
    }
    for (std::size_t i = 0; i < loop_.steps.size(); ++i) {
      write_step(i, false);
      if (!watched_ || loop_.steps[i].watched == 0) continue;
      std::string bits = conditions_text(loop_.steps[i], i);
      text_ += "  if (unsigned bits = " + bits + ") note(" + number(i) + ", bits);\n";
    }
    write_results();
    text_ += "}\n";
  }

  void write_compute() {
    text_ += "inline Outputs compute(const Arguments& a, const Inputs& x, bool& odd) {\n";
    if (!still_test_text().empty()) text_ += "  odd |= x.odd;\n";
    for (std::size_t i = 0; i < loop_.steps.size(); ++i) write_step(i, true);
    const std::string_view test = watched_ ? "is_odd<0>(" : "!is_finite(";
    for (std::uint16_t i : tests_.values) {
      text_ += "  odd |= " + std::string(test) + value(i) + ");\n";
    }
    for (std::uint16_t i : tests_.steps) {
      text_ += "  odd |= " + test_text(loop_.steps[i], i) + ";\n";
    }
    write_results();
    text_ += "}\n";
  }

  void write_results() {
    text_ += "  Outputs results;\n";
    for (std::size_t i = 0; i < loop_.outputs.size(); ++i) {
      text_ += "  results.o" + number(i) + " = " + value(loop_.outputs[i].value) + ";\n";
    }
    if (!loop_.folds.empty()) text_ += "  results.folded = " + value(loop_.folds[0].value) + ";\n";
    text_ += "  return results;\n";
  }

  const FusedLoop& loop_;
  const LoopLayout& layout_;
  bool watched_, fold_tells_;
  int last_axis_;
  QuickSteps quick_;
  std::string text_;
  Tests tests_;
};

}  // namespace

int work_of(const FusedLoop& loop) {
  int work = 0;
  for (const Step& step : loop.steps) {
    OpGroup group = facts(step.op).group;
    bool dear = step.kind == Step::Kind::kOperation &&
                (group == OpGroup::kExponential || group == OpGroup::kPower ||
                 group == OpGroup::kTrigonometric || group == OpGroup::kDivision);
    work += dear ? 16 : 1;
  }
  return work;
}

bool fold_raises(const LoopFold& fold) {
  return is_inexact(fold.type) && facts(fold.op).conditions != Conditions::kNone;
}

bool watches(const FusedLoop& loop) {
  for (const Step& step : loop.steps) {
    if (step.watched) return true;
  }
  return !loop.folds.empty() && fold_raises(loop.folds[0]);
}

void append_steps_key(const FusedLoop& loop, bool watched, std::string& key) {
  auto add = [&](int value) {
    key += std::to_string(value);
    key += ',';
  };
  for (const Step& step : loop.steps) {
    key += "oxc"[static_cast<int>(step.kind)];
    if (step.kind == Step::Kind::kOperation) add(static_cast<int>(step.op));
    for (int i = 0; i < step.count; ++i) {
      key += facts(step.types[i]).code;
      add(step.arguments[i]);
    }
    key += facts(step.result).code;
    if (watched && step.watched) key += static_cast<char>('A' + step.watched);
  }
  key += watched ? '!' : '.';
  for (const LoopOutput& output : loop.outputs) add(output.value);
}

void add_body_arguments(const FusedLoop& loop, const LoopLayout& layout, std::uint32_t* conditions,
                        Arguments& arguments) {
  arguments.add_index("points", layout.points, layout.wide);
  for (int axis = 1; axis < layout.rank(); ++axis) {
    Divisor divisor = find_divisor(layout.extents[axis], layout.wide);
    arguments.add_index("e", layout.extents[axis], layout.wide, axis);
    arguments.add_index("m", static_cast<std::int64_t>(divisor.factor), layout.wide, axis);
    arguments.add("unsigned", "h", divisor.shift, axis);
  }
  for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
    add_operand(layout.inputs[i], static_cast<int>(i), layout.wide, false, arguments);
  }
  for (std::size_t i = 0; i < loop.outputs.size(); ++i) {
    add_operand(layout.outputs[i], static_cast<int>(i), layout.wide, true, arguments);
  }
  if (layout.row_bytes > 0) {
    arguments.add("unsigned", "row_bytes", static_cast<std::uint32_t>(layout.row_bytes));
  }
  if (layout.fold_slot >= 0) {
    arguments.add("unsigned", "fold_slot", static_cast<std::uint32_t>(layout.fold_slot));
  }
  if (!conditions) return;
  arguments.add("unsigned*", "conditions", conditions);
  arguments.changes(ChangingField::Kind::kConditions);
}

std::string body_text(const FusedLoop& loop, const LoopLayout& layout, bool watched,
                      bool fold_tells, int last_axis) {
  return BodyText(loop, layout, watched, fold_tells, last_axis).text();
}

}  // namespace strider::nd::cuda
