// What NumPy says of names that it no longer has.
#pragma once

#include <string_view>

namespace strider::lang {

// AttributeError in NumPy's words for a name that NumPy 2 or 1.20 took away; nothing for others.
void explain_removed(std::string_view name);

}  // namespace strider::lang
