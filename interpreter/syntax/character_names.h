// Names of characters, and what they are made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strider::syntax {

// The character of a Unicode name or alias; letters of names that are listed may be of any case.
std::optional<char32_t> find_character(std::string_view name);
// The Unicode name of a character; empty if it has none.
std::string name_of_character(char32_t code);
// What a character stands for, as Unicode writes it ("<compat> 0020 0308"); empty for nothing.
std::string_view decomposition_of_character(char32_t code);
// What a character counts as a digit and as a number ("4|4", "|1/2"); empty for nothing.
std::string_view number_of_character(char32_t code);

}  // namespace strider::syntax
