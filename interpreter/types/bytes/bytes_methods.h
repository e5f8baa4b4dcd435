// The methods that bytes and bytearray share, and those of bytearray alone. Private to this room.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Type;

void add_bytes_search_methods(Type& type);
void add_bytes_split_methods(Type& type);
void add_bytes_text_methods(Type& type);
void add_bytearray_methods(Type& type);

// A new bytes or bytearray, of the built-in type that `model` is or extends.
Value make_bytes_like(const Value& model, std::string bytes);
// repr of bytes: b'ab\x00'.
std::string quote_bytes(std::string_view bytes);
// A byte from an integer; ValueError `range_error` if not in range(256).
char to_byte(const Value& value, const char* range_error);
// What bytes(source) holds: a length, a bytes-like object or an iterable of integers.
std::string bytes_from_source(const Value& source, const char* type_name);
// bytes % arguments.
std::string format_bytes_percent(std::string_view format, const Value& arguments);

}  // namespace strider::lang
