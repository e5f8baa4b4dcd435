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
// A place in a text, in bytes and in code points.
struct TextPlace {
  std::size_t offset = 0;
  std::int64_t index = 0;
};
// The code point that begins at a byte offset (0..size of the text), counted from a known place
// before it if that is near, else from the nearest one that the text knows.
std::int64_t code_point_index(const Str& text, std::size_t offset, TextPlace known = {});

}  // namespace strider::lang
