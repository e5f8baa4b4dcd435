// What the instructions use of C++'s library, for a compiler that comes without it.
#pragma once

using size_t = decltype(sizeof(0));

namespace std {

using size_t = decltype(sizeof(0));
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;

template <bool kFirst, class A, class B>
struct choice {
  using type = A;
};
template <class A, class B>
struct choice<false, A, B> {
  using type = B;
};
template <bool kFirst, class A, class B>
using conditional_t = typename choice<kFirst, A, B>::type;

template <class T>
inline constexpr bool is_floating_point_v = is_same_v<T, float> || is_same_v<T, double>;
template <class T>
inline constexpr bool is_integral_v = false;
template <class T>
inline constexpr bool is_signed_v = is_floating_point_v<T>;

template <class T>
struct unsigned_of;
template <class T>
using make_unsigned_t = typename unsigned_of<T>::type;

template <class T>
struct numeric_limits;

template <class To, class From>
constexpr To bit_cast(const From& value) {
  return __builtin_bit_cast(To, value);
}

#define STRIDER_INTEGER(T, U, kSigned)                                                   \
  template <>                                                                            \
  inline constexpr bool is_integral_v<T> = true;                                         \
  template <>                                                                            \
  inline constexpr bool is_signed_v<T> = kSigned;                                        \
  template <>                                                                            \
  struct unsigned_of<T> {                                                                \
    using type = U;                                                                      \
  };                                                                                     \
  template <>                                                                            \
  struct numeric_limits<T> {                                                             \
    static constexpr T min() { return kSigned ? T(U(1) << (8 * sizeof(T) - 1)) : T(0); } \
    static constexpr T max() { return T(~(U)min()); }                                    \
  };
STRIDER_INTEGER(int8_t, uint8_t, true)
STRIDER_INTEGER(uint8_t, uint8_t, false)
STRIDER_INTEGER(int16_t, uint16_t, true)
STRIDER_INTEGER(uint16_t, uint16_t, false)
STRIDER_INTEGER(int32_t, uint32_t, true)
STRIDER_INTEGER(uint32_t, uint32_t, false)
STRIDER_INTEGER(int64_t, uint64_t, true)
STRIDER_INTEGER(uint64_t, uint64_t, false)
template <>
inline constexpr bool is_integral_v<bool> = true;

template <>
struct numeric_limits<float> {
  static constexpr int digits = 24;
  static constexpr float min() { return 0x1p-126f; }
  static constexpr float max() { return 0x1.fffffep127f; }
  static constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000u); }
  static constexpr float quiet_NaN() { return __builtin_bit_cast(float, 0x7fc00000u); }
};
template <>
struct numeric_limits<double> {
  static constexpr int digits = 53;
  static constexpr double min() { return 0x1p-1022; }
  static constexpr double max() { return 0x1.fffffffffffffp1023; }
  static constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000ul); }
  static constexpr double quiet_NaN() { return __builtin_bit_cast(double, 0x7ff8000000000000ul); }
};

inline int popcount(uint8_t x) { return __popc(x); }
inline int popcount(uint16_t x) { return __popc(x); }
inline int popcount(uint32_t x) { return __popc(x); }
inline int popcount(uint64_t x) { return __popcll(x); }

#define STRIDER_FUNCTION(name)                        \
  inline float name(float x) { return ::name##f(x); } \
  inline double name(double x) { return ::name(x); }
#define STRIDER_FUNCTION2(name)                                   \
  inline float name(float x, float y) { return ::name##f(x, y); } \
  inline double name(double x, double y) { return ::name(x, y); }
STRIDER_FUNCTION(fabs)
STRIDER_FUNCTION(sqrt)
STRIDER_FUNCTION(rint)
STRIDER_FUNCTION(floor)
STRIDER_FUNCTION(ceil)
STRIDER_FUNCTION(trunc)
STRIDER_FUNCTION2(copysign)
STRIDER_FUNCTION2(hypot)
STRIDER_FUNCTION2(fmod)
STRIDER_FUNCTION2(nextafter)
inline float abs(float x) { return ::fabsf(x); }
inline double abs(double x) { return ::fabs(x); }
inline float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
inline double fma(double x, double y, double z) { return ::fma(x, y, z); }
inline float frexp(float x, int* power) { return ::frexpf(x, power); }
inline double frexp(double x, int* power) { return ::frexp(x, power); }
inline float ldexp(float x, int power) { return ::ldexpf(x, power); }
inline double ldexp(double x, int power) { return ::ldexp(x, power); }

// A pair of parts, aligned as one part.
template <class T>
class complex {
 public:
  using value_type = T;
  constexpr complex(T real = T(), T imag = T()) : real_(real), imag_(imag) {}
  constexpr T real() const { return real_; }
  constexpr T imag() const { return imag_; }
  friend complex operator+(complex x, complex y) {
    return complex(x.real_ + y.real_, x.imag_ + y.imag_);
  }
  friend complex operator-(complex x, complex y) {
    return complex(x.real_ - y.real_, x.imag_ - y.imag_);
  }
  friend complex operator-(complex x) { return complex(-x.real_, -x.imag_); }
  friend bool operator==(complex x, complex y) { return x.real_ == y.real_ && x.imag_ == y.imag_; }

 private:
  T real_, imag_;
};

}  // namespace std
