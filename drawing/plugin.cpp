// The plug-in's entry.
#include "drawing/contours.h"
#include "drawing/fonts.h"
#include "drawing/page.h"
#include "drawing/png.h"
#include "drawing/terminal.h"

using namespace strider::drawing;

extern "C" __attribute__((visibility("default"))) const Drawing* strider_drawing() {
  static const Drawing drawing = {kContract,  STRIDER_VERSION, open_page, measure,
                                  outline,    read_png,        write_png, level_lines,
                                  level_band, terminal_text};
  return &drawing;
}
