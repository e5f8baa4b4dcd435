// Iterators over tuples and lists, forwards and backwards.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

Value make_tuple_iterator(const Value& tuple);
Value make_list_iterator(const Value& list);
Value make_list_reverse_iterator(const Value& list);

}  // namespace strider::lang
