// Looks up characters by their Unicode names.
#include <algorithm>

#include "interpreter/syntax/utf8.h"

namespace strider::syntax {

namespace {

struct NamedCharacter {
  char32_t code;
  std::string_view name;
};

constexpr NamedCharacter kCharacters[] = {
#define U(code, name) {code, name},
#include "interpreter/syntax/lexer/character_names.def"
};

bool matches(std::string_view text, std::string_view name) {
  auto same = [](char a, char b) { return (a >= 'a' && a <= 'z' ? a - 32 : a) == b; };
  return std::equal(text.begin(), text.end(), name.begin(), name.end(), same);
}

}  // namespace

char32_t find_character(std::string_view name) {
  for (const NamedCharacter& character : kCharacters) {
    if (matches(name, character.name)) return character.code;
  }
  return 0;
}

}  // namespace strider::syntax
