// The parts of arithmetic on large integers that are worth their own loops over 64-bit limbs:
// differences, shifts, division, decimal digits and bytes in both directions. The language's rules
// are the callers'.

#pragma once

#include <string>
#include <string_view>

#include "interpreter/types/numbers/integer.h"

namespace strider::lang {

// |left| / |right|, cut off, and what is left of it; `right` is not 0. The results are other
// objects than the operands.
void divide_magnitudes(const Integer& left, const Integer& right, Integer& quotient,
                       Integer& remainder);
// left - right, of any signs.
Integer subtract_integers(const Integer& left, const Integer& right);
// The integer times 2**bits.
Integer shifted_left(const Integer& integer, std::size_t bits);
// The decimal digits of the magnitude.
std::string decimal_digits(const Integer& integer);
// The number that decimal digits make; nothing else may be in the text.
Integer integer_of_digits(std::string_view digits);
// The bytes of the magnitude, lowest first, without zeros at the top.
std::string bytes_of_magnitude(const Integer& integer);
// The number whose bytes these are, lowest first.
Integer integer_of_bytes(std::string_view bytes);
// At most 63 bits of the magnitude, from a bit on.
std::int64_t bits_from(const Integer& integer, std::size_t first, int count);
// a and b become a1*a + b1*b and a2*a + b2*b, which are not negative, as a and b are not; factors
// have at most 62 bits, and `a` is not less than `b`.
void combine(Integer& a, Integer& b, std::int64_t a1, std::int64_t b1, std::int64_t a2,
             std::int64_t b2);
// How many bits of the magnitude are set.
std::int64_t count_set_bits(const Integer& integer);

}  // namespace strider::lang
