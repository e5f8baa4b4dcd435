// Name: an interned string, compared by address. Attribute, variable and keyword names are Names.
#pragma once

#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Str;
using Name = Str*;  // interned; lives as long as the process

// The one Name with this text (UTF-8).
Name intern(std::string_view text);
// The Name equal to `text`; `text` itself when it is one already.
Name intern(Str* text);
std::string_view text_of(Name name);

struct Names {
#define NAME(member, text) Name member;
#include "interpreter/runtime/value/names.def"
};
// The names the runtime itself uses: names().init is "__init__".
const Names& names();

}  // namespace strider::lang
