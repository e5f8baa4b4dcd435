// Characters of UTF-8 text as a terminal shows them: where they begin and end, and how wide they
// are. Bytes that are no UTF-8 count as characters of their own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strider {

struct Character {
  char32_t code = 0;
  std::size_t length = 1;  // bytes
  int width = 1;           // columns, as shown() shows it
};

// The character at a byte that one begins at.
Character character_at(std::string_view text, std::size_t at);
// What a terminal is sent for it: control characters become visible.
std::string shown(std::string_view text, std::size_t at, const Character& character);

// The next and the previous place between characters; marks stay with the letter before them.
std::size_t next_character(std::string_view text, std::size_t at);
std::size_t previous_character(std::string_view text, std::size_t at);

// How many columns a text takes on one line, escape sequences left out.
int width_of(std::string_view text);
// The longest beginning that takes at most `columns`.
std::string_view fitting(std::string_view text, int columns);

}  // namespace strider
