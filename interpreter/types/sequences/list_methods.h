// The methods of lists, and the one that operators share.
#pragma once

#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {

void add_list_methods(Type& type);
// list.extend: appends all items of an iterable; TypeError if it is none.
void extend_list(List& list, const Value& iterable);
// list.sort: stable; `key` is None or a function; the list is empty while it runs.
void sort_list(List& list, const Value& key, bool reverse);

}  // namespace strider::lang
