// Instructions of short integers that are spelled for the assembler.
#pragma once

namespace strider::nd::device {

#if defined(__CUDACC_RTC__) && !defined(STRIDER_EMULATED)
// In 32 bits: of negated 16 bits among three operands of a maximum or minimum, ptxas 13.0 forgets
// for sm_90 that they are negated.
template <>
inline std::int16_t negate(std::int16_t x) {
  int result;
  asm("neg.s32 %0, %1;" : "=r"(result) : "r"(static_cast<int>(x)));
  return static_cast<std::int16_t>(result);
}
#endif

}  // namespace strider::nd::device
