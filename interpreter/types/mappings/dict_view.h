// The views of a dict: keys, values and items; live, iterable, and the first and last set-like.
#pragma once

#include "interpreter/types/mappings/dict.h"

namespace strider::lang {

enum class DictPart : std::uint8_t { kKeys, kValues, kItems };

Value make_dict_view(const Value& dict, DictPart part);
// Gives a class of dicts the methods keys, values and items whose views are named odict_keys and so
// on.
void add_ordered_views(Type& type);
// RuntimeError "dictionary changed size during iteration" when it does.
Value make_dict_iterator(const Value& dict, DictPart part, bool reversed = false);

}  // namespace strider::lang
