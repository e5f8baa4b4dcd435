// Texts of programs: what may hold one, and the encoding that a program names in its first lines.
#pragma once

#include <string>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// The bytes of a program as UTF-8, by the encoding that they name. SyntaxError where there is no
// such encoding, or where the bytes do not fit it; bytes that name none are left as they are.
std::string program_of_bytes(std::string bytes, const std::string& file_name);
// The text of a str or of bytes, which tell their encoding. SyntaxError where it holds null bytes;
// TypeError "{function}() arg 1 must be a string, bytes or {other} object" for anything else.
std::string program_of(const Value& value, const std::string& file_name, const char* function,
                       const char* other);

}  // namespace strider::lang
