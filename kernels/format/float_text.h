// Floating-point numbers as text: sign, point, trimming, padding, exponent. Knows nothing of
// arrays.
#pragma once

#include <strider/nd/format.h>

#include <string>

#include "kernels/format/digits.h"

namespace strider::nd::format {

// format_float_positional / _scientific without the checks of user-given parameters.
std::string positional_text(const Real& number, const FloatFormat& format);
std::string scientific_text(const Real& number, const FloatFormat& format);

}  // namespace strider::nd::format
