// One number from text, and the scanner under fromstring. Knows nothing of rows or files.
#pragma once

#include <strider/nd/dtype.h>

#include <string_view>

namespace strider::nd::file {

// Reads a real number at the start of [begin, end) as C's strtod would, without hexadecimal;
// returns the end of what was read, or `begin` if there is none.
const char* read_real(const char* begin, const char* end, double& value);

// Reads one element of `dtype` at the start of the text as numpy.fromstring does (no blanks are
// skipped); returns the end, or `begin` if there is none.
const char* read_element(const char* begin, const char* end, DType dtype, void* result);

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

}  // namespace strider::nd::file
