// itertools: what the states of iterators that are rebuilt are made of.
#include "interpreter/builtins/modules/functional/itertools.h"

#include <algorithm>

#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

const NativeRow kStateMethods[] = {
    {"__setstate__(self, state, /)",
     [](const Parameters& p) {
       p[0].as<RebuiltIterator>()->set_state(p[1]);
       return Value::none();
     },
     "Set state information for unpickling."},
};

}  // namespace

Type& with_state(Type& type) {
  type.add(kStateMethods);
  return type;
}

std::span<const Value> state_items(const Value& state, std::size_t least, std::size_t most) {
  if (!is_tuple(state)) raise(errors::TypeError, "state is not a tuple");
  std::span<const Value> items = state.as<Tuple>()->items();
  if (items.size() < least || items.size() > most)
    raise(errors::TypeError, "function takes at {} {} argument{} ({} given)",
          items.size() < least ? "least" : "most", items.size() < least ? least : most,
          (items.size() < least ? least : most) == 1 ? "" : "s", items.size());
  return items;
}

std::vector<std::size_t> places_in(const Value& state, std::span<const std::size_t> limits) {
  if (!is_tuple(state) || state.as<Tuple>()->size() != limits.size())
    raise(errors::ValueError, "invalid arguments");
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    std::int64_t place = to_int64((*state.as<Tuple>())[i]);
    auto last = static_cast<std::int64_t>(limits[i]) - 1;
    places.push_back(static_cast<std::size_t>(std::max<std::int64_t>(0, std::min(place, last))));
  }
  return places;
}

Ref<Tuple> as_places(std::span<const std::size_t> places) {
  Values numbers;
  for (std::size_t place : places)
    numbers.push_back(Value::integer(static_cast<std::int64_t>(place)));
  return make_tuple(std::move(numbers));
}

}  // namespace strider::lang
