// A map that repeats another one along an axis has as many elements as the axis has places for each
// of the other's.
#include "kernels/graph/plan/left_out_axis.h"

#include <algorithm>

#include "kernels/graph/expression/space.h"

namespace strider::nd {
namespace {

// Operations that the places' outputs may have together.
constexpr std::uint32_t kMostRepeated = 64;

LeftOutAxis leave_out(const Expression& map, const Dims& order, int left_out) {
  LeftOutAxis axis;
  for (int i = 0; i < order.size(); ++i) {
    int each = static_cast<int>(order[i]);
    if (i == left_out) {
      axis.places = map.shape[each];
      axis.step = map.strides[each];
    } else {
      axis.extents.push_back(map.shape[each]);
      axis.strides.push_back(map.strides[each]);
    }
  }
  return axis;
}

}  // namespace

std::vector<LeftOutAxis> repeating_axes(const Expression& map, const Expression& repeated,
                                        std::int64_t most_places) {
  std::vector<LeftOutAxis> found;
  if (!repeated.is_map()) return found;
  Dims order = storage_order(map.shape, map.strides);
  std::uint32_t own_weight = map.weight - std::min(map.weight, repeated.weight);
  for (int i = 0; i < order.size(); ++i) {
    std::int64_t places = map.shape[static_cast<int>(order[i])];
    if (places < 2 || places > most_places || repeated.size() * places != map.size()) continue;
    if (static_cast<std::uint32_t>(places) * own_weight > kMostRepeated) continue;
    found.push_back(leave_out(map, order, i));
  }
  return found;
}

}  // namespace strider::nd
