// UTF-8: decoding, encoding, checking, and which characters names may hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strider::syntax {

struct DecodedCharacter {
  char32_t code = 0;
  uint32_t size = 0;  // bytes; 0 where the bytes are not UTF-8
};

// The character that starts at `text[offset]`.
DecodedCharacter decode_character(std::string_view text, size_t offset);
// Appends a character; lone surrogates get their three-byte form.
void append_character(std::string& text, char32_t code);
// Offset of the first byte that is not valid UTF-8, or npos.
size_t find_invalid_utf8(std::string_view text);
// Whether a name may start with the character, or go on with it.
bool starts_identifier(char32_t code);
bool continues_identifier(char32_t code);

}  // namespace strider::syntax
