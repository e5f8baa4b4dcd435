// The line under a line of a traceback: carets under what failed, and of an operation its operator.
// Knows nothing of exceptions.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/syntax/source.h"

namespace strider::syntax {

// "~~^~~" with the blanks before it, for the bytes from `begin` to `end` of a line without its
// indentation: the operator of an operation and the index of an item have the carets, all else
// that failed has tildes or, without such a part, carets. Empty where all of the line failed and
// nothing can be told apart. `ends_here`: what failed does not go on in the next line.
std::string marks_under(std::string_view line, std::size_t begin, std::size_t end, bool ends_here);

// The line of a place, stripped and indented by four blanks, and what marks_under() says of it
// (without a final newline).
std::string marked_line(const Source& source, Span span);

}  // namespace strider::syntax
