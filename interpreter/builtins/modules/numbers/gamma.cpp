// Lanczos' approximation of gamma with 13 terms, whose coefficients for doubles John Maddock found.
#include "interpreter/builtins/modules/numbers/gamma.h"

#include <array>
#include <cmath>

namespace strider::lang {
namespace {

constexpr double kShift = 6.024680040776729583740234375, kShiftLessHalf = kShift - 0.5;
constexpr double kLogPi = 1.144729885849400174143427351353058711647;
constexpr double kLarge = 140.0;  // from here on powers are taken in two steps

// Coefficients of the polynomials of the quotient, the constant one first.
constexpr std::array<double, 13> kNumerator = {
    23531376880.41075968857200767445163675473076, 42919803642.64909876895789904700198885093263,
    35711959237.35566804944018545154716670596718, 17921034426.03720969991975575445893111267403,
    6039542586.352028005064291644307297921069938, 1439720407.311721673663223072794912393972485,
    248874557.8620541565114603864132294232163077, 31426415.58540019438061423162831820536287787,
    2876370.628935372441225409051620849613599112, 186056.2653952234950402949897160456992822505,
    8071.672002365816210638002902272250613821887, 210.8242777515793458725097339207133627117643,
    2.506628274631000270164908177133837338626431};
constexpr std::array<double, 13> kDenominator = {
    0.0,       39916800.0, 120543840.0, 150917976.0, 105258076.0, 45995730.0, 13339535.0,
    2637558.0, 357423.0,   32670.0,     1925.0,      66.0,        1.0};

// The quotient at x > 0; from 5 on in powers of 1/x, which do not overflow.
double lanczos_sum(double x) {
  double top = 0.0, bottom = 0.0;
  for (std::size_t i = 0; i < kNumerator.size(); ++i) {
    std::size_t at = x < 5.0 ? kNumerator.size() - 1 - i : i;
    top = (x < 5.0 ? top * x : top / x) + kNumerator[at];
    bottom = (x < 5.0 ? bottom * x : bottom / x) + kDenominator[at];
  }
  return top / bottom;
}

// The sine of pi*x, exact at halves.
double sine_of_pi_times(double x) {
  double y = std::fmod(std::fabs(x), 2.0), sine = 0.0;
  switch (static_cast<int>(std::round(2.0 * y))) {
    case 0:
      sine = std::sin(M_PI * y);
      break;
    case 1:
      sine = std::cos(M_PI * (y - 0.5));
      break;
    case 2:
      sine = std::sin(M_PI * (1.0 - y));
      break;
    case 3:
      sine = -std::cos(M_PI * (y - 1.5));
      break;
    default:
      sine = std::sin(M_PI * (y - 2.0));
  }
  return std::copysign(1.0, x) * sine;
}

// What rounding took from size + kShiftLessHalf, as a part of the result.
double correction(double size, double y) {
  double lost = size > kShiftLessHalf ? (y - size) - kShiftLessHalf : (y - kShiftLessHalf) - size;
  return lost * kShift / y;
}

// Multiplies by the power, or divides.
double scale(double result, double y, double size, bool divide) {
  double exponent = size < kLarge ? size - 0.5 : size / 2.0 - 0.25;
  double power = std::pow(y, exponent);
  result = divide ? result / power : result * power;
  if (size >= kLarge) result = divide ? result / power : result * power;
  return result;
}

}  // namespace

double gamma_of_real(double x) {
  double size = std::fabs(x);
  if (size < 1e-20) return 1.0 / x;
  if (size > 200.0) return x < 0.0 ? 0.0 / sine_of_pi_times(x) : HUGE_VAL;
  double y = size + kShiftLessHalf, lost = correction(size, y);
  if (x < 0.0) {
    double result = -M_PI / sine_of_pi_times(size) / size * std::exp(y) / lanczos_sum(size);
    result -= lost * result;
    return scale(result, y, size, true);
  }
  double result = lanczos_sum(size) / std::exp(y);
  result += lost * result;
  return scale(result, y, size, false);
}

double log_gamma_of_real(double x) {
  double size = std::fabs(x);
  if (size < 1e-20) return -std::log(size);
  double result = std::log(lanczos_sum(size)) - kShift;
  result += (size - 0.5) * (std::log(size + kShift - 0.5) - 1);
  if (x < 0.0)
    result = kLogPi - std::log(std::fabs(sine_of_pi_times(size))) - std::log(size) - result;
  return std::isinf(result) ? HUGE_VAL : result;
}

}  // namespace strider::lang
