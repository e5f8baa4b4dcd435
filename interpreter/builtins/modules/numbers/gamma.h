// The gamma function and its logarithm, with the digits that CPython's have.
#pragma once

namespace strider::lang {

// Gamma of a number that is no pole; infinite where the result is too large.
double gamma_of_real(double x);
// The logarithm of the magnitude of gamma, of a finite number that is no pole.
double log_gamma_of_real(double x);

}  // namespace strider::lang
