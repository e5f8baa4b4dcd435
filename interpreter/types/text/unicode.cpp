// Character properties by utf8proc; what it lacks (numeric values, final sigma) is settled here.
#include "interpreter/types/text/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <iterator>

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

// Parts of identifiers whose compatible forms would not be: Unicode's XID_Start has them not.
bool is_unstable_letter(char32_t code) {
  constexpr char32_t kLetters[] = {0x37A,  0xE33,  0xEB3,  0x2E2F, 0x309B, 0x309C, 0xFC5E, 0xFC5F,
                                   0xFC60, 0xFC61, 0xFC62, 0xFC63, 0xFDFA, 0xFDFB, 0xFE70, 0xFE72,
                                   0xFE74, 0xFE76, 0xFE78, 0xFE7A, 0xFE7C, 0xFE7E, 0xFF9E, 0xFF9F};
  return std::find(std::begin(kLetters), std::end(kLetters), code) != std::end(kLetters);
}

}  // namespace

std::int64_t ideograph_value(char32_t code) {
  struct Number {
    char32_t code;
    std::int64_t value;
  };
  static constexpr Number kNumbers[] = {
      {0x3007, 0},    {0x3405, 5},         {0x3483, 2},
      {0x382A, 5},    {0x3B4D, 7},         {0x4E00, 1},
      {0x4E03, 7},    {0x4E07, 10000},     {0x4E09, 3},
      {0x4E5D, 9},    {0x4E8C, 2},         {0x4E94, 5},
      {0x4E96, 4},    {0x4EBF, 100000000}, {0x4EC0, 10},
      {0x4EDF, 1000}, {0x4EE8, 3},         {0x4F0D, 5},
      {0x4F70, 100},  {0x5104, 100000000}, {0x5146, 1000000000000},
      {0x5169, 2},    {0x516B, 8},         {0x516D, 6},
      {0x5341, 10},   {0x5343, 1000},      {0x5344, 20},
      {0x5345, 30},   {0x534C, 40},        {0x53C1, 3},
      {0x53C2, 3},    {0x53C3, 3},         {0x53C4, 3},
      {0x56DB, 4},    {0x58F1, 1},         {0x58F9, 1},
      {0x5E7A, 1},    {0x5EFE, 9},         {0x5EFF, 20},
      {0x5F0C, 1},    {0x5F0D, 2},         {0x5F0E, 3},
      {0x5F10, 2},    {0x62FE, 10},        {0x634C, 8},
      {0x67D2, 7},    {0x6F06, 7},         {0x7396, 9},
      {0x767E, 100},  {0x8086, 4},         {0x842C, 10000},
      {0x8CAE, 2},    {0x8CB3, 2},         {0x8D30, 2},
      {0x9621, 1000}, {0x9646, 6},         {0x964C, 100},
      {0x9678, 6},    {0x96F6, 0},         {0xF96B, 3},
      {0xF973, 10},   {0xF978, 2},         {0xF9B2, 0},
      {0xF9D1, 6},    {0xF9D3, 6},         {0xF9FD, 10},
      {0x2F890, 9},   {0x20001, 7},        {0x20064, 4},
      {0x200E2, 4},   {0x20121, 5},        {0x2092A, 1},
      {0x20983, 30},  {0x2098C, 40},       {0x2099C, 40},
      {0x20AEA, 6},   {0x20AFD, 3},        {0x20B19, 3},
      {0x22390, 2},   {0x22998, 3},        {0x23B1B, 3},
      {0x2626D, 4}};
  auto found = std::find_if(std::begin(kNumbers), std::end(kNumbers),
                            [code](const Number& number) { return number.code == code; });
  return found == std::end(kNumbers) ? -1 : found->value;
}

bool is_space(char32_t code) {
  if (code < 0x80) return in_range(code, 9, 13) || in_range(code, 28, 32);
  return code == 0x85 || category(code) == UTF8PROC_CATEGORY_ZS || code == 0x2028 || code == 0x2029;
}

bool is_mark_or_modifier(char32_t code) {
  switch (category(code)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return false;
  }
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
         kind == UTF8PROC_CATEGORY_NO || ideograph_value(code) >= 0;
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

static bool finds_printable(char32_t code) {
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

bool is_printable(char32_t code) {
  constexpr char32_t kAsked = 0x3000;  // alphabets and marks, asked once
  if (code < 0x80) return in_range(code, 32, 126);
  if (code >= kAsked) return finds_printable(code);
  static const auto& printable = *[] {
    auto* made = new std::bitset<kAsked>;
    for (char32_t each = 0; each < kAsked; ++each) (*made)[each] = finds_printable(each);
    return made;
  }();
  return printable[code];
}

bool is_identifier_start(char32_t code) {
  if (code < 0x80) return is_alpha(code) || code == '_';
  bool letter = is_alpha(code) || category(code) == UTF8PROC_CATEGORY_NL || code == 0x2118 ||
                code == 0x212E || code == 0x1885 || code == 0x1886;
  return letter && !is_unstable_letter(code);
}

bool is_identifier_part(char32_t code) {
  if (code < 0x80) return is_identifier_start(code) || in_range(code, '0', '9');
  auto kind = category(code);
  return is_identifier_start(code) || kind == UTF8PROC_CATEGORY_ND ||
         kind == UTF8PROC_CATEGORY_MN || kind == UTF8PROC_CATEGORY_MC ||
         kind == UTF8PROC_CATEGORY_PC || code == 0xB7 || code == 0x387 || code == 0x19DA ||
         code == 0xE33 || code == 0xEB3 || in_range(code, 0x1369, 0x1371) ||
         in_range(code, 0xFF9E, 0xFF9F);
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

// Characters whose upper or title case is several characters, by their numbers. Source: Unicode 14,
// SpecialCasing.txt.
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
    {0x1F50, "\u03A5\u0313", "\u03A5\u0313"},
    {0x1F52, "\u03A5\u0313\u0300", "\u03A5\u0313\u0300"},
    {0x1F54, "\u03A5\u0313\u0301", "\u03A5\u0313\u0301"},
    {0x1F56, "\u03A5\u0313\u0342", "\u03A5\u0313\u0342"},
    {0x1F80, "\u1F08\u0399", "\u1F88"},
    {0x1F81, "\u1F09\u0399", "\u1F89"},
    {0x1F82, "\u1F0A\u0399", "\u1F8A"},
    {0x1F83, "\u1F0B\u0399", "\u1F8B"},
    {0x1F84, "\u1F0C\u0399", "\u1F8C"},
    {0x1F85, "\u1F0D\u0399", "\u1F8D"},
    {0x1F86, "\u1F0E\u0399", "\u1F8E"},
    {0x1F87, "\u1F0F\u0399", "\u1F8F"},
    {0x1F88, "\u1F08\u0399", "\u1F88"},
    {0x1F89, "\u1F09\u0399", "\u1F89"},
    {0x1F8A, "\u1F0A\u0399", "\u1F8A"},
    {0x1F8B, "\u1F0B\u0399", "\u1F8B"},
    {0x1F8C, "\u1F0C\u0399", "\u1F8C"},
    {0x1F8D, "\u1F0D\u0399", "\u1F8D"},
    {0x1F8E, "\u1F0E\u0399", "\u1F8E"},
    {0x1F8F, "\u1F0F\u0399", "\u1F8F"},
    {0x1F90, "\u1F28\u0399", "\u1F98"},
    {0x1F91, "\u1F29\u0399", "\u1F99"},
    {0x1F92, "\u1F2A\u0399", "\u1F9A"},
    {0x1F93, "\u1F2B\u0399", "\u1F9B"},
    {0x1F94, "\u1F2C\u0399", "\u1F9C"},
    {0x1F95, "\u1F2D\u0399", "\u1F9D"},
    {0x1F96, "\u1F2E\u0399", "\u1F9E"},
    {0x1F97, "\u1F2F\u0399", "\u1F9F"},
    {0x1F98, "\u1F28\u0399", "\u1F98"},
    {0x1F99, "\u1F29\u0399", "\u1F99"},
    {0x1F9A, "\u1F2A\u0399", "\u1F9A"},
    {0x1F9B, "\u1F2B\u0399", "\u1F9B"},
    {0x1F9C, "\u1F2C\u0399", "\u1F9C"},
    {0x1F9D, "\u1F2D\u0399", "\u1F9D"},
    {0x1F9E, "\u1F2E\u0399", "\u1F9E"},
    {0x1F9F, "\u1F2F\u0399", "\u1F9F"},
    {0x1FA0, "\u1F68\u0399", "\u1FA8"},
    {0x1FA1, "\u1F69\u0399", "\u1FA9"},
    {0x1FA2, "\u1F6A\u0399", "\u1FAA"},
    {0x1FA3, "\u1F6B\u0399", "\u1FAB"},
    {0x1FA4, "\u1F6C\u0399", "\u1FAC"},
    {0x1FA5, "\u1F6D\u0399", "\u1FAD"},
    {0x1FA6, "\u1F6E\u0399", "\u1FAE"},
    {0x1FA7, "\u1F6F\u0399", "\u1FAF"},
    {0x1FA8, "\u1F68\u0399", "\u1FA8"},
    {0x1FA9, "\u1F69\u0399", "\u1FA9"},
    {0x1FAA, "\u1F6A\u0399", "\u1FAA"},
    {0x1FAB, "\u1F6B\u0399", "\u1FAB"},
    {0x1FAC, "\u1F6C\u0399", "\u1FAC"},
    {0x1FAD, "\u1F6D\u0399", "\u1FAD"},
    {0x1FAE, "\u1F6E\u0399", "\u1FAE"},
    {0x1FAF, "\u1F6F\u0399", "\u1FAF"},
    {0x1FB2, "\u1FBA\u0399", "\u1FBA\u0345"},
    {0x1FB3, "\u0391\u0399", "\u1FBC"},
    {0x1FB4, "\u0386\u0399", "\u0386\u0345"},
    {0x1FB6, "\u0391\u0342", "\u0391\u0342"},
    {0x1FB7, "\u0391\u0342\u0399", "\u0391\u0342\u0345"},
    {0x1FBC, "\u0391\u0399", "\u1FBC"},
    {0x1FC2, "\u1FCA\u0399", "\u1FCA\u0345"},
    {0x1FC3, "\u0397\u0399", "\u1FCC"},
    {0x1FC4, "\u0389\u0399", "\u0389\u0345"},
    {0x1FC6, "\u0397\u0342", "\u0397\u0342"},
    {0x1FC7, "\u0397\u0342\u0399", "\u0397\u0342\u0345"},
    {0x1FCC, "\u0397\u0399", "\u1FCC"},
    {0x1FD2, "\u0399\u0308\u0300", "\u0399\u0308\u0300"},
    {0x1FD3, "\u0399\u0308\u0301", "\u0399\u0308\u0301"},
    {0x1FD6, "\u0399\u0342", "\u0399\u0342"},
    {0x1FD7, "\u0399\u0308\u0342", "\u0399\u0308\u0342"},
    {0x1FE2, "\u03A5\u0308\u0300", "\u03A5\u0308\u0300"},
    {0x1FE3, "\u03A5\u0308\u0301", "\u03A5\u0308\u0301"},
    {0x1FE4, "\u03A1\u0313", "\u03A1\u0313"},
    {0x1FE6, "\u03A5\u0342", "\u03A5\u0342"},
    {0x1FE7, "\u03A5\u0308\u0342", "\u03A5\u0308\u0342"},
    {0x1FF2, "\u1FFA\u0399", "\u1FFA\u0345"},
    {0x1FF3, "\u03A9\u0399", "\u1FFC"},
    {0x1FF4, "\u038F\u0399", "\u038F\u0345"},
    {0x1FF6, "\u03A9\u0342", "\u03A9\u0342"},
    {0x1FF7, "\u03A9\u0342\u0399", "\u03A9\u0342\u0345"},
    {0x1FFC, "\u03A9\u0399", "\u1FFC"},
    {0xFB00, "FF", "Ff"},
    {0xFB01, "FI", "Fi"},
    {0xFB02, "FL", "Fl"},
    {0xFB03, "FFI", "Ffi"},
    {0xFB04, "FFL", "Ffl"},
    {0xFB05, "ST", "St"},
    {0xFB06, "ST", "St"},
    {0xFB13, "\u0544\u0546", "\u0544\u0576"},
    {0xFB14, "\u0544\u0535", "\u0544\u0565"},
    {0xFB15, "\u0544\u053B", "\u0544\u056B"},
    {0xFB16, "\u054E\u0546", "\u054E\u0576"},
    {0xFB17, "\u0544\u053D", "\u0544\u056D"},
};

const Expansion* find_expansion(char32_t code) {
  const Expansion* found = std::lower_bound(
      std::begin(kExpansions), std::end(kExpansions), code,
      [](const Expansion& expansion, char32_t wanted) { return expansion.code < wanted; });
  return found != std::end(kExpansions) && found->code == code ? found : nullptr;
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
  auto is_ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return std::string(text);
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
