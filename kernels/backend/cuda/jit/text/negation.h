// Negated integers, spelled for the assembler.
#pragma once

namespace strider::nd::device {

#if defined(__CUDACC_RTC__) && !defined(STRIDER_EMULATED)
// As the complement of what is one less, since ptxas 13.0 errs where it sees negations: among three
// operands of a signed maximum or minimum (VIMNMX3, since sm_90) it forgets them, and the negated
// least of 16 bits is positive when it is shifted.
template <class T>
inline T negate_unseen(T x) {
  int result;
  asm("{.reg .s32 less; sub.s32 less, %1, 1; not.b32 %0, less;}"
      : "=r"(result)
      : "r"(static_cast<int>(x)));
  return static_cast<T>(result);
}
template <>
inline std::int16_t negate(std::int16_t x) {
  return negate_unseen(x);
}
template <>
inline std::int32_t negate(std::int32_t x) {
  return negate_unseen(x);
}
#endif

}  // namespace strider::nd::device
