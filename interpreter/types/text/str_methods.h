// The methods of str, by theme. Private to this room.
#pragma once

#include "interpreter/types/text/str.h"

namespace strider::lang {

class Type;

// A part of a text; of ASCII its length is known.
inline Ref<Str> part_of(const Str& whole, std::string_view part) {
  return whole.is_ascii() ? make_str(part, static_cast<std::int64_t>(part.size())) : make_str(part);
}

void add_str_search_methods(Type& type);  // find, count, replace, startswith, partition…
void add_str_split_methods(Type& type);   // split, join, strip, splitlines…
void add_str_case_methods(Type& type);    // upper, title, isalpha, isidentifier…
void add_str_layout_methods(Type& type);  // center, zfill, expandtabs, format, encode, translate…

}  // namespace strider::lang
