// Faces are opened once and kept; what is slanted is an upright face sheared.
#include "drawing/fonts.h"

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

namespace strider::drawing {
namespace {

namespace fs = std::filesystem;

constexpr double kShear = 0.2;

const char* file_stem(const std::string& family) {
  if (family == "serif") return "DejaVuSerif";
  if (family == "monospace") return "DejaVuSansMono";
  return "DejaVuSans";
}

std::string find_file(const Font& font) {
  std::string name = std::string(file_stem(font.family)) + (font.bold ? "-Bold" : "") + ".ttf";
  std::vector<std::string> folders = {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu",
                                      "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/TTF"};
  if (const char* own = std::getenv("STRIDER_FONT_FOLDER")) folders.insert(folders.begin(), own);
  std::error_code ignored;
  for (const std::string& folder : folders)
    if (fs::exists(fs::path(folder) / name, ignored)) return fs::path(folder) / name;
  return {};
}

cairo_font_face_t* open_file(const std::string& file) {
  static FT_Library library = [] {
    FT_Library made = nullptr;
    FT_Init_FreeType(&made);
    return made;
  }();
  FT_Face face = nullptr;
  if (file.empty() || !library || FT_New_Face(library, file.c_str(), 0, &face) != 0) return nullptr;
  return cairo_ft_font_face_create_for_ft_face(face, 0);
}

cairo_font_face_t* face_of(const Font& font) {
  static std::map<std::string, cairo_font_face_t*> faces;
  std::string key = font.family + (font.bold ? "*" : "");
  auto [place, is_new] = faces.try_emplace(key, nullptr);
  if (is_new) place->second = open_file(find_file(font));
  if (!place->second)
    place->second =
        cairo_toy_font_face_create(font.family.c_str(), CAIRO_FONT_SLANT_NORMAL,
                                   font.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  return place->second;
}

cairo_t* measuring_context() {
  static cairo_t* context = cairo_create(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
  return context;
}

}  // namespace

void select_font(cairo_t* context, const Font& font) {
  cairo_set_font_face(context, face_of(font));
  cairo_matrix_t matrix;
  cairo_matrix_init(&matrix, font.size, 0, font.slanted ? -kShear * font.size : 0, font.size, 0, 0);
  cairo_set_font_matrix(context, &matrix);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context, options);
  cairo_font_options_destroy(options);
}

TextSize measure(std::string_view text, const Font& font) {
  if (!is_font_size(font.size)) return {};
  cairo_t* context = measuring_context();
  select_font(context, font);
  cairo_text_extents_t extents;
  cairo_text_extents(context, std::string(text).c_str(), &extents);
  TextSize size;
  size.advance = extents.x_advance;
  size.ink = {extents.x_bearing, -extents.y_bearing - extents.height,
              extents.x_bearing + extents.width, -extents.y_bearing};
  return size;
}

namespace {

struct PathDeleter {
  void operator()(cairo_path_t* path) const { cairo_path_destroy(path); }
};

void append(Outline& outline, const cairo_path_data_t* points, int count, char command) {
  for (int i = 1; i <= count; ++i) {
    outline.x.push_back(points[i].point.x);
    outline.y.push_back(-points[i].point.y);
  }
  outline.commands += command;
}

}  // namespace

Outline outline(std::string_view text, const Font& font) {
  Outline result;
  if (!is_font_size(font.size)) return result;
  cairo_t* context = measuring_context();
  select_font(context, font);
  cairo_new_path(context);
  cairo_move_to(context, 0, 0);
  cairo_text_path(context, std::string(text).c_str());
  std::unique_ptr<cairo_path_t, PathDeleter> path(cairo_copy_path(context));
  cairo_new_path(context);
  const cairo_path_data_t* data = path->data;
  for (int i = 0; i < path->num_data; i += data[i].header.length) {
    switch (data[i].header.type) {
      case CAIRO_PATH_MOVE_TO:
        append(result, data + i, 1, 'M');
        break;
      case CAIRO_PATH_LINE_TO:
        append(result, data + i, 1, 'L');
        break;
      case CAIRO_PATH_CURVE_TO:
        append(result, data + i, 3, 'C');
        break;
      case CAIRO_PATH_CLOSE_PATH:
        append(result, data + i, 0, 'Z');
        break;
    }
  }
  return result;
}

}  // namespace strider::drawing
