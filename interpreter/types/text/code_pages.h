// Encodings beyond Unicode's own: code pages of one byte a character, and those of East Asia with
// several. What they hold is asked of the C library's iconv.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace strider::lang {

inline constexpr char32_t kUndefined = 0xFFFFFFFF;

struct CodePage {
  std::array<char32_t, 256> characters;  // kUndefined where there is none
  std::unordered_map<char32_t, char> bytes;
};

// The code page of a name in lower case without marks ("cp1252", "iso885915"); null if unknown.
const CodePage* find_code_page(std::string_view name);

struct EastAsianEncoding {
  const char* name;          // as iconv knows it
  const char* shown;         // in errors
  std::string_view aliases;  // in lower case without marks, each in blanks
};

const EastAsianEncoding* find_east_asian_encoding(std::string_view name);

// The character at the start of some bytes as UTF-8. What: how many bytes it has; 0: none stands
// there; -1: it is cut off.
int decode_one(const EastAsianEncoding& encoding, std::string_view bytes, std::string& text);
// The bytes of a character, given as UTF-8; empty if the encoding lacks it.
std::string encode_one(const EastAsianEncoding& encoding, std::string_view character);

}  // namespace strider::lang
