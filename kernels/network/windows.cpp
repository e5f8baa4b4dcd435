// Checks of windows.
#include "kernels/network/windows.h"

#include <algorithm>

#include "kernels/network/operand.h"

namespace strider::nd {
namespace {

std::string pair_text(std::int64_t a, std::int64_t b) {
  return std::to_string(a) + "x" + std::to_string(b);
}

// As many zeros as make ceil(extent / stride) places; the odd one is behind.
void pad_same(WindowAxis& axis) {
  std::int64_t places = (axis.extent + axis.stride - 1) / axis.stride;
  std::int64_t all = (places - 1) * axis.stride + axis.reach() - axis.extent;
  all = std::max<std::int64_t>(all, 0);
  axis.before = all / 2;
  axis.after = all - all / 2;
}

void require_pair(const char* function, const char* name, const WindowPair& pair) {
  require_number(function, name, pair.down, 1);
  require_number(function, name, pair.across, 1);
}

}  // namespace

WindowAxes window_axes(const char* function, std::int64_t height, std::int64_t width,
                       const WindowPair& size, const WindowPair& stride, const WindowPair& dilation,
                       const WindowPadding& padding) {
  require_pair(function, "the size of windows", size);
  require_pair(function, "stride", stride);
  require_pair(function, "dilation", dilation);
  for (std::int64_t each : {padding.top, padding.bottom, padding.left, padding.right})
    require_number(function, "padding", each, 0);
  WindowAxes axes;
  axes.rows = {height, size.down, stride.down, padding.top, padding.bottom, dilation.down};
  axes.columns = {width, size.across, stride.across, padding.left, padding.right, dilation.across};
  if (padding.same) {
    pad_same(axes.rows);
    pad_same(axes.columns);
  }
  auto too_small = [](const WindowAxis& axis) {
    return axis.before + axis.extent + axis.after < axis.reach();
  };
  if (too_small(axes.rows) || too_small(axes.columns)) {
    auto around = [](const WindowAxis& axis) { return axis.before + axis.extent + axis.after; };
    fail_network(function,
                 "windows that reach over " + pair_text(axes.rows.reach(), axes.columns.reach()) +
                     " elements do not fit into images of " + pair_text(height, width) + " (" +
                     pair_text(around(axes.rows), around(axes.columns)) + " with padding)");
  }
  return axes;
}

}  // namespace strider::nd
