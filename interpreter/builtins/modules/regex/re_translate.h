// Regular expressions in Python's syntax, checked and rewritten for PCRE2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Type;

enum RegexFlag : std::uint32_t {
  kTemplate = 1,
  kIgnoreCase = 2,
  kLocale = 4,
  kMultiLine = 8,
  kDotAll = 16,
  kUnicode = 32,
  kVerbose = 64,
  kDebug = 128,
  kAscii = 256,
};

struct TranslatedRegex {
  std::string pattern;               // for PCRE2
  std::string folded;                // for texts beyond ASCII, where that ignores case otherwise
  std::uint32_t flags = 0;           // as the pattern object reports them
  std::uint32_t spelled_flags = 0;   // those that the text for PCRE2 counts on
  std::vector<std::string> names;    // by group number; "" without name; [0] is the whole match
  std::vector<std::size_t> parents;  // the group around each group; 0: none
};

// ValueError where flags do not go together, or with the kind of the pattern.
void check_flags(std::uint32_t flags, bool bytes);

// Rewrites a pattern (UTF-8 text, or bytes). Raises re.error with CPython's messages.
TranslatedRegex translate_regex(std::string_view pattern, std::uint32_t flags, bool bytes);

// A group that is given by digits at a place of a pattern or template. What else int() takes is
// on its way out, which is said if `warns`.
std::size_t group_by_number(const std::string& name, std::string_view text, std::size_t place,
                            bool bytes, bool warns);

// The exception class re.error, and an instance raised for a place in a pattern.
Type& regex_error();
[[noreturn]] void raise_regex_error(std::string_view message, std::string_view pattern,
                                    std::size_t offset, bool bytes = false);

}  // namespace strider::lang
