// Registry: the modules written in C++, by name.
#pragma once

#include <string_view>

#include "interpreter/runtime/module.h"

namespace strider::lang {

// The native module of a dotted name, or null.
const NativeModule* find_native_module(std::string_view name);
// Names of all native modules, for suggestions.
void list_native_modules(std::vector<std::string_view>& names);

extern const NativeModule kBuiltinsModule;
extern const NativeModule kSysModule;
extern const NativeModule kCollectionsModule;
extern const NativeModule kItertoolsModule;
extern const NativeModule kMathModule;
extern const NativeModule kOperatorModule;
extern const NativeModule kTimeModule;

}  // namespace strider::lang
