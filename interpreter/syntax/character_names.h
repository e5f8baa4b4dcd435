// Names of characters; see utf8.h for the way from names to characters.
#pragma once

#include <string>

namespace strider::syntax {

// The Unicode name of a character, empty if it is none of those known.
std::string name_of_character(char32_t code);

}  // namespace strider::syntax
