// Arrays of texts, dates, records and any objects are made and worked with in npx
// (stdlib/numpy/_boxed/). This is where native code finds out that it needs them.
#pragma once

#include <initializer_list>
#include <string_view>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/module.h"

namespace strider::lang {

// Thrown for elements that native arrays do not hold; a TypeError where nobody helps.
struct UnsupportedElements : LeftToGuard {};
[[noreturn]] void refuse_elements(std::string_view kind);

// An array of such elements, and the dtype of one.
bool is_boxed_array(const Value& value);
bool is_boxed_dtype(const Value& value);
// The values of an array of numbers in the other byte order as a native array; others themselves.
Value in_this_order(const Value& value);
// Whether a text, such as "U8" or "datetime64[D]", or a class names the dtype of one.
bool names_boxed_dtype(const Value& value);

// numpy's function in npx of this name, called.
Value call_in_npx(std::string_view name, const Values& arguments);
// Makes a native function of numpy try again in npx when it meets such elements.
void guard_elements(NativeFunction& function);
// The same for methods of arrays that are numpy's functions, too, and for the methods of ufuncs.
void guard_methods(Type& type, std::initializer_list<const char*> methods);
void guard_ufunc_methods(Type& type);
// A ufunc of operands of which some are elements that native arrays do not hold.
Value call_ufunc_in_npx(const Value& ufunc, const Arguments& arguments);
// What npx answers to a call one of whose lists begins with a text; Empty: nothing.
Value answer_for_texts(const Value& function, const Arguments& arguments);

extern const NativeModule kElementsModule;

}  // namespace strider::lang
