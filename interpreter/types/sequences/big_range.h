// Ranges whose bounds, step or length need more than 64 bits. They are instances of `range` too,
// with another layout. Private to this room.
#pragma once

#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {

// Any range as numbers of any size.
struct Progression {
  Integer start, stop, step, count;
};

Progression progression_of(const Value& range);
// A Range if it fits 64 bits, else a big one. The step is not 0.
Value make_range(const Integer& start, const Integer& stop, const Integer& step);
// The range that range[slice] gives.
Value slice_range(const Value& range, const Slice& slice);
// The place of an int in the range; -1 if it is not in it.
Integer find_in_progression(const Progression& progression, const Integer& item);
// From its last item to its first.
Value iterate_progression(const Progression& progression, bool reversed);

}  // namespace strider::lang
