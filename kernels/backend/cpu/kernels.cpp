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
STRIDER_FILLS(avx2)
STRIDER_FILLS(avx512)
#undef STRIDER_FILLS

namespace {

KernelTable make_table() {
  KernelTable table;
  switch (best_target()) {
    case Target::kAvx512:
      avx512::fill(table);
      break;
    case Target::kAvx2:
      avx2::fill(table);
      break;
    case Target::kPlain:
      plain::fill(table);
      break;
  }
  return table;
}

}  // namespace

Target best_target() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return Target::kAvx512;
  if (__builtin_cpu_supports("x86-64-v3")) return Target::kAvx2;
  return Target::kPlain;
}

const KernelTable& kernels() {
  static const KernelTable table = make_table();
  return table;
}

}  // namespace strider::nd
