// GenericAlias: what list[int] gives. Prints as written, calls its origin, and can be told apart.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

Type& generic_alias_type();
// `item` is one argument or a tuple of them.
Value make_generic_alias(const Value& origin, const Value& item);
// The same of a class that takes from `least` to `most` arguments. TypeError for others.
Value make_generic_alias(const Value& origin, const Value& item, std::size_t least,
                         std::size_t most);
// The type of int | str, and its making; the members are types, None or generic aliases.
Type& union_type();
Value make_union(const Value& left, const Value& right);
// A union's members, None given as its type, as isinstance() wants them.
Value union_members(const Value& value);

}  // namespace strider::lang
