// What programs put into sys.meta_path and sys.path_hooks, and the modules that these find.
#pragma once

#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

enum class Turn { kBefore, kAfter };

// The specification that a program's own finder in sys.meta_path gives of a module: one of those
// that stand before the finder of folders, or after it. Empty: none does.
Value find_by_finders(std::string_view dotted_name, const Value& places, Turn turn);
// The same of the finder that a hook makes for a place of sys.path that is no folder.
Value find_by_hooks(const Value& place, std::string_view dotted_name);
// Makes and runs the module.
Value load_from_spec(const Value& spec);

}  // namespace strider::lang
