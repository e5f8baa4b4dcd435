// Character properties and case conversion, from the Unicode database.
#pragma once

#include <string>
#include <string_view>

namespace strider::lang {

bool is_space(char32_t code);
bool is_alpha(char32_t code);
// Marks without room of their own, and signs that change others: case does not see them.
bool is_mark_or_modifier(char32_t code);
bool is_decimal(char32_t code);
bool is_digit(char32_t code);
bool is_numeric(char32_t code);
bool is_upper(char32_t code);
bool is_lower(char32_t code);
bool is_title(char32_t code);
bool is_cased(char32_t code);
bool is_printable(char32_t code);
bool is_identifier_start(char32_t code);
bool is_identifier_part(char32_t code);
// The value of a decimal digit of any script, or -1.
int decimal_value(char32_t code);
// The number that an ideograph stands for, or -1.
std::int64_t ideograph_value(char32_t code);

// Appends the full conversion of one character (which may be several).
void append_upper(std::string& text, char32_t code);
void append_lower(std::string& text, char32_t code);
void append_title(std::string& text, char32_t code);
void append_folded(std::string& text, char32_t code);

// Without white space at both ends.
std::string_view strip_space(std::string_view text);
// Digits of other scripts as ASCII digits, other white space as blanks.
std::string ascii_digits(std::string_view text);

}  // namespace strider::lang
