// The methods of str, by theme. Private to this room.
#pragma once

namespace strider::lang {

class Type;

void add_str_search_methods(Type& type);  // find, count, replace, split, join, strip, startswith…
void add_str_case_methods(Type& type);    // upper, title, isalpha, isidentifier…
void add_str_layout_methods(Type& type);  // center, zfill, expandtabs, format, encode, translate…

}  // namespace strider::lang
