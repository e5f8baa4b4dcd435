// Looks up characters by their Unicode names, and names by characters.
#include "interpreter/syntax/character_names.h"

#include <algorithm>
#include <cstdio>

#include "interpreter/syntax/utf8.h"

namespace strider::syntax {

namespace {

struct NamedCharacter {
  char32_t code;
  std::string_view name;
};

constexpr NamedCharacter kCharacters[] = {
#define U(code, name) {code, name},
#include "interpreter/syntax/lexer/character_names_letters.def"
#define U(code, name) {code, name},
#include "interpreter/syntax/lexer/character_names_symbols.def"
#define U(code, name) {code, name},
#include "interpreter/syntax/lexer/character_names_pictures.def"
#define U(code, name) {code, name},
#include "interpreter/syntax/lexer/character_names_marks.def"
#define U(code, name) {code, name},
#include "interpreter/syntax/lexer/character_names_mathematics.def"
#define U(code, name) {code, name},
#include "interpreter/syntax/lexer/character_names_alphabets.def"
};

constexpr std::string_view kIdeograph = "CJK UNIFIED IDEOGRAPH-", kSyllable = "HANGUL SYLLABLE ";
constexpr std::string_view kFirst[] = {"G",  "GG", "N", "D",  "DD", "R", "M", "B", "BB", "S",
                                       "SS", "",   "J", "JJ", "C",  "K", "T", "P", "H"};
constexpr std::string_view kVowels[] = {"A",   "AE", "YA", "YAE", "EO", "E",  "YEO",
                                        "YE",  "O",  "WA", "WAE", "OE", "YO", "U",
                                        "WEO", "WE", "WI", "YU",  "EU", "YI", "I"};
constexpr std::string_view kLast[] = {"",   "G",  "GG", "GS", "N",  "NJ", "NH", "D", "L",  "LG",
                                      "LM", "LB", "LS", "LT", "LP", "LH", "M",  "B", "BS", "S",
                                      "SS", "NG", "J",  "C",  "K",  "T",  "P",  "H"};
constexpr char32_t kSyllables = 0xAC00, kVowelCount = 21, kLastCount = 28, kSyllableCount = 11172;

bool is_ideograph(char32_t code) {
  return (code >= 0x3400 && code < 0x4DC0) || (code >= 0x4E00 && code < 0xA000) ||
         (code >= 0x20000 && code < 0x2A6E0);
}

bool matches(std::string_view text, std::string_view name) {
  auto same = [](char a, char b) { return (a >= 'a' && a <= 'z' ? a - 32 : a) == b; };
  return std::equal(text.begin(), text.end(), name.begin(), name.end(), same);
}

}  // namespace

char32_t find_character(std::string_view name) {
  for (const NamedCharacter& character : kCharacters) {
    if (matches(name, character.name)) return character.code;
  }
  if (name.size() > kIdeograph.size() && matches(name.substr(0, kIdeograph.size()), kIdeograph)) {
    std::string digits(name.substr(kIdeograph.size()));
    auto code = static_cast<char32_t>(std::strtoul(digits.c_str(), nullptr, 16));
    if (is_ideograph(code) && matches(name, name_of_character(code))) return code;
  }
  if (name.size() > kSyllable.size() && matches(name.substr(0, kSyllable.size()), kSyllable))
    for (char32_t code = kSyllables; code < kSyllables + kSyllableCount; ++code)
      if (matches(name, name_of_character(code))) return code;
  return 0;
}

std::string name_of_character(char32_t code) {
  if (is_ideograph(code)) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%X", static_cast<unsigned>(code));
    return std::string(kIdeograph) + digits;
  }
  if (code >= kSyllables && code < kSyllables + kSyllableCount) {
    char32_t place = code - kSyllables;
    return std::string(kSyllable) + std::string(kFirst[place / kLastCount / kVowelCount]) +
           std::string(kVowels[place / kLastCount % kVowelCount]) +
           std::string(kLast[place % kLastCount]);
  }
  for (const NamedCharacter& character : kCharacters)
    if (character.code == code) return std::string(character.name);
  return {};
}

}  // namespace strider::syntax
