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

// Judges lines joined by newlines, without one behind the last. An open bracket, string or block
// and a backslash at the end ask for more; a block ends with a blank last line.
Completeness is_complete(std::string_view text);

}  // namespace strider::syntax
