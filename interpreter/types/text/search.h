// Parts of texts, in UTF-8 or bytes: where they begin.
#pragma once

#include <cstdint>
#include <string_view>

namespace strider::lang {

class Str;

// Where a part begins at or after `from`, in time that grows as the text and the part do; npos:
// nowhere.
std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0);
// Where it begins for the last time.
std::size_t find_last_part(std::string_view text, std::string_view part);
// The code point that begins at a byte offset (0..size of the text), counted from the nearest place
// that the text knows.
std::int64_t code_point_index(const Str& text, std::size_t offset);

}  // namespace strider::lang
