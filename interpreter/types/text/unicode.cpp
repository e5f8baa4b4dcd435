// Character properties by utf8proc; what it lacks (numeric values, final sigma) is settled here.
#include "interpreter/types/text/unicode.h"

#include <utf8proc.h>

#include <cstdint>

#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

utf8proc_category_t category(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

bool in_range(char32_t code, char32_t first, char32_t last) {
  return code >= first && code <= last;
}

// Digits that are not decimal: superscripts, circled and the like.
bool is_special_digit(char32_t code) {
  constexpr char32_t kRanges[][2] = {
      {0xB2, 0xB3},       {0xB9, 0xB9},       {0x1369, 0x1371},   {0x19DA, 0x19DA},
      {0x2070, 0x2070},   {0x2074, 0x2079},   {0x2080, 0x2089},   {0x2460, 0x2468},
      {0x2474, 0x247C},   {0x2488, 0x2490},   {0x24EA, 0x24EA},   {0x24F5, 0x24FD},
      {0x24FF, 0x24FF},   {0x2776, 0x277E},   {0x2780, 0x2788},   {0x278A, 0x2792},
      {0x10A40, 0x10A43}, {0x10E60, 0x10E68}, {0x11052, 0x1105A}, {0x1F100, 0x1F10A},
  };
  for (auto [first, last] : kRanges)
    if (in_range(code, first, last)) return true;
  return false;
}

bool is_cjk_number(char32_t code) {
  constexpr char32_t kNumbers[] = {0x3007, 0x4E00, 0x4E03, 0x4E07, 0x4E09, 0x4E5D, 0x4E8C,
                                   0x4E94, 0x4EBF, 0x5104, 0x5146, 0x516B, 0x516D, 0x5341,
                                   0x5343, 0x56DB, 0x767E, 0x842C, 0x96F6, 0x5345, 0x5344};
  for (char32_t number : kNumbers)
    if (code == number) return true;
  return false;
}

}  // namespace

bool is_space(char32_t code) {
  if (code < 0x80) return in_range(code, 9, 13) || in_range(code, 28, 32);
  return code == 0x85 || category(code) == UTF8PROC_CATEGORY_ZS || code == 0x2028 || code == 0x2029;
}

bool is_alpha(char32_t code) {
  if (code < 0x80) return in_range(code | 0x20, 'a', 'z');
  return in_range(category(code), UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
}

bool is_decimal(char32_t code) {
  if (code < 0x80) return in_range(code, '0', '9');
  return category(code) == UTF8PROC_CATEGORY_ND;
}

bool is_digit(char32_t code) { return is_decimal(code) || (code > 0x80 && is_special_digit(code)); }

bool is_numeric(char32_t code) {
  if (code < 0x80) return in_range(code, '0', '9');
  auto kind = category(code);
  return kind == UTF8PROC_CATEGORY_ND || kind == UTF8PROC_CATEGORY_NL ||
         kind == UTF8PROC_CATEGORY_NO || is_cjk_number(code);
}

bool is_upper(char32_t code) {
  if (code < 0x80) return in_range(code, 'A', 'Z');
  return utf8proc_isupper(static_cast<utf8proc_int32_t>(code));
}

bool is_lower(char32_t code) {
  if (code < 0x80) return in_range(code, 'a', 'z');
  return utf8proc_islower(static_cast<utf8proc_int32_t>(code));
}

bool is_title(char32_t code) { return code > 0x80 && category(code) == UTF8PROC_CATEGORY_LT; }

bool is_cased(char32_t code) { return is_upper(code) || is_lower(code) || is_title(code); }

bool is_printable(char32_t code) {
  if (code < 0x80) return in_range(code, 32, 126);
  switch (category(code)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
      return false;
    default:
      return true;
  }
}

bool is_identifier_start(char32_t code) {
  if (code < 0x80) return is_alpha(code) || code == '_';
  return is_alpha(code) || category(code) == UTF8PROC_CATEGORY_NL || code == 0x2118 ||
         code == 0x212E || code == 0x309B || code == 0x309C;
}

bool is_identifier_part(char32_t code) {
  if (code < 0x80) return is_identifier_start(code) || in_range(code, '0', '9');
  auto kind = category(code);
  return is_identifier_start(code) || kind == UTF8PROC_CATEGORY_ND ||
         kind == UTF8PROC_CATEGORY_MN || kind == UTF8PROC_CATEGORY_MC ||
         kind == UTF8PROC_CATEGORY_PC || code == 0xB7 || code == 0x387;
}

int decimal_value(char32_t code) {
  if (code < 0x80) return in_range(code, '0', '9') ? static_cast<int>(code - '0') : -1;
  if (category(code) != UTF8PROC_CATEGORY_ND) return -1;
  // The digits of a script follow each other from zero, and the runs start after a non-digit or
  // after a whole run of ten.
  int value = 0;
  while (value < 9 && category(code - 1) == UTF8PROC_CATEGORY_ND) {
    --code;
    ++value;
  }
  if (in_range(code + static_cast<char32_t>(value), 0x1D7CE, 0x1D7FF))
    return static_cast<int>((code + static_cast<char32_t>(value) - 0x1D7CE) % 10);
  return value;
}

namespace {

// Characters whose upper case is several characters.
struct Expansion {
  char32_t code;
  const char* upper;
  const char* title;
};

constexpr Expansion kExpansions[] = {
    {0xDF, "SS", "Ss"},
    {0x149, "\u02BCN", "\u02BCN"},
    {0x1F0, "J\u030C", "J\u030C"},
    {0x390, "\u0399\u0308\u0301", "\u0399\u0308\u0301"},
    {0x3B0, "\u03A5\u0308\u0301", "\u03A5\u0308\u0301"},
    {0x587, "\u0535\u0552", "\u0535\u0582"},
    {0x1E96, "H\u0331", "H\u0331"},
    {0x1E97, "T\u0308", "T\u0308"},
    {0x1E98, "W\u030A", "W\u030A"},
    {0x1E99, "Y\u030A", "Y\u030A"},
    {0x1E9A, "A\u02BE", "A\u02BE"},
    {0xFB00, "FF", "Ff"},
    {0xFB01, "FI", "Fi"},
    {0xFB02, "FL", "Fl"},
    {0xFB03, "FFI", "Ffi"},
    {0xFB04, "FFL", "Ffl"},
    {0xFB05, "ST", "St"},
    {0xFB06, "ST", "St"},
};

const Expansion* find_expansion(char32_t code) {
  for (const Expansion& expansion : kExpansions)
    if (expansion.code == code) return &expansion;
  return nullptr;
}

}  // namespace

void append_upper(std::string& text, char32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(in_range(code, 'a', 'z') ? code - 32 : code);
  } else if (const Expansion* expansion = find_expansion(code)) {
    text += expansion->upper;
  } else {
    append_code_point(text,
                      static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(code))));
  }
}

void append_lower(std::string& text, char32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(in_range(code, 'A', 'Z') ? code + 32 : code);
  } else if (code == 0x130) {
    text += "i\u0307";
  } else {
    append_code_point(text,
                      static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code))));
  }
}

void append_title(std::string& text, char32_t code) {
  if (code < 0x80) return append_upper(text, code);
  if (const Expansion* expansion = find_expansion(code)) {
    text += expansion->title;
  } else {
    append_code_point(text,
                      static_cast<char32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(code))));
  }
}

void append_folded(std::string& text, char32_t code) {
  if (code < 0x80) return append_lower(text, code);
  utf8proc_int32_t folded[8];
  int boundary = 0;
  auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), folded, 8,
                                       UTF8PROC_CASEFOLD, &boundary);
  if (count < 0 || count > 8) return append_code_point(text, code);
  for (utf8proc_ssize_t i = 0; i < count; ++i)
    append_code_point(text, static_cast<char32_t>(folded[i]));
}

std::string_view strip_space(std::string_view text) {
  while (!text.empty()) {
    std::size_t offset = 0;
    if (!is_space(decode_code_point(text, offset))) break;
    text.remove_prefix(offset);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    std::size_t offset = start;
    if (!is_space(decode_code_point(text, offset))) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

std::string ascii_digits(std::string_view text) {
  std::string result;
  for (std::size_t offset = 0; offset < text.size();) {
    std::size_t start = offset;
    char32_t code = decode_code_point(text, offset);
    int value = code < 0x80 ? -1 : decimal_value(code);
    if (value >= 0)
      result += static_cast<char>('0' + value);
    else if (code > 0x80 && is_space(code))
      result += ' ';
    else
      result += text.substr(start, offset - start);
  }
  return result;
}

}  // namespace strider::lang
