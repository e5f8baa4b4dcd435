// Text: positions and lines as messages hold them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace strider::jupyter {

// Between code points, as messages count, and bytes of UTF-8. A position behind the end, or a
// negative one, is the end.
std::size_t byte_of(std::string_view text, long code_point);
long code_point_of(std::string_view text, std::size_t byte);

// Without their newlines.
std::vector<std::string> lines_of(std::string_view text);

}  // namespace strider::jupyter
