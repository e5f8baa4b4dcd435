// UTF-8 decoding and checking; character ranges of names from a table of Unicode 14.
#include "interpreter/syntax/utf8.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace strider::syntax {

namespace {

struct CharacterRange {
  char32_t first;
  char32_t last;
};

constexpr CharacterRange kIdentifierStart[] = {
#define STRIDER_START(first, last) {first, last},
#include "interpreter/syntax/identifiers.def"
};
constexpr CharacterRange kIdentifierContinue[] = {
#define STRIDER_CONTINUE(first, last) {first, last},
#include "interpreter/syntax/identifiers.def"
};

template <size_t N>
bool contains(const CharacterRange (&ranges)[N], char32_t code) {
  auto range = std::lower_bound(std::begin(ranges), std::end(ranges), code,
                                [](CharacterRange r, char32_t c) { return r.last < c; });
  return range != std::end(ranges) && range->first <= code;
}

// Bytes of a sequence by its first byte; 0 where none may start so.
uint32_t sequence_size(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

}  // namespace

DecodedCharacter decode_character(std::string_view text, size_t offset) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  uint32_t size = sequence_size(byte(0));
  if (size <= 1) return {byte(0), size};
  if (offset + size > text.size()) return {};
  char32_t code = byte(0) & (0x7Fu >> size);
  for (uint32_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, size};
}

void append_character(std::string& text, char32_t code) {
  auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | (code >> 6));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

size_t find_invalid_utf8(std::string_view text) {
  size_t offset = 0;
  while (offset < text.size()) {
    uint64_t word = 0;
    if (offset + sizeof word <= text.size()) {
      std::memcpy(&word, text.data() + offset, sizeof word);
      if ((word & 0x8080808080808080u) == 0) {
        offset += sizeof word;
        continue;
      }
    }
    uint32_t size = decode_character(text, offset).size;
    if (size == 0) return offset;
    offset += size;
  }
  return std::string_view::npos;
}

bool starts_identifier(char32_t code) { return contains(kIdentifierStart, code); }

bool continues_identifier(char32_t code) {
  return starts_identifier(code) || contains(kIdentifierContinue, code);
}

}  // namespace strider::syntax
