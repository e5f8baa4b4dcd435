// Results and elements by number are groups of axes in a mixed radix.
#include "kernels/backend/cuda/jit/fold_places.h"

#include <string_view>

namespace strider::nd::cuda {
namespace {

// In a pass a result is a row, all of which is folded.
constexpr std::string_view kRowPositions = R"(
inline Point result_base(const Arguments&, Index row) {
  return {row, 0};
}
inline int fold_offset(const Arguments&, int position) { return position; }
)";

// Where the elements of a result are: counted from its first one's number, or, where one axis of
// the operands is folded, by that coordinate, so that none has to be found by division.
constexpr std::string_view kByNumber = R"(
using FoldStart = Point;
inline FoldStart fold_start(const Arguments&, Point base) { return base; }
template <class Position>
inline auto fold_point(const Arguments& a, FoldStart start, Position position) {
  return start + fold_offset(a, position);
}
)";
constexpr std::string_view kByCoordinate = R"(
struct FoldStart {
  Place place;
};
inline FoldStart fold_start(const Arguments& a, Point base) { return {place(a, base)}; }
template <class Position>
inline FoldStart fold_point(const Arguments&, FoldStart start, Position position) {
  start.place.atAXIS = static_cast<Index>(position);
  return start;
}
inline Place place(const Arguments&, const FoldStart& point) { return point.place; }
)";

// The point of a result, or the points to one of its elements, from the position among them.
std::string position_text(std::string_view name, std::string prefix, int groups) {
  std::string text = "inline Index " + std::string(name) +
                     "(const Arguments& a, Index rest) {\n  Index point = 0;\n";
  if (groups > 1) text += "  Index whole;\n";
  for (int i = groups - 1; i >= 0; --i) {
    std::string n = std::to_string(i), w = "a." + prefix + "w" + n;
    if (i == 0) {
      text += "  point += rest * " + w + ";\n";
    } else {
      text += "  whole = divide_index(rest, a." + prefix + "m" + n + ", a." + prefix + "h" + n +
              ");\n  point += (rest - whole * a." + prefix + "e" + n + ") * " + w +
              ";\n  rest = whole;\n";
    }
  }
  return text + "  return point;\n}\n";
}

std::string finding_text(const FoldPlan& plan, const LoopLayout& layout) {
  int axis = folded_axis(plan, layout);
  if (axis < 0) return std::string(kByNumber);
  std::string text(kByCoordinate);
  return text.replace(text.find("AXIS"), 4, std::to_string(axis));
}

}  // namespace

int folded_axis(const FoldPlan& plan, const LoopLayout& layout) {
  bool looked_for = plan.shape == Shape::kRows || plan.shape == Shape::kColumns;
  if (!looked_for || layout.rows > 1 || layout.rank() < 2) return -1;
  const AxisGroup* group = nullptr;
  for (const AxisGroup& each : plan.groups) {
    if (!each.folded) continue;
    if (group) return -1;
    group = &each;
  }
  std::int64_t points = 1;
  for (int axis = layout.rank() - 1; group && axis >= 0; --axis) {
    if (points == group->points && layout.extents[axis] == group->extent) return axis;
    points *= layout.extents[axis];
  }
  return -1;
}

std::string fold_places_text(const FoldPlan& plan, const LoopLayout& layout) {
  if (layout.rows > 1) return std::string(kRowPositions) + std::string(kByNumber);
  int folded = 0;
  for (const AxisGroup& group : plan.groups) folded += group.folded;
  int kept = static_cast<int>(plan.groups.size()) - folded;
  return position_text("result_base", "k", kept) + position_text("fold_offset", "d", folded) +
         finding_text(plan, layout);
}

}  // namespace strider::nd::cuda
