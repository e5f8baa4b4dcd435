// Looks up characters by their Unicode names, and names by characters, in the lines "code;NAME"
// that the build takes from Unicode's own files. Ideographs and syllables of Hangul are named by
// rules (The Unicode Standard, section 4.8).
#include "interpreter/syntax/character_names.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

extern "C" {
extern const char strider_character_names[], strider_character_names_end[];
extern const char strider_character_aliases[], strider_character_aliases_end[];
extern const char strider_character_decompositions[], strider_character_decompositions_end[];
extern const char strider_character_numbers[], strider_character_numbers_end[];
}

namespace strider::syntax {

namespace {

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

// First and last of each block of ideographs.
constexpr char32_t kIdeographs[][2] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0x20000, 0x2A6DF},
                                       {0x2A700, 0x2B739}, {0x2B740, 0x2B81D}, {0x2B820, 0x2CEA1},
                                       {0x2CEB0, 0x2EBE0}, {0x30000, 0x3134A}, {0x31350, 0x323AF}};

std::string_view names() { return {strider_character_names, strider_character_names_end}; }
std::string_view aliases() { return {strider_character_aliases, strider_character_aliases_end}; }

bool is_ideograph(char32_t code) {
  return std::ranges::any_of(
      kIdeographs, [code](const auto& block) { return block[0] <= code && code <= block[1]; });
}

char32_t code_of(std::string_view line) {
  return static_cast<char32_t>(std::strtoul(std::string(line.substr(0, 8)).c_str(), nullptr, 16));
}

// The line around a place in the lines.
std::string_view line_at(std::string_view lines, std::size_t place) {
  std::size_t begin = place == 0 ? lines.npos : lines.rfind('\n', place - 1);
  begin = begin == lines.npos ? 0 : begin + 1;
  return lines.substr(begin, lines.find('\n', begin) - begin);
}

// What stands behind a code in lines that are in the order of their codes.
std::string_view find_line(std::string_view lines, char32_t code) {
  while (!lines.empty()) {
    std::string_view line = line_at(lines, lines.size() / 2);
    char32_t found = code_of(line);
    if (found == code) return line.substr(line.find(';') + 1);
    auto begin = static_cast<std::size_t>(line.data() - lines.data());
    lines = found < code ? lines.substr(std::min(begin + line.size() + 1, lines.size()))
                         : lines.substr(0, begin);
  }
  return {};
}

std::optional<char32_t> find_in(std::string_view lines, const std::string& name) {
  std::size_t place = lines.find(';' + name + '\n');
  if (place == lines.npos) return {};
  return code_of(line_at(lines, place));
}

// All names and aliases with where their lines begin, for programs that look up many.
using NameIndex = std::unordered_map<std::string_view, const char*>;

const NameIndex& name_index() {
  static const NameIndex* index = [] {
    auto* made = new NameIndex;
    for (std::string_view lines : {names(), aliases()})
      while (!lines.empty()) {
        std::string_view line = lines.substr(0, lines.find('\n'));
        made->emplace(line.substr(line.find(';') + 1), line.data());
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
      }
    return made;
  }();
  return *index;
}

// A few names are looked for in the lines: that takes less than to make the index.
std::optional<char32_t> find_listed(const std::string& name) {
  constexpr int kFew = 40;
  static std::atomic<int> asked = 0;
  if (asked < kFew) {
    ++asked;
    auto code = find_in(names(), name);
    return code ? code : find_in(aliases(), name);
  }
  auto found = name_index().find(name);
  if (found == name_index().end()) return {};
  return code_of({found->second, 8});
}

std::optional<char32_t> find_ideograph(const std::string& name) {
  if (!name.starts_with(kIdeograph)) return {};
  char32_t code = code_of(std::string_view(name).substr(kIdeograph.size()));
  if (!is_ideograph(code) || name_of_character(code) != name) return {};
  return code;
}

std::optional<char32_t> find_syllable(const std::string& name) {
  if (!name.starts_with(kSyllable)) return {};
  std::string_view sounds = std::string_view(name).substr(kSyllable.size());
  char32_t code = kSyllables;
  for (std::string_view first : kFirst)
    for (std::string_view vowel : kVowels)
      for (std::string_view last : kLast) {
        bool same = sounds.size() == first.size() + vowel.size() + last.size() &&
                    sounds.starts_with(first) && sounds.ends_with(last) &&
                    sounds.substr(first.size(), vowel.size()) == vowel;
        if (same) return code;
        ++code;
      }
  return {};
}

}  // namespace

std::optional<char32_t> find_character(std::string_view name) {
  std::string upper(name);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  if (upper.find_first_of(";\n") != upper.npos) return {};
  // Names by rules are known in capitals alone.
  if (auto code = find_ideograph(std::string(name))) return code;
  if (auto code = find_syllable(std::string(name))) return code;
  return find_listed(upper);
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
  return std::string(find_line(names(), code));
}

std::string_view decomposition_of_character(char32_t code) {
  return find_line({strider_character_decompositions, strider_character_decompositions_end}, code);
}

std::string_view number_of_character(char32_t code) {
  return find_line({strider_character_numbers, strider_character_numbers_end}, code);
}

}  // namespace strider::syntax
