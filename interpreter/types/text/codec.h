// Codecs: text to bytes and back in the named encodings: UTF-8, ASCII, Latin-1, UTF-16, UTF-32,
// code pages, and those of East Asia.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// The arguments `encoding` and `errors` are Strs or absent (utf-8, strict). LookupError for unknown
// names, UnicodeEncodeError and UnicodeDecodeError as CPython raises them.
std::string encode_text(std::string_view text, const Value& encoding, const Value& errors);
std::string decode_bytes(std::string_view bytes, const Value& encoding, const Value& errors);
std::string encode_text(std::string_view text, std::string_view encoding = "utf-8",
                        std::string_view errors = "strict");
std::string decode_bytes(std::string_view bytes, std::string_view encoding = "utf-8",
                         std::string_view errors = "strict");

}  // namespace strider::lang
