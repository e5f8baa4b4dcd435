// Chooses how keys are sorted on this processor.
#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/cpu/sort/key_sort.h"

namespace strider::nd {

namespace plain {
void fill_key_sorts(KeySortTable& table);
}
namespace avx2 {
void fill_key_sorts(KeySortTable& table);
}
namespace avx512 {
void fill_key_sorts(KeySortTable& table);
}

namespace {

KeySortTable make_table() {
  KeySortTable table;
  switch (best_target()) {
#ifdef STRIDER_KERNELS_AVX512
    case Target::kAvx512:
      avx512::fill_key_sorts(table);
      break;
#endif
#ifdef STRIDER_KERNELS_AVX2
    case Target::kAvx2:
      avx2::fill_key_sorts(table);
      break;
#endif
    default:
      plain::fill_key_sorts(table);
  }
  return table;
}

}  // namespace

const KeySortTable& key_sorts() {
  static const KeySortTable table = make_table();
  return table;
}

}  // namespace strider::nd
