// Finds where strings end, f-strings with nested quotes included. Shared by lexer and parser.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/syntax/source.h"

namespace strider::syntax {

constexpr uint32_t kNoEnd = UINT32_MAX;

// The end of the expression part of a replacement field, or what is wrong with it.
struct ReplacementScan {
  uint32_t end = kNoEnd;  // at '}', ':', '!' or '=' (not '==')
  std::string error;
};

// Scans the expression of a replacement field that starts at `range.begin`.
ReplacementScan scan_replacement(std::string_view text, Span range, int depth = 0);
// Offset behind the f-string whose quote is at `range.begin`, where quotes inside replacement
// fields do not end it; kNoEnd if it has no end that way.
uint32_t skip_formatted_string(std::string_view text, Span range, int depth = 0);
// Offset behind the plain string whose quote is at `range.begin`, or kNoEnd.
uint32_t skip_plain_string(std::string_view text, Span range);

}  // namespace strider::syntax
