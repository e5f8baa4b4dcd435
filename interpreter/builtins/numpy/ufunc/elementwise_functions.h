// Elementwise functions that are more than one ufunc: clip, round, divmod.
#pragma once

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// numpy.clip(a, a_min, a_max, out, **kwargs) and ndarray.clip.
Value clip_function(const Parameters& p);
// numpy.round(a, decimals, out) and ndarray.round.
Value round_function(const Parameters& p);
// (left // right, left % right).
Value apply_divmod(const Value& left, const Value& right);

}  // namespace strider::lang
