// Chooses how keys are sorted on this processor.
#include "kernels/backend/cpu/sort/key_sort.h"
#include "kernels/backend/cpu/targets.h"

namespace strider::nd {

STRIDER_IN_TARGETS(void fill_key_sorts(KeySortTable& table);)
STRIDER_IN_TARGETS(void fill_key_packing(KeyPacking& loops);)
STRIDER_IN_TARGETS(void fill_pair_sort(PairSort& loops);)

namespace {

KeySortTable make_table() {
  KeySortTable table;
  STRIDER_AT_BEST(fill_key_sorts(table));
  STRIDER_AT_BEST(fill_key_packing(table.packing));
  STRIDER_AT_BEST(fill_pair_sort(table.pairs));
  return table;
}

}  // namespace

const KeySortTable& key_sorts() {
  static const KeySortTable table = make_table();
  return table;
}

}  // namespace strider::nd
