// Names as programs know them: identifiers in their NFKC form, as in CPython, and what stands in
// the text of a tree for names that no text can have ("@py_assert", which pytest makes).
#pragma once

#include <string>
#include <string_view>

namespace strider::syntax {

// A character of such a name is written as the private one this far behind it (plane 15).
inline constexpr char32_t kStandIns = 0xF0000;
inline bool is_stand_in(char32_t code) { return code >= kStandIns && code < kStandIns + 0x80; }

// The name that is written so; it has characters beyond ASCII.
std::string name_of_identifier(std::string_view written);

}  // namespace strider::syntax
