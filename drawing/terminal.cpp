// Chafa knows the terminals; the environment says which one this is.
#include "drawing/terminal.h"

#include <chafa.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string_view>

namespace strider::drawing {
namespace {

template <class T, void (*kRelease)(T*)>
struct Releaser {
  void operator()(T* object) const { kRelease(object); }
};
using Terminal = std::unique_ptr<ChafaTermInfo, Releaser<ChafaTermInfo, chafa_term_info_unref>>;
using Config =
    std::unique_ptr<ChafaCanvasConfig, Releaser<ChafaCanvasConfig, chafa_canvas_config_unref>>;
using Canvas = std::unique_ptr<ChafaCanvas, Releaser<ChafaCanvas, chafa_canvas_unref>>;
using Symbols = std::unique_ptr<ChafaSymbolMap, Releaser<ChafaSymbolMap, chafa_symbol_map_unref>>;

constexpr int kCellWidth = 10, kCellHeight = 20;  // pixels, where nobody says how large cells are

ChafaPixelMode best_pixels(const ChafaTermInfo* terminal) {
  if (chafa_term_info_have_seq(terminal, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1))
    return CHAFA_PIXEL_MODE_KITTY;
  if (chafa_term_info_have_seq(terminal, CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE))
    return CHAFA_PIXEL_MODE_ITERM2;
  if (chafa_term_info_have_seq(terminal, CHAFA_TERM_SEQ_BEGIN_SIXELS))
    return CHAFA_PIXEL_MODE_SIXELS;
  return CHAFA_PIXEL_MODE_SYMBOLS;
}

bool holds(const char* variable, std::initializer_list<std::string_view> words) {
  const char* value = std::getenv(variable);
  return value && std::any_of(words.begin(), words.end(), [value](std::string_view word) {
           return std::string_view(value).find(word) != std::string_view::npos;
         });
}

// Chafa takes every xterm for one with all colours; those who have them say so.
ChafaCanvasMode best_colours(const ChafaTermInfo* terminal) {
  bool direct = holds("COLORTERM", {"truecolor", "24bit"}) ||
                holds("TERM", {"direct", "kitty", "foot", "alacritty", "ghostty", "mlterm"});
  if (direct && chafa_term_info_have_seq(terminal, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT))
    return CHAFA_CANVAS_MODE_TRUECOLOR;
  if (direct || holds("TERM", {"256color"})) return CHAFA_CANVAS_MODE_INDEXED_240;
  return CHAFA_CANVAS_MODE_INDEXED_16;
}

Config make_config(const ChafaTermInfo* terminal, const Picture& picture, int columns, int rows) {
  Config config(chafa_canvas_config_new());
  Symbols symbols(chafa_symbol_map_new());
  auto blocks = static_cast<ChafaSymbolTags>(CHAFA_SYMBOL_TAG_BLOCK | CHAFA_SYMBOL_TAG_BORDER |
                                             CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_DIAGONAL);
  chafa_symbol_map_add_by_tags(symbols.get(), blocks);
  chafa_canvas_config_set_symbol_map(config.get(), symbols.get());
  chafa_canvas_config_set_canvas_mode(config.get(), best_colours(terminal));
  ChafaPixelMode mode = best_pixels(terminal);
  chafa_canvas_config_set_pixel_mode(config.get(), mode);
  if (mode != CHAFA_PIXEL_MODE_SYMBOLS) {
    chafa_canvas_config_set_cell_geometry(config.get(), kCellWidth, kCellHeight);
    columns = std::min(columns, static_cast<int>(picture.width) / kCellWidth);
  }
  chafa_calc_canvas_geometry(static_cast<int>(picture.width), static_cast<int>(picture.height),
                             &columns, &rows, 0.5F, FALSE, FALSE);
  chafa_canvas_config_set_geometry(config.get(), columns, rows);
  return config;
}

}  // namespace

std::string terminal_text(const Picture& picture, int columns, int rows) {
  Terminal terminal(chafa_term_db_detect(chafa_term_db_get_default(), environ));
  Config config = make_config(terminal.get(), picture, columns, rows);
  Canvas canvas(chafa_canvas_new(config.get()));
  chafa_canvas_draw_all_pixels(canvas.get(), CHAFA_PIXEL_RGBA8_UNASSOCIATED, picture.bytes.data(),
                               static_cast<int>(picture.width), static_cast<int>(picture.height),
                               static_cast<int>(picture.width * 4));
  GString* text = chafa_canvas_print(canvas.get(), terminal.get());
  std::string result(text->str, text->len);
  g_string_free(text, TRUE);
  return result;
}

}  // namespace strider::drawing
