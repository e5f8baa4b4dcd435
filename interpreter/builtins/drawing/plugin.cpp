// Opens the plug-in that draws.
#include "interpreter/builtins/drawing/plugin.h"

#include <cstring>

#include "interpreter/builtins/plugin_file.h"
#include "interpreter/runtime/error/error.h"

namespace strider::lang {
namespace {

struct Opened {
  const drawing::Drawing* plugin = nullptr;
  std::string reason;

  Opened() {
    auto* entry = reinterpret_cast<drawing::DrawingEntry*>(
        find_plugin_entry("libstrider_drawing.so", drawing::kDrawingEntry, "cairo", reason));
    if (!entry) return;
    const drawing::Drawing* found = entry();
    bool ours =
        found->contract == drawing::kContract && std::strcmp(found->version, STRIDER_VERSION) == 0;
    if (ours) plugin = found;
    if (!ours) reason = "the plug-in belongs to another version of this program";
  }
};

}  // namespace

const drawing::Drawing& drawing_plugin() {
  static const Opened opened;
  if (!opened.plugin) raise(errors::ImportError, "figures cannot be drawn: {}", opened.reason);
  return *opened.plugin;
}

}  // namespace strider::lang
