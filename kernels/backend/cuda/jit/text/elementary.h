// The elementary functions of C++'s library by CUDA's own, but for those that float32.h and
// float64.h have.
#pragma once

namespace std {

STRIDER_APART float logarithm_apart(float x) { return ::logf(x); }
STRIDER_APART double logarithm_apart(double x) { return ::log(x); }
template <class T>
inline T log_of_real(T x) {
  bool odd = false;
  const T result = strider::nd::device::quick_logarithm(x, odd);
  return odd ? logarithm_apart(x) : result;
}

inline float exp(float x) { return ::expf(x); }
inline double exp(double x) { return strider::nd::device::exponential_of(x); }
inline float log(float x) { return log_of_real(x); }
inline double log(double x) { return log_of_real(x); }
STRIDER_FUNCTION(exp2)
STRIDER_FUNCTION(expm1)
STRIDER_FUNCTION(log2)
STRIDER_FUNCTION(log10)
STRIDER_FUNCTION(log1p)
STRIDER_FUNCTION(cbrt)
STRIDER_FUNCTION(sin)
STRIDER_FUNCTION(cos)
STRIDER_FUNCTION(tan)
STRIDER_FUNCTION(asin)
STRIDER_FUNCTION(acos)
STRIDER_FUNCTION(atan)
STRIDER_FUNCTION(sinh)
STRIDER_FUNCTION(cosh)
STRIDER_FUNCTION(tanh)
STRIDER_FUNCTION(asinh)
STRIDER_FUNCTION(acosh)
STRIDER_FUNCTION(atanh)
STRIDER_FUNCTION2(atan2)
STRIDER_FUNCTION2(pow)

}  // namespace std
