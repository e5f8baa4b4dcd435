// Chooses the instruction set at run time and fills the table of kernels once.
#include "kernels/backend/cpu/kernels.h"

#include <strider/nd/settings.h>

#include <algorithm>
#include <string_view>

#include "kernels/backend/cpu/targets.h"

namespace strider::nd {

using Fill = void(KernelTable& table);
STRIDER_IN_TARGETS(Fill fill_arithmetic, fill_comparison, fill_bitwise, fill_division,
                   fill_exponential, fill_power, fill_trigonometric, fill_reduction, fill_casts,
                   fill_copying, fill_scaling, fill_strided, fill_transpose, fill_whole_powers;)

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
  std::string_view name = word_setting("STRIDER_TARGET", {"plain", "avx2", "avx512"});
  if (name == "plain") return Target::kPlain;
  if (name == "avx2") return Target::kAvx2;
  return Target::kAvx512;
}

KernelTable make_table() {
  KernelTable table;
  STRIDER_AT_BEST(fill_arithmetic(table));
  STRIDER_AT_BEST(fill_comparison(table));
  STRIDER_AT_BEST(fill_bitwise(table));
  STRIDER_AT_BEST(fill_division(table));
  STRIDER_AT_BEST(fill_scaling(table));
  STRIDER_AT_BEST(fill_exponential(table));
  STRIDER_AT_BEST(fill_power(table));
  STRIDER_AT_BEST(fill_whole_powers(table));
  STRIDER_AT_BEST(fill_trigonometric(table));
  STRIDER_AT_BEST(fill_reduction(table));
  STRIDER_AT_BEST(fill_casts(table));
  STRIDER_AT_BEST(fill_copying(table));
  STRIDER_AT_BEST(fill_strided(table));
  STRIDER_AT_BEST(fill_transpose(table));
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
