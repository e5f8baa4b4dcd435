// Square roots, logarithms and inverse functions of complex numbers by W. Kahan's formulas, whose
// digits are those of CPython's cmath. Errors are left to the caller.
#pragma once

#include <complex>

namespace strider::lang {

using Complex128 = std::complex<double>;

Complex128 complex_sqrt(const Complex128& z);
Complex128 complex_log(const Complex128& z);
Complex128 complex_acos(const Complex128& z);
Complex128 complex_acosh(const Complex128& z);
Complex128 complex_asin(const Complex128& z);
Complex128 complex_asinh(const Complex128& z);
Complex128 complex_atan(const Complex128& z);
Complex128 complex_atanh(const Complex128& z);
Complex128 complex_tan(const Complex128& z);
Complex128 complex_tanh(const Complex128& z);

}  // namespace strider::lang
