// The order in which NumPy's quicksort leaves elements that are compared. Knows not what they are.
#pragma once

#include <strider/nd/sort.h>

namespace strider::lang {

// A stable order with equal elements moved to where the quicksort has them; equal(a, b): whether
// the elements at two places are.
template <class Equal>
nd::Array left_by_quicksort(nd::Array order, Equal equal) {
  const std::int64_t count = order.size();
  if (count <= nd::kMostInserted || count > nd::kMostCompared) return order;
  nd::Array ranks = nd::Array::empty({count}, nd::DType::kInt64);
  const std::int64_t* places = order.as<std::int64_t>();
  std::int64_t* rank_at = ranks.mutable_as<std::int64_t>();
  std::int64_t rank = 0;
  rank_at[places[0]] = 0;
  for (std::int64_t i = 1; i < count; ++i) {
    rank += !equal(places[i - 1], places[i]);
    rank_at[places[i]] = rank;
  }
  return rank == count - 1 ? order : nd::argsort(ranks, 0, nd::SortKind::kCompared);
}

}  // namespace strider::lang
