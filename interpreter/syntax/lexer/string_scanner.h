// Finds where the expressions of f-strings end, and where f-strings do that are written from trees.
// Where others end is the lexer's business, which sees no difference between them and plain
// strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/syntax/source.h"

namespace strider::syntax {

constexpr uint32_t kNoEnd = UINT32_MAX;

// What an expression of an f-string may hold: in programs neither backslashes nor the quote that
// ends the string; texts that are written from trees have to say anything.
enum class FieldRules : uint8_t { kOfPrograms, kOfTrees };

// The end of the expression part of a replacement field, or what is wrong with it.
struct ReplacementScan {
  uint32_t end = kNoEnd;  // at '}', ':', '!' or '=' (not '==')
  std::string error;
};

// Scans the expression of a replacement field that starts at `range.begin`; the string ends with
// the range, or within it where it is written from a tree.
ReplacementScan scan_replacement(std::string_view text, Span range, FieldRules rules);
// Offset behind the f-string written from a tree whose quote is at `range.begin`; kNoEnd if it has
// no end.
uint32_t skip_formatted_string(std::string_view text, Span range);

}  // namespace strider::syntax
