// Finds where the expressions of f-strings end. Knows nothing of where the strings themselves do:
// that is the lexer's business, which sees no difference between them and others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/syntax/source.h"

namespace strider::syntax {

// The end of the expression part of a replacement field, or what is wrong with it.
struct ReplacementScan {
  uint32_t end = UINT32_MAX;  // at '}', ':', '!' or '=' (not '==')
  std::string error;
};

// Scans the expression of a replacement field that starts at `range.begin`; the string ends with
// the range.
ReplacementScan scan_replacement(std::string_view text, Span range);

}  // namespace strider::syntax
