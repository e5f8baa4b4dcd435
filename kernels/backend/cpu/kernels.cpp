// Chooses the instruction set at run time and fills the table of kernels once.
#include "kernels/backend/cpu/kernels.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

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

// The best instruction set that was built and that this processor has.
Target find_target() {
  __builtin_cpu_init();
#ifdef STRIDER_KERNELS_AVX512
  if (__builtin_cpu_supports("x86-64-v4")) return Target::kAvx512;
#endif
#ifdef STRIDER_KERNELS_AVX2
  if (__builtin_cpu_supports("x86-64-v3")) return Target::kAvx2;
#endif
  return Target::kPlain;
}

// STRIDER_TARGET=plain or avx2 keeps from using more, for tests.
Target wanted_target() {
  const char* name = std::getenv("STRIDER_TARGET");
  if (name && std::strcmp(name, "plain") == 0) return Target::kPlain;
  if (name && std::strcmp(name, "avx2") == 0) return Target::kAvx2;
  return Target::kAvx512;
}

KernelTable make_table() {
  KernelTable table;
  switch (best_target()) {
#ifdef STRIDER_KERNELS_AVX512
    case Target::kAvx512:
      avx512::fill(table);
      break;
#endif
#ifdef STRIDER_KERNELS_AVX2
    case Target::kAvx2:
      avx2::fill(table);
      break;
#endif
    default:
      plain::fill(table);
  }
  return table;
}

}  // namespace

Target best_target() {
  static const Target target = std::min(find_target(), wanted_target());
  return target;
}

const KernelTable& kernels() {
  static const KernelTable table = make_table();
  return table;
}

}  // namespace strider::nd
