// Widths come from the C library's table for UTF-8.
#include "interpreter/repl/characters.h"

#include <algorithm>
#include <cwchar>

namespace strider {
namespace {

constexpr int kTabWidth = 4;

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

std::size_t length_from(unsigned char first) {
  return first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
}

int columns_of(char32_t code) {
  if (code >= 0x20 && code < 0x7f) return 1;
  if (code == '\t') return kTabWidth;
  if (code < 0x20 || code == 0x7f) return 2;
  int width = wcwidth(static_cast<wchar_t>(code));
  return width < 0 ? 1 : width;
}

// Behind an escape sequence that begins here, else the same place.
std::size_t behind_sequence(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "\x1b[") return at;
  std::size_t end = at + 2;
  while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
  return std::min(end + 1, text.size());
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  auto first = static_cast<unsigned char>(text[at]);
  std::size_t length = length_from(first);
  if (length == 1)
    return {first < 0x80 ? first : U'\ufffd', 1, first < 0x80 ? columns_of(first) : 1};
  char32_t code = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text, at + i)) return {U'\ufffd', 1, 1};
    code = (code << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3f);
  }
  return {code, length, columns_of(code)};
}

std::string shown(std::string_view text, std::size_t at, const Character& character) {
  if (character.code == '\t') return std::string(kTabWidth, ' ');
  if (character.code == 0x7f) return "^?";
  if (character.code < 0x20) return {'^', static_cast<char>(character.code + '@')};
  bool broken = character.code == U'\ufffd' && character.length == 1;
  bool unknown = character.code >= 0x80 && wcwidth(static_cast<wchar_t>(character.code)) < 0;
  return broken || unknown ? "?" : std::string(text.substr(at, character.length));
}

std::size_t next_character(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  at += character_at(text, at).length;
  while (at < text.size()) {
    Character mark = character_at(text, at);
    if (mark.width > 0) break;
    at += mark.length;
  }
  return at;
}

std::size_t previous_character(std::string_view text, std::size_t at) {
  while (at > 0) {
    do --at;
    while (at > 0 && continues(text, at));
    if (character_at(text, at).width > 0) break;
  }
  return at;
}

int width_of(std::string_view text) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (std::size_t end = behind_sequence(text, at); end != at) {
      at = end;
      continue;
    }
    Character character = character_at(text, at);
    width += character.width;
    at += character.length;
  }
  return width;
}

std::string_view fitting(std::string_view text, int columns) {
  std::size_t at = 0;
  for (int used = 0; at < text.size();) {
    Character character = character_at(text, at);
    if (used + character.width > columns) break;
    used += character.width;
    at += character.length;
  }
  return text.substr(0, at);
}

}  // namespace strider
