// Opens the plug-in that draws.
#include "interpreter/builtins/drawing/plugin.h"

#include "interpreter/builtins/plugin_file.h"
#include "interpreter/runtime/error/error.h"

namespace strider::lang {

const drawing::Drawing& drawing_plugin() {
  static const auto opened =
      open_plugin<drawing::Drawing>("libstrider_drawing.so", drawing::kDrawingEntry, "cairo",
                                    drawing::kContract, STRIDER_VERSION);
  if (!opened.offer) raise(errors::ImportError, "figures cannot be drawn: {}", opened.reason);
  return *opened.offer;
}

}  // namespace strider::lang
