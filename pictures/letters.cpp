// Letters set one behind the other, by FreeType. Lengths within are in 64ths of pixels.
#include "pictures/letters.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_GLYPH_H
#include FT_STROKER_H

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "pictures/loops.h"

namespace strider::pictures {
namespace {

struct OpenFace {
  std::string file;
  FT_Face face = nullptr;
};

FT_Library library() {
  static FT_Library made = [] {
    FT_Library library = nullptr;
    if (FT_Init_FreeType(&library) != 0) throw std::runtime_error("FreeType cannot be used");
    return library;
  }();
  return made;
}

std::vector<std::unique_ptr<OpenFace>>& faces() {
  static std::vector<std::unique_ptr<OpenFace>> open;
  return open;
}

FT_Face sized_face(int number, double size) {
  if (number < 0 || static_cast<std::size_t>(number) >= faces().size())
    throw std::runtime_error("no face has this number");
  FT_Face face = faces()[static_cast<std::size_t>(number)]->face;
  if (!(size > 0 && size < 10000)) throw std::runtime_error("invalid ppem value");
  if (FT_Set_Char_Size(face, 0, static_cast<FT_F26Dot6>(std::lround(size * 64)), 0, 0) != 0)
    throw std::runtime_error("the font has no letters of this size");
  return face;
}

FT_Pos to_pixels(FT_Pos length) { return (length + 32) >> 6; }

int load_flags(const TextOptions& options) {
  int flags = options.smooth ? FT_LOAD_DEFAULT : FT_LOAD_TARGET_MONO;
  return options.stroke > 0 ? flags | FT_LOAD_NO_BITMAP : flags;
}

void load(FT_Face face, FT_UInt index, int flags) {
  if (FT_Load_Glyph(face, index, flags) != 0)
    throw std::runtime_error("a letter of the font cannot be read");
}

struct Letter {
  FT_UInt index;
  FT_Pos start, advance;
};

// Where letters begin, one after the other and closer where the font says so.
std::vector<Letter> lay_out(FT_Face face, std::u32string_view text, const TextOptions& options) {
  std::vector<Letter> letters;
  FT_Pos at = 0;
  for (char32_t character : text) {
    const FT_UInt index = FT_Get_Char_Index(face, character);
    if (FT_HAS_KERNING(face) && !letters.empty() && letters.back().index != 0 && index != 0) {
      FT_Vector closer{};
      if (FT_Get_Kerning(face, letters.back().index, index, FT_KERNING_UNFITTED, &closer) == 0)
        at += closer.x;
    }
    load(face, index, load_flags(options));
    letters.push_back({index, at, face->glyph->metrics.horiAdvance});
    at += letters.back().advance;
  }
  return letters;
}

struct GlyphDeleter {
  void operator()(FT_Glyph glyph) const { FT_Done_Glyph(glyph); }
};
using Glyph = std::unique_ptr<FT_GlyphRec_, GlyphDeleter>;
struct StrokerDeleter {
  void operator()(FT_Stroker stroker) const { FT_Stroker_Done(stroker); }
};
using Stroker = std::unique_ptr<FT_StrokerRec_, StrokerDeleter>;

Glyph current_glyph(FT_Face face) {
  FT_Glyph glyph = nullptr;
  if (FT_Get_Glyph(face->glyph, &glyph) != 0) throw std::bad_alloc();
  return Glyph(glyph);
}

Stroker make_stroker(double width) {
  FT_Stroker stroker = nullptr;
  if (FT_Stroker_New(library(), &stroker) != 0) throw std::bad_alloc();
  FT_Stroker_Set(stroker, static_cast<FT_Fixed>(std::lround(width * 64)), FT_STROKER_LINECAP_ROUND,
                 FT_STROKER_LINEJOIN_ROUND, 0);
  return Stroker(stroker);
}

// The letter with a stroke around it, or the stroke alone, as pixels.
Glyph stroked(FT_Face face, FT_Stroker stroker, bool filled) {
  FT_Glyph glyph = current_glyph(face).release();
  bool failed = filled ? FT_Glyph_StrokeBorder(&glyph, stroker, 0, 1) != 0
                       : FT_Glyph_Stroke(&glyph, stroker, 1) != 0;
  FT_Vector origin{};
  failed = failed || FT_Glyph_To_Bitmap(&glyph, FT_RENDER_MODE_NORMAL, &origin, 1) != 0;
  Glyph result(glyph);
  if (failed) throw std::runtime_error("a letter of the font cannot be stroked");
  return result;
}

int coverage(const FT_Bitmap& bitmap, unsigned row, unsigned column) {
  const unsigned char* source = bitmap.buffer + static_cast<std::ptrdiff_t>(row) * bitmap.pitch;
  if (bitmap.pixel_mode == FT_PIXEL_MODE_MONO)
    return (source[column / 8] >> (7 - column % 8) & 1) * 255;
  if (bitmap.pixel_mode != FT_PIXEL_MODE_GRAY)
    throw std::runtime_error("unsupported bitmap pixel mode");
  return source[column];
}

void cover(const FT_Bitmap& bitmap, std::int64_t left, std::int64_t top, const Raster& target) {
  for (unsigned row = 0; row < bitmap.rows; ++row)
    for (unsigned column = 0; column < bitmap.width; ++column) {
      const std::int64_t x = left + column, y = top + row;
      if (x < 0 || x >= target.width || y < 0 || y >= target.height) continue;
      std::uint8_t& pixel = target.row<std::uint8_t>(y)[x];
      const int value = coverage(bitmap, row, column);
      const int behind = scaled(pixel, static_cast<unsigned>(255 - value));
      pixel = static_cast<std::uint8_t>(std::min(value + behind, 255));
    }
}

// From the corner of what letters cover to where their line begins, in pixels.
struct Corner {
  FT_Pos left = 0, top = 0;
};
Corner corner_of(FT_Face face, const std::vector<Letter>& letters, int flags) {
  Corner corner;
  for (const Letter& letter : letters) {
    load(face, letter.index, flags | FT_LOAD_RENDER);
    corner.top = std::max<FT_Pos>(corner.top, face->glyph->bitmap_top);
    corner.left = std::min<FT_Pos>(corner.left, face->glyph->bitmap_left + to_pixels(letter.start));
  }
  return corner;
}

}  // namespace

int open_face(std::string_view file, int index) {
  auto open = std::make_unique<OpenFace>();
  open->file = file;
  if (FT_New_Memory_Face(library(), reinterpret_cast<const FT_Byte*>(open->file.data()),
                         static_cast<FT_Long>(open->file.size()), index, &open->face) != 0)
    throw std::runtime_error("unknown file format");
  faces().push_back(std::move(open));
  return static_cast<int>(faces().size()) - 1;
}

FaceFacts face_facts(int number, double size) {
  FT_Face face = sized_face(number, size);
  const FT_Size_Metrics& metrics = face->size->metrics;
  auto text = [](const char* name) { return std::string(name ? name : ""); };
  return {text(face->family_name), text(face->style_name), metrics.ascender, metrics.descender};
}

TextBox text_box(int number, std::u32string_view text, const TextOptions& asked) {
  TextOptions options = asked;
  options.stroke = 0;
  FT_Face face = sized_face(number, options.size);
  TextBox box;
  for (const Letter& letter : lay_out(face, text, options)) {
    load(face, letter.index, load_flags(options));
    FT_BBox ink;
    FT_Glyph_Get_CBox(current_glyph(face).get(), FT_GLYPH_BBOX_PIXELS, &ink);
    const FT_Pos start = to_pixels(letter.start);
    box.advance = letter.start + letter.advance;
    box.right = std::max<FT_Pos>({box.right, to_pixels(box.advance), ink.xMax + start});
    box.left = std::min<FT_Pos>(box.left, ink.xMin + start);
    box.top = std::max<FT_Pos>(box.top, ink.yMax);
    box.bottom = std::min<FT_Pos>(box.bottom, ink.yMin);
  }
  return box;
}

void draw_text(int number, std::u32string_view text, const TextOptions& options, double x, double y,
               const Raster& target) {
  FT_Face face = sized_face(number, options.size);
  const std::vector<Letter> letters = lay_out(face, text, options);
  const int flags = load_flags(options);
  const Corner corner = corner_of(face, letters, flags);
  const FT_Pos from_left =
      std::lround((static_cast<double>(-corner.left) + options.stroke + x) * 64);
  const FT_Pos from_top = std::lround((static_cast<double>(corner.top) + options.stroke + y) * 64);
  Stroker stroker = options.stroke > 0 ? make_stroker(options.stroke) : nullptr;
  for (const Letter& letter : letters) {
    load(face, letter.index, stroker ? flags : flags | FT_LOAD_RENDER);
    const FT_Pos column = to_pixels(from_left + letter.start), line = -to_pixels(-from_top);
    if (!stroker) {
      const FT_GlyphSlot slot = face->glyph;
      cover(slot->bitmap, column + slot->bitmap_left, line - slot->bitmap_top, target);
      continue;
    }
    Glyph glyph = stroked(face, stroker.get(), options.filled);
    auto* bitmap = reinterpret_cast<FT_BitmapGlyph>(glyph.get());
    cover(bitmap->bitmap, column + bitmap->left, line - bitmap->top, target);
  }
}

}  // namespace strider::pictures
