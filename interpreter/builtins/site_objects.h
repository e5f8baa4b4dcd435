// Site objects: exit, quit and help, which say how they are used when their names alone are
// entered.
#pragma once

#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// The object of one of these names; Empty for other names.
Value site_object(std::string_view name);
// All of the names.
inline constexpr std::string_view kSiteObjects[] = {"exit", "quit", "help"};

}  // namespace strider::lang
