// Highlight: what the pieces of program text and of tracebacks are, and their colours in terminals
// and notebooks (ANSI sequences). Knows no terminal beyond whether it wants colours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strider {

enum class Ink : uint8_t { kPlain, kKeyword, kNumber, kString, kComment, kDefinition, kCommand };

struct InkSpan {
  std::size_t begin = 0, end = 0;  // bytes
  Ink ink = Ink::kPlain;
};

// The pieces of an entry that are not plain, in order. Unfinished and broken text is fine.
std::vector<InkSpan> ink_spans(std::string_view entry);
// The sequence that starts a colour; empty for plain text.
std::string_view ink_sequence(Ink ink);
// The sequence that ends all colours.
constexpr std::string_view kPlainSequence = "\x1b[0m";

// The same text with sequences for colours.
std::string colour_program(std::string_view entry);
std::string colour_traceback(std::string_view traceback);

// Whether a descriptor is a terminal that shows colours and whose user wants them (NO_COLOR, TERM).
bool wants_colour(int descriptor);

}  // namespace strider
