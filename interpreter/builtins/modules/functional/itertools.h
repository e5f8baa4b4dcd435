// The iterator classes of itertools, by file. Private to the module.
#pragma once

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/iterator_class.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {

// An iterator that is rebuilt by its class, of arguments and of a state.
class RebuiltIterator : public Iterator {
 public:
  // Takes over what reduced() told as its third item.
  virtual void set_state(const Value& state) = 0;

 protected:
  using Iterator::Iterator;
  // What __reduce__ gives; an empty state is none.
  Value rebuilt(Values arguments, const Value& state = Value()) {
    Values parts{Value(type()), Value(make_tuple(std::move(arguments)))};
    if (!state.is_empty()) parts.push_back(state);
    return make_tuple(std::move(parts));
  }
};

// The class of a RebuiltIterator, with __setstate__.
Type& with_state(Type& type);
// The places of a state, each below the limit that belongs to it, cut to what can be.
std::vector<std::size_t> places_in(const Value& state, std::span<const std::size_t> limits);
Ref<Tuple> as_places(std::span<const std::size_t> places);
// The items of a state, which is a tuple of at least and at most so many.
std::span<const Value> state_items(const Value& state, std::size_t least, std::size_t most);

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
