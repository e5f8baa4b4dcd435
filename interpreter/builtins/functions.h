// The tables of built-in functions, by file, and what they share.
#pragma once

#include <cstddef>
#include <span>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

extern const NativeRow kObjectFunctions[];
extern const std::size_t kObjectFunctionCount;
extern const NativeRow kCollectionFunctions[];
extern const std::size_t kCollectionFunctionCount;
extern const NativeRow kNumberFunctions[];
extern const std::size_t kNumberFunctionCount;
extern const NativeRow kCodeFunctions[];
extern const std::size_t kCodeFunctionCount;

// Calls something with what a function of (*args, **kws) was given.
Value call_collected(const Value& callee, const Parameters& p);

// Iterator types: enumerate, zip, map, filter, reversed.
Type& enumerate_type();
Type& zip_type();
Type& map_type();
Type& filter_type();
Type& reversed_type();

}  // namespace strider::lang
