// What heapq chooses and merges by heaps of places. Knows nothing of heaps that are lists.
#pragma once

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// choose(n, items, keys, largest): the n items with the smallest keys in ascending order, or those
// with the largest in descending order; of equal ones the first come first.
Value choose_by_heap(const Parameters& parameters);
// merged(streams, key, reverse): an iterator over the items of sorted iterators in sorted order.
Value merge_by_heap(const Parameters& parameters);

}  // namespace strider::lang
