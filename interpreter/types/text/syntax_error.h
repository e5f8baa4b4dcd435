// What a SyntaxError tells of its place: file, line, columns and text, as CPython's do.
// Knows no trees: it is given a source and a span.
#pragma once

#include <memory>
#include <string>

#include "interpreter/runtime/error/error.h"
#include "interpreter/syntax/source.h"

namespace strider::lang {

// An error with the arguments (message, (file, line, column, text, end line, end column)).
Ref<Exception> make_syntax_error(Type& type, std::string_view message,
                                 const syntax::Source& source, syntax::Span span);
// Gives SyntaxError its attributes and its text, "message (file, line 3)".
void set_up_syntax_error(Type& type);
// The message alone.
std::string syntax_message(const Exception& exception);
// The lines of a traceback that show the place: file and line, text, carets.
std::string syntax_place(const Exception& exception);

}  // namespace strider::lang
