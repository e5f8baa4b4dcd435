// The views of a dict: keys, values and items; live, iterable, and the first and last set-like.
// What concerns its first item.
#pragma once

#include "interpreter/types/mappings/dict.h"

namespace strider::lang {

enum class DictPart : std::uint8_t { kKeys, kValues, kItems };

Value make_dict_view(const Value& dict, DictPart part);
// Gives a class of dicts what is native of OrderedDict: the methods keys, values and items, whose
// views are named odict_keys and so on, popitem and move_to_end.
void add_ordered_methods(Type& type);
// RuntimeError "dictionary changed size during iteration" when it does.
Value make_dict_iterator(const Value& dict, DictPart part, bool reversed = false);
// The place of the first living entry, or how many there are; found without passing all dead ones.
std::size_t first_entry(Dict& dict);
// Removes the first item; a (key, value) tuple. Not for empty dicts.
Value pop_first(Dict& dict);
// Moves a key that is there before or behind all others; false where it is not there.
bool move_to_end(Dict& dict, const Value& key, bool last);

}  // namespace strider::lang
