// Tells an interactive prompt whether what was typed is a whole statement.
#pragma once

#include <cstdint>
#include <string_view>

namespace strider::syntax {

enum class CompletenessState : uint8_t { kComplete, kIncomplete, kInvalid };

struct Completeness {
  CompletenessState state = CompletenessState::kComplete;
  int indent = 0;  // incomplete: blanks to start the next line with
};

// Judges the text as a notebook cell would be: an open bracket, string, block or trailing backslash
// asks for more.
Completeness is_complete(std::string_view text);

}  // namespace strider::syntax
