// The codecs unicode_escape and raw_unicode_escape: text as the source of string literals.
#pragma once

#include <string>
#include <string_view>

namespace strider::lang {

std::string encode_escapes(std::string_view text, bool raw);
// ValueError-like UnicodeDecodeError for broken escapes.
std::string decode_escapes(std::string_view bytes, bool raw);

}  // namespace strider::lang
