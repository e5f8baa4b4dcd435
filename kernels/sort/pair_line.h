// A line of keys with the places of their elements beside them.
#pragma once

#include <cstdint>

namespace strider::nd {

// Sorts the pairs, for which there must be loops; equal keys end up where x86-simd-sort, and so
// NumPy's argsort, leaves them. Can be interrupted.
void sort_pair_line(std::int64_t* keys, std::int64_t* places, std::int64_t count);
// Puts the pair of rank k where sorting would, as its selection leaves the others.
void select_pair_line(std::int64_t* keys, std::int64_t* places, std::int64_t count, std::int64_t k);

}  // namespace strider::nd
