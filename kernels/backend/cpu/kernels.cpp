// Chooses the instruction set at run time and fills the table of kernels once.
#include "kernels/backend/cpu/kernels.h"

namespace strider::nd {

#define STRIDER_FILLS(target)                  \
  namespace target {                           \
  void fill_arithmetic(KernelTable& table);    \
  void fill_comparison(KernelTable& table);    \
  void fill_bitwise(KernelTable& table);       \
  void fill_division(KernelTable& table);      \
  void fill_exponential(KernelTable& table);   \
  void fill_power(KernelTable& table);         \
  void fill_trigonometric(KernelTable& table); \
  void fill_reduction(KernelTable& table);     \
  void fill_casts(KernelTable& table);         \
  void fill_transpose(KernelTable& table);     \
  inline void fill(KernelTable& table) {       \
    fill_arithmetic(table);                    \
    fill_comparison(table);                    \
    fill_bitwise(table);                       \
    fill_division(table);                      \
    fill_exponential(table);                   \
    fill_power(table);                         \
    fill_trigonometric(table);                 \
    fill_reduction(table);                     \
    fill_casts(table);                         \
    fill_transpose(table);                     \
  }                                            \
  }
STRIDER_FILLS(plain)
#ifdef STRIDER_KERNELS_AVX2
STRIDER_FILLS(avx2)
#endif
#ifdef STRIDER_KERNELS_AVX512
STRIDER_FILLS(avx512)
#endif
#undef STRIDER_FILLS

namespace {

// Of the instruction sets that were built, the best one that this processor has.
void (*best_fill())(KernelTable&) {
  __builtin_cpu_init();
#ifdef STRIDER_KERNELS_AVX512
  if (__builtin_cpu_supports("x86-64-v4")) return avx512::fill;
#endif
#ifdef STRIDER_KERNELS_AVX2
  if (__builtin_cpu_supports("x86-64-v3")) return avx2::fill;
#endif
  return plain::fill;
}

KernelTable make_table() {
  KernelTable table;
  best_fill()(table);
  return table;
}

}  // namespace

const KernelTable& kernels() {
  static const KernelTable table = make_table();
  return table;
}

}  // namespace strider::nd
