// itemgetter, attrgetter and methodcaller, and what the module operator needs besides.
#pragma once

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

Type& item_getter_type();
Type& attribute_getter_type();
Type& method_caller_type();

// The items of a dict of keyword arguments, appended to a call's arguments.
void append_keywords(ArgumentList& arguments, const Value& keywords);
// True for mappings, which subscript but do not concatenate.
bool is_dict_like(const Value& value);
// The module builtins.
Value import_builtins();

}  // namespace strider::lang
