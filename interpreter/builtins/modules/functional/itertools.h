// The iterator classes of itertools, by file. Private to the module.
#pragma once

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/iterator_class.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {

// An iterator class of itertools that is called to make its instances.
template <Value (*construct)(Type*, const Arguments&)>
Type& make_itertools_type(const char* name) {
  Type& type = make_iterator_class<construct>(name);
  place_in_module(type, "itertools");
  return type;
}

Type& count_type();
Type& cycle_type();
Type& repeat_type();
Type& accumulate_type();
Type& chain_type();
Type& compress_type();
Type& dropwhile_type();
Type& filterfalse_type();
Type& takewhile_type();
Type& starmap_type();
Type& islice_type();
Type& groupby_type();
Type& pairwise_type();
Type& zip_longest_type();
Type& product_type();
Type& permutations_type();
Type& combinations_type();
Type& combinations_with_replacement_type();
// tee(iterable, n=2).
Value tee(const Parameters& parameters);

}  // namespace strider::lang
